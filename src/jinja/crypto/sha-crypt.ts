import { createHash } from 'node:crypto';
import { encodePlaces } from './base64.ts';

export interface ShaKind {
  id: '5' | '6';
  digest: 'sha256' | 'sha512';
  /** Which bytes of the digest go together into four characters. */
  places: readonly (readonly number[])[];
}

/** Triples that each rotate the last one by `turn` places: the order that glibc writes a digest in. */
function rotating(count: number, step: number, turn: 1 | 2): number[][] {
  return Array.from({ length: count }, (_, i) => {
    const triple = [i, i + step, i + 2 * step];
    const by = (i * turn) % 3;
    return [...triple.slice(by), ...triple.slice(0, by)];
  });
}

export const sha256Kind: ShaKind = { id: '5', digest: 'sha256', places: [...rotating(10, 10, 2), [31, 30]] };
export const sha512Kind: ShaKind = { id: '6', digest: 'sha512', places: [...rotating(21, 21, 1), [63]] };

/** crypt(3)'s SHA hashes; `rounds` stands in the result unless it is the default of 5000. */
export function shaCrypt(kind: ShaKind, password: string, salt: string, rounds: number): string {
  const key = Buffer.from(password);
  const saltBytes = Buffer.from(salt);
  const first = firstDigest(kind, key, saltBytes);
  const keyBlock = repeated(hash(kind, copies(key, key.length)), key.length);
  const saltBlock = repeated(hash(kind, copies(saltBytes, 16 + first[0]!)), saltBytes.length);
  const digest = stretch(kind, first, keyBlock, saltBlock, rounds);
  return `$${kind.id}$${rounds === 5000 ? '' : `rounds=${rounds}$`}${salt}$${encodePlaces(digest, kind.places)}`;
}

function hash(kind: ShaKind, parts: readonly Uint8Array[]): Buffer {
  const state = createHash(kind.digest);
  for (const part of parts) state.update(part);
  return state.digest();
}

const copies = (bytes: Buffer, count: number): Buffer[] => Array.from({ length: count }, () => bytes);

function firstDigest(kind: ShaKind, key: Buffer, salt: Buffer): Buffer {
  const alternate = hash(kind, [key, salt, key]);
  const parts: Buffer[] = [key, salt, repeated(alternate, key.length)];
  for (let bits = key.length; bits > 0; bits >>= 1) parts.push(bits & 1 ? alternate : key);
  return hash(kind, parts);
}

/** The bytes over and over, cut to a length. */
function repeated(bytes: Buffer, length: number): Buffer {
  return length === 0 ? Buffer.alloc(0) : Buffer.alloc(length, bytes);
}

function stretch(kind: ShaKind, first: Buffer, key: Buffer, salt: Buffer, rounds: number): Buffer {
  let current = first;
  for (let round = 0; round < rounds; round++) {
    const parts: Buffer[] = [round & 1 ? key : current];
    if (round % 3) parts.push(salt);
    if (round % 7) parts.push(key);
    parts.push(round & 1 ? current : key);
    current = createHash(kind.digest).update(Buffer.concat(parts)).digest();
  }
  return current;
}
