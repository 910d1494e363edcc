import { createHash } from 'node:crypto';
import { encodePlaces } from './base64.ts';

const places = [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5], [11]];

/** crypt(3)'s MD5 hash. */
export function md5Crypt(password: string, salt: string): string {
  const key = Buffer.from(password);
  const saltBytes = Buffer.from(salt);
  let digest = firstDigest(key, saltBytes);
  for (let round = 0; round < 1000; round++) digest = turn(round, digest, key, saltBytes);
  return `$1$${salt}$${encodePlaces(digest, places)}`;
}

function md5(parts: readonly Uint8Array[]): Buffer {
  return createHash('md5').update(Buffer.concat(parts)).digest();
}

function firstDigest(key: Buffer, salt: Buffer): Buffer {
  const alternate = md5([key, salt, key]);
  const parts: Buffer[] = [key, Buffer.from('$1$'), salt];
  if (key.length > 0) parts.push(Buffer.alloc(key.length, alternate));
  for (let bits = key.length; bits > 0; bits >>= 1) parts.push(bits & 1 ? Buffer.alloc(1) : key.subarray(0, 1));
  return md5(parts);
}

function turn(round: number, digest: Buffer, key: Buffer, salt: Buffer): Buffer {
  const parts: Buffer[] = [round & 1 ? key : digest];
  if (round % 3) parts.push(salt);
  if (round % 7) parts.push(key);
  parts.push(round & 1 ? digest : key);
  return md5(parts);
}
