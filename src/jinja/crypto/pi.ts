/** The fraction of π as 32-bit words: what Blowfish's tables begin with. */
export function piWords(count: number): Uint32Array {
  const bits = BigInt(count * 32);
  const guard = 64n;
  const one = 1n << (bits + guard);
  const pi = 4n * (4n * arctanOfInverse(5n, one) - arctanOfInverse(239n, one));
  const fraction = (pi >> guard) & ((1n << bits) - 1n);
  const hex = fraction.toString(16).padStart(count * 8, '0');
  return Uint32Array.from({ length: count }, (_, i) => Number.parseInt(hex.slice(i * 8, i * 8 + 8), 16));
}

/** arctan(1/x), scaled by `one`. */
function arctanOfInverse(x: bigint, one: bigint): bigint {
  let power = one / x;
  let sum = power;
  for (let n = 3n, sign = -1n; power !== 0n; n += 2n, sign = -sign) {
    power /= x * x;
    sum += (sign * power) / n;
  }
  return sum;
}
