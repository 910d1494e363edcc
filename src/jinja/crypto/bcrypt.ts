import { Blowfish } from './blowfish.ts';

/** bcrypt has a Base64 of its own. */
const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const plaintext = Buffer.from('OrpheanBeholderScryDoubt');

/** crypt(3)'s Blowfish hash. The salt has 22 characters, `rounds` is the logarithm of the work. */
export function bcrypt(password: string, salt: string, rounds: number, ident: string): string {
  const saltBytes = decode(salt).subarray(0, 16);
  const key = Buffer.concat([Buffer.from(password), Buffer.alloc(1)]).subarray(0, 72);
  const cipher = schedule(key, saltBytes, rounds);
  const cost = String(rounds).padStart(2, '0');
  return `$${ident}$${cost}$${encode(saltBytes)}${encode(encryptPlaintext(cipher))}`;
}

function schedule(key: Uint8Array, salt: Uint8Array, rounds: number): Blowfish {
  const cipher = new Blowfish();
  cipher.expand(key, salt);
  for (let i = 0; i < 2 ** rounds; i++) {
    cipher.expand(key);
    cipher.expand(salt);
  }
  return cipher;
}

/** The last byte is left out: so it has always been. */
function encryptPlaintext(cipher: Blowfish): Buffer {
  const result = Buffer.from(plaintext);
  for (let at = 0; at < result.length; at += 8) {
    cipher.left = result.readInt32BE(at);
    cipher.right = result.readInt32BE(at + 4);
    for (let i = 0; i < 64; i++) cipher.encrypt();
    result.writeInt32BE(cipher.left | 0, at);
    result.writeInt32BE(cipher.right | 0, at + 4);
  }
  return result.subarray(0, 23);
}

function decode(text: string): Buffer {
  const bits = Array.from(text, (character) => alphabet.indexOf(character).toString(2).padStart(6, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

function encode(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,6}/g) ?? []).map((group) => alphabet[Number.parseInt(group.padEnd(6, '0'), 2)]).join('');
}
