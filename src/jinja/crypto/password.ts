import { BoundedCache } from '../cache.ts';
import { typeError } from '../errors.ts';
import { isSalt, saltOf } from './base64.ts';
import { md5Crypt } from './md5-crypt.ts';
import { sha256Kind, sha512Kind, shaCrypt } from './sha-crypt.ts';

export interface HashOptions {
  salt?: string;
  saltSize?: number;
  rounds?: number;
  random(count: number): Uint8Array;
}

interface Scheme {
  saltSize: number;
  rounds: number;
  minRounds: number;
  hash(password: string, salt: string, rounds: number): string;
}

const sha256: Scheme = {
  saltSize: 16,
  rounds: 535_000,
  minRounds: 1000,
  hash: (p, s, r) => shaCrypt(sha256Kind, p, s, r),
};
const sha512: Scheme = {
  saltSize: 16,
  rounds: 656_000,
  minRounds: 1000,
  hash: (p, s, r) => shaCrypt(sha512Kind, p, s, r),
};
const md5: Scheme = { saltSize: 8, rounds: 1000, minRounds: 0, hash: (p, s) => md5Crypt(p, s) };
const schemes: Record<string, Scheme> = {
  sha256,
  sha512,
  md5,
  sha256_crypt: sha256,
  sha512_crypt: sha512,
  md5_crypt: md5,
};
const maxRounds = 5_000_000;

/** With a given salt the result is always the same, and half a second of work: once is enough. */
const done = new BoundedCache<string>(500);

/** A password's hash as in /etc/shadow. Ansible takes its many rounds from passlib. */
export function hashPassword(password: string, type: string, options: HashOptions): string {
  const scheme = Object.hasOwn(schemes, type) ? schemes[type]! : undefined;
  if (!scheme) throw typeError(`password_hash: '${type}' is not one of ${Object.keys(schemes).join(', ')}`);
  const salt = options.salt || saltOf(options.random(options.saltSize ?? scheme.saltSize));
  if (!isSalt(salt)) throw typeError('password_hash: invalid characters in salt');
  if (salt.length > scheme.saltSize) throw typeError(`password_hash: a salt has at most ${scheme.saltSize} characters`);
  const rounds = options.rounds || scheme.rounds;
  if (rounds < scheme.minRounds || rounds > maxRounds) {
    throw typeError(`password_hash: rounds must be between ${scheme.minRounds} and ${maxRounds}`);
  }
  return done.get(JSON.stringify([type, password, salt, rounds]), () => scheme.hash(password, salt, rounds));
}
