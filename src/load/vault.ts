import { createDecipheriv, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import { inputError, type KpushError } from '../core/errors.ts';
import type { Origin } from '../core/origin.ts';

export interface VaultSecret {
  /** Vault id; secrets with the id of the text are tried first. */
  id?: string;
  password: string;
}

/** Decrypts ansible-vault texts (format 1.1 and 1.2, AES256) and remembers what it gave out, so that output can be masked. */
export class Vault {
  /** Plain texts of `!vault` values handed out so far. */
  readonly revealed = new Set<string>();
  private readonly secrets: readonly VaultSecret[];
  private readonly known = new Map<string, Buffer>();

  constructor(secrets: readonly VaultSecret[]) {
    this.secrets = secrets;
  }

  /** Throws an input error at `origin`; it never holds plain text or a password. */
  decrypt(text: string, origin: Origin): Buffer {
    const known = this.known.get(text);
    if (known) return known;
    const envelope = readEnvelope(text, origin);
    const found = this.tryAll(envelope);
    if (!found) throw wrongPassword(envelope, origin);
    this.known.set(text, found);
    this.revealed.add(found.toString('utf8'));
    return found;
  }

  private tryAll(envelope: Envelope): Buffer | undefined {
    for (const secret of this.candidates(envelope.id)) {
      const plain = open(envelope, secret.password);
      if (plain) return plain;
    }
    return undefined;
  }

  private candidates(id: string | undefined): VaultSecret[] {
    return [...this.secrets].sort((a, b) => Number(b.id === id) - Number(a.id === id));
  }
}

/** The password in a password file: its text without the line end. Throws an input error when there is none. */
export function passwordFrom(bytes: Buffer, file: string): string {
  const password = bytes.toString('utf8').trim();
  if (password) return password;
  throw inputError('the vault password file is empty', {
    origin: { file, line: 1, column: 1 },
    expected: 'a password',
  });
}

interface Envelope {
  id?: string;
  salt: Buffer;
  hmac: Buffer;
  cipher: Buffer;
}

const header = /^\$ANSIBLE_VAULT;(\d+\.\d+);([A-Za-z0-9]+)(?:;([^\s;]+))?$/;

function readEnvelope(text: string, origin: Origin): Envelope {
  const [first = '', ...rest] = text.trim().split(/\r?\n/);
  const match = header.exec(first.trim());
  if (!match) throw bad('the vault header is not readable', origin, '$ANSIBLE_VAULT;1.1;AES256');
  if (match[1] !== '1.1' && match[1] !== '1.2')
    throw bad(`the vault format ${match[1]} is not known`, origin, '1.1 or 1.2');
  if (match[2] !== 'AES256') throw bad(`the vault cipher ${match[2]} is not known`, origin, 'AES256');
  const parts = split(unhex(rest.join('').replace(/\s/g, ''), origin).toString('latin1'), origin);
  return { ...parts, ...(match[3] ? { id: match[3] } : {}) };
}

/** Hex inside hex: salt, HMAC and cipher text, a line each. */
function split(inner: string, origin: Origin): Omit<Envelope, 'id'> {
  const parts = inner.split('\n');
  if (parts.length !== 3) throw truncated(origin);
  const [salt, hmac, cipher] = parts.map((part) => unhex(part, origin)) as [Buffer, Buffer, Buffer];
  if (salt.length === 0 || hmac.length !== 32 || cipher.length === 0) throw truncated(origin);
  return { salt, hmac, cipher };
}

function unhex(text: string, origin: Origin): Buffer {
  if (text === '' || text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) throw truncated(origin);
  return Buffer.from(text, 'hex');
}

/** Ansible's parameters: PBKDF2-SHA256, 10,000 rounds, 32 bytes of key, 32 of HMAC key, 16 of counter; PKCS#7 padding. */
function open(envelope: Envelope, password: string): Buffer | undefined {
  const derived = pbkdf2Sync(password, envelope.salt, 10_000, 80, 'sha256');
  const hmac = createHmac('sha256', derived.subarray(32, 64)).update(envelope.cipher).digest();
  if (!timingSafeEqual(hmac, envelope.hmac)) return undefined;
  const decipher = createDecipheriv('aes-256-ctr', derived.subarray(0, 32), derived.subarray(64, 80));
  const padded = Buffer.concat([decipher.update(envelope.cipher), decipher.final()]);
  return padded.subarray(0, padded.length - (padded.at(-1) ?? 0));
}

function wrongPassword(envelope: Envelope, origin: Origin): KpushError {
  const which = envelope.id ? ` (vault id '${envelope.id}')` : '';
  return bad(`no given password opens this vault text${which}`, origin, 'the password it was encrypted with');
}

function truncated(origin: Origin): KpushError {
  return bad('the vault text is damaged or cut off', origin, 'hex lines as ansible-vault writes them');
}

function bad(message: string, origin: Origin, expected: string): KpushError {
  return inputError(message, { origin, expected });
}
