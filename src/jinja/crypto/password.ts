import { BoundedCache } from '../cache.ts';
import { typeError } from '../errors.ts';
import { isSalt, saltOf } from './base64.ts';
import { bcrypt } from './bcrypt.ts';
import { md5Crypt } from './md5-crypt.ts';
import { sha256Kind, sha512Kind, shaCrypt } from './sha-crypt.ts';

export interface HashOptions {
  salt?: string;
  saltSize?: number;
  rounds?: number;
  /** bcrypt's variant: 2a, 2b or 2y. */
  ident?: string;
  random(count: number): Uint8Array;
}

interface Scheme {
  saltSize: number;
  /** Whether a salt must have just this size. */
  exact?: boolean;
  rounds: number;
  limits: readonly [number, number];
  hash(password: string, salt: string, rounds: number, ident: string): string;
}

const shaLimits = [1000, 5_000_000] as const;
const sha256: Scheme = {
  saltSize: 16,
  rounds: 535_000,
  limits: shaLimits,
  hash: (p, s, r) => shaCrypt(sha256Kind, p, s, r),
};
const sha512: Scheme = {
  saltSize: 16,
  rounds: 656_000,
  limits: shaLimits,
  hash: (p, s, r) => shaCrypt(sha512Kind, p, s, r),
};
const md5: Scheme = { saltSize: 8, rounds: 1000, limits: [0, 1000], hash: (p, s) => md5Crypt(p, s) };
const blowfish: Scheme = { saltSize: 22, exact: true, rounds: 12, limits: [4, 15], hash: bcrypt };
const schemes: Record<string, Scheme> = {
  sha256,
  sha512,
  md5,
  blowfish,
  sha256_crypt: sha256,
  sha512_crypt: sha512,
  md5_crypt: md5,
  bcrypt: blowfish,
};

/** With a given salt the result is always the same, and half a second of work: once is enough. */
const done = new BoundedCache<string>(500);

/** A password's hash as in /etc/shadow. Ansible takes its many rounds from passlib. */
export function hashPassword(password: string, type: string, options: HashOptions): string {
  const scheme = Object.hasOwn(schemes, type) ? schemes[type]! : undefined;
  if (!scheme) throw typeError(`password_hash: '${type}' is not one of ${Object.keys(schemes).join(', ')}`);
  const salt = options.salt || saltOf(options.random(options.saltSize ?? scheme.saltSize));
  const rounds = options.rounds || scheme.rounds;
  const ident = options.ident || '2b';
  check(scheme, salt, rounds, ident);
  return done.get(JSON.stringify([type, password, salt, rounds, ident]), () =>
    scheme.hash(password, salt, rounds, ident),
  );
}

function check({ saltSize, exact, limits }: Scheme, salt: string, rounds: number, ident: string): void {
  if (!isSalt(salt)) throw typeError('password_hash: invalid characters in salt');
  if (salt.length > saltSize || (exact && salt.length !== saltSize)) {
    throw typeError(`password_hash: a salt has ${exact ? '' : 'at most '}${saltSize} characters`);
  }
  if (rounds < limits[0] || rounds > limits[1]) {
    throw typeError(`password_hash: rounds must be between ${limits.join(' and ')}`);
  }
  if (!['2a', '2b', '2y'].includes(ident)) throw typeError(`password_hash: there is no ident '${ident}'`);
}
