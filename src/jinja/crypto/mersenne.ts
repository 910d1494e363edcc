import { createHash } from 'node:crypto';

/** Python's random.Random with a seed: the Mersenne Twister, seeded and read as CPython does. */
export class PythonRandom {
  private readonly state = new Uint32Array(624);
  private index = 624;

  constructor(seed: string | bigint) {
    this.seedByArray(words(typeof seed === 'string' ? textSeed(seed) : seed < 0n ? -seed : seed));
  }

  private seedByInt(seed: number) {
    this.state[0] = seed;
    for (let i = 1; i < 624; i++) {
      const previous = this.state[i - 1]! ^ (this.state[i - 1]! >>> 30);
      this.state[i] = Math.imul(1_812_433_253, previous) + i;
    }
  }

  private seedByArray(key: number[]) {
    this.seedByInt(19_650_218);
    let i = 1;
    for (let k = 0; k < Math.max(624, key.length); k++) {
      const j = k % key.length;
      this.mix(i, 1_664_525, key[j]! + j);
      i = this.following(i);
    }
    for (let k = 0; k < 623; k++) {
      this.mix(i, 1_566_083_941, -i);
      i = this.following(i);
    }
    this.state[0] = 0x8000_0000;
  }

  private mix(i: number, factor: number, added: number) {
    const previous = this.state[i - 1]! ^ (this.state[i - 1]! >>> 30);
    this.state[i] = (this.state[i]! ^ Math.imul(previous, factor)) + added;
  }

  private following(i: number): number {
    if (i < 623) return i + 1;
    this.state[0] = this.state[623]!;
    return 1;
  }

  private refill() {
    for (let i = 0; i < 624; i++) {
      const bits = (this.state[i]! & 0x8000_0000) | (this.state[(i + 1) % 624]! & 0x7fff_ffff);
      this.state[i] = this.state[(i + 397) % 624]! ^ (bits >>> 1) ^ (bits & 1 ? 0x9908_b0df : 0);
    }
    this.index = 0;
  }

  private word(): number {
    if (this.index >= 624) this.refill();
    let y = this.state[this.index++]!;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c_5680;
    y ^= (y << 15) & 0xefc6_0000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  private bits(count: number): bigint {
    let result = 0n;
    for (let shift = 0; shift < count; shift += 32) {
      const left = count - shift;
      const word = left < 32 ? this.word() >>> (32 - left) : this.word();
      result |= BigInt(word) << BigInt(shift);
    }
    return result;
  }

  /** A number from 0 to before `limit`. */
  below(limit: bigint): bigint {
    const count = limit.toString(2).length;
    for (;;) {
      const value = this.bits(count);
      if (value < limit) return value;
    }
  }
}

/** Python mixes the text with its own SHA-512. */
function textSeed(text: string): bigint {
  const bytes = Buffer.from(text);
  const mixed = Buffer.concat([bytes, createHash('sha512').update(bytes).digest()]);
  return BigInt(`0x${mixed.toString('hex')}`);
}

function words(value: bigint): number[] {
  const result: number[] = [];
  for (let rest = value; rest > 0n; rest >>= 32n) result.push(Number(rest & 0xffff_ffffn));
  return result.length > 0 ? result : [0];
}
