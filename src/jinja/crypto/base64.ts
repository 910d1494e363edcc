/** The order of characters in the hashes of crypt(3). */
const alphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Encodes the bytes at these places, three at a time, as crypt(3) does: the lowest six bits first. */
export function encodePlaces(bytes: Uint8Array, places: readonly (readonly number[])[]): string {
  return places.map((group) => encodeGroup(group.map((place) => bytes[place]!))).join('');
}

function encodeGroup(group: number[]): string {
  let value = group.reduce((sum, byte) => sum * 256 + byte, 0);
  const length = Math.ceil((group.length * 8) / 6);
  let text = '';
  for (let i = 0; i < length; i++, value = Math.floor(value / 64)) text += alphabet[value % 64];
  return text;
}

/** A salt of this many characters out of random bytes. */
export function saltOf(random: Uint8Array): string {
  return Array.from(random, (byte) => alphabet[byte % 64]).join('');
}

export const isSalt = (text: string): boolean => /^[./0-9A-Za-z]*$/.test(text);
