import { piWords } from './pi.ts';

const subkeys = 18;
let initial: Uint32Array | undefined;

/** Blowfish with the expensive key schedule of bcrypt. */
export class Blowfish {
  private readonly p: Uint32Array;
  private readonly s: Uint32Array;
  /** The block under way. */
  left = 0;
  right = 0;

  constructor() {
    initial ??= piWords(subkeys + 1024);
    this.p = initial.slice(0, subkeys);
    this.s = initial.slice(subkeys);
  }

  /** Mixes a key, and a salt if there is one, into the tables. */
  expand(key: Uint8Array, salt?: Uint8Array): void {
    for (let i = 0, at = 0; i < subkeys; i++, at += 4) this.p[i] = this.p[i]! ^ wordAt(key, at);
    this.left = this.right = 0;
    let at = 0;
    for (const table of [this.p, this.s]) {
      for (let i = 0; i < table.length; i += 2, at += 8) {
        if (salt) this.mixSalt(salt, at);
        this.encrypt();
        table[i] = this.left;
        table[i + 1] = this.right;
      }
    }
  }

  private mixSalt(salt: Uint8Array, at: number): void {
    this.left ^= wordAt(salt, at);
    this.right ^= wordAt(salt, at + 4);
  }

  /** Encrypts the block. */
  encrypt(): void {
    const { p, s } = this;
    let [left, right] = [this.left, this.right];
    for (let i = 0; i < 16; i += 2) {
      left ^= p[i]!;
      right ^=
        (((s[left >>> 24]! + s[256 + ((left >>> 16) & 255)]!) ^ s[512 + ((left >>> 8) & 255)]!) +
          s[768 + (left & 255)]!) |
        0;
      right ^= p[i + 1]!;
      left ^=
        (((s[right >>> 24]! + s[256 + ((right >>> 16) & 255)]!) ^ s[512 + ((right >>> 8) & 255)]!) +
          s[768 + (right & 255)]!) |
        0;
    }
    this.left = right ^ p[17]!;
    this.right = left ^ p[16]!;
  }
}

/** Four bytes from a place on, the bytes repeating. */
function wordAt(bytes: Uint8Array, at: number): number {
  let word = 0;
  for (let i = 0; i < 4; i++) word = (word << 8) | bytes[(at + i) % bytes.length]!;
  return word;
}
