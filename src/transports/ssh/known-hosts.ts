import { createHash, createHmac, randomBytes } from 'node:crypto';
import { wildcards } from '../../core/wildcards.ts';

/** One line of a known_hosts file that holds a key. */
export interface KnownHost {
  marker?: 'revoked' | 'cert-authority';
  /** Host patterns as written, or one hashed name. */
  hosts: string;
  type: string;
  /** Base64 of the key blob. */
  key: string;
  file: string;
  line: number;
}

/** Every key line of a known_hosts text; lines OpenSSH would not read either are left out. */
export function parseKnownHosts(text: string, file: string): KnownHost[] {
  return text.split('\n').flatMap((line, index) => parseLine(line, file, index + 1) ?? []);
}

function parseLine(line: string, file: string, number: number): KnownHost | undefined {
  const words = line.trim().split(/\s+/);
  if (!words[0] || words[0].startsWith('#')) return undefined;
  const marker = words[0].startsWith('@') ? words.shift()?.slice(1) : undefined;
  if (marker !== undefined && marker !== 'revoked' && marker !== 'cert-authority') return undefined;
  const [hosts, type, key] = words;
  if (!hosts || !type || !key || !isKey(key, type)) return undefined;
  return { ...(marker ? { marker } : {}), hosts, type, key, file, line: number };
}

/** Node takes what is no base64 for nothing, where OpenSSH takes the line for none. */
function isKey(key: string, type: string): boolean {
  const blob = Buffer.from(key, 'base64');
  return key.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(key) && blobType(blob) === type && isWhole(blob, type);
}

/** How many fields a key has, its type among them. */
const fieldCounts = new Map([
  ['ssh-ed25519', 2],
  ['ssh-rsa', 3],
  ['ssh-dss', 5],
  ['sk-ssh-ed25519@openssh.com', 3],
  ['sk-ecdsa-sha2-nistp256@openssh.com', 4],
  ...['256', '384', '521'].map((size) => [`ecdsa-sha2-nistp${size}`, 3] as const),
]);

/** Whether a key was not cut off; of types not known here each field has its length before it, too. */
function isWhole(blob: Buffer, type: string): boolean {
  let [at, count] = [0, 0];
  for (; at + 4 <= blob.length; count++) {
    const length = blob.readUInt32BE(at);
    if (type === 'ssh-ed25519' && count === 1 && length !== 32) return false;
    at += 4 + length;
  }
  return at === blob.length && count === (fieldCounts.get(type) ?? count);
}

/** The name a host is known by: an alias as it is, else the address, bracketed with any port but 22. */
export function knownName(address: string, port: number, alias?: string): string {
  const name = (alias ?? address).toLowerCase();
  return alias !== undefined || port === 22 ? name : `[${name}]:${port}`;
}

/** Whether a line is about this name. A negated pattern that matches excludes it, wherever it stands. */
export function matchesHost(hosts: string, name: string): boolean {
  if (hosts.startsWith('|')) return matchesHashed(hosts, name);
  const patterns = hosts.split(',').filter(Boolean);
  const hit = (pattern: string) => wildcards(pattern.toLowerCase()).test(name);
  if (patterns.some((pattern) => pattern.startsWith('!') && hit(pattern.slice(1)))) return false;
  return patterns.some((pattern) => !pattern.startsWith('!') && hit(pattern));
}

function matchesHashed(hashed: string, name: string): boolean {
  const [, version, salt = '', hash] = hashed.split('|');
  if (version !== '1' || !/^[A-Za-z0-9+/]{27}=$/.test(salt)) return false;
  return hmac(salt, name) === hash;
}

function hmac(salt: string, name: string): string {
  return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64');
}

/** A line to append for a new key. */
export function knownHostsLine(name: string, blob: Buffer, hashed: boolean): string {
  const salt = randomBytes(20).toString('base64');
  const host = hashed ? `|1|${salt}|${hmac(salt, name)}` : name;
  return `${host} ${blobType(blob)} ${blob.toString('base64')}\n`;
}

/** The type a key blob names itself, undefined when it is none. */
export function blobType(blob: Buffer): string | undefined {
  if (blob.length < 8) return undefined;
  const length = blob.readUInt32BE(0);
  if (length === 0 || length > 64 || blob.length < 4 + length) return undefined;
  const type = blob.toString('latin1', 4, 4 + length);
  return /^[a-z0-9@.-]+$/i.test(type) ? type : undefined;
}

/** As `ssh-keygen -l` prints it. */
export function fingerprint(blob: Buffer): string {
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;
}
