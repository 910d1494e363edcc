import { SessionError, type Target } from '../../core/session.ts';
import { blobType, fingerprint, type KnownHost, knownName, matchesHost } from './known-hosts.ts';

/** Why a key is taken: it is known, or new and to be written down, or the user asked for no check. */
export type Verdict = 'known' | 'new' | 'unchecked';

/** Judges the key a host showed. Throws the SessionError that refuses it; it is never worth a retry. */
export function judgeHostKey(target: Target, known: KnownHost[], blob: Buffer): Verdict {
  const name = nameOf(target);
  const key = blob.toString('base64');
  const about = known.filter((entry) => matchesHost(entry.hosts, name));
  const revoked = about.find((entry) => entry.marker === 'revoked' && entry.key === key);
  // As ssh does: who asks for no check gets none, and sends no password.
  if (revoked && target.strictHostKeyChecking === 'no') return 'unchecked';
  if (revoked) throw refuse(target, `its ${what(blob)} is revoked by ${place(revoked)}`);
  const plain = about.filter((entry) => !entry.marker);
  if (plain.some((entry) => entry.key === key) || knownWithoutPort(target, known, key)) return 'known';
  if (target.strictHostKeyChecking === 'no') return plain.length ? 'unchecked' : 'new';
  if (plain[0]) throw changed(target, plain, blob);
  if (target.strictHostKeyChecking === 'accept-new') return 'new';
  throw unknown(target, about, blob);
}

/** Host key algorithms, those of known keys first, so that a host is not "changed" for showing another of its keys. */
export function orderedAlgorithms(target: Target, known: KnownHost[], supported: readonly string[]): string[] {
  const name = nameOf(target);
  const types = known.filter((entry) => !entry.marker && matchesHost(entry.hosts, name)).map(({ type }) => type);
  const isKnown = (algorithm: string) => types.some((type) => algorithmsOf(type).includes(algorithm));
  return [...supported.filter(isKnown), ...supported.filter((algorithm) => !isKnown(algorithm))];
}

export function nameOf(target: Target): string {
  return knownName(target.address, target.port, target.hostKeyAlias);
}

/** RSA signs by other names than its keys have. */
function algorithmsOf(type: string): string[] {
  return type === 'ssh-rsa' ? ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa'] : [type];
}

/** As OpenSSH does: a key known for the plain name is good for any port of it. */
function knownWithoutPort(target: Target, known: KnownHost[], key: string): boolean {
  if (target.port === 22 || target.hostKeyAlias !== undefined) return false;
  const name = target.address.toLowerCase();
  return known.some((entry) => !entry.marker && entry.key === key && matchesHost(entry.hosts, name));
}

function changed(target: Target, plain: KnownHost[], blob: Buffer): SessionError {
  const entry = plain.find(({ type }) => type === blobType(blob)) ?? plain[0];
  if (!entry) throw new Error('a changed key without an old one');
  const old = fingerprint(Buffer.from(entry.key, 'base64'));
  return refuse(target, `its key has changed: ${place(entry)} has ${entry.type} ${old}, it shows ${what(blob)}`, {
    hint: `if it was reinstalled: ssh-keygen -R ${JSON.stringify(nameOf(target))} -f ${entry.file}`,
  });
}

function unknown(target: Target, about: KnownHost[], blob: Buffer): SessionError {
  if (about.some((entry) => entry.marker === 'cert-authority'))
    return refuse(target, `it is known only by an @cert-authority line, and ssh2 cannot verify host certificates`, {
      hint: 'use the transport openssh (connection: openssh)',
    });
  return refuse(target, `its key is not known: ${what(blob)} (looked in ${target.knownHostsFiles.join(', ')})`, {
    hint: 'compare the fingerprint, then write the key down: kpush trust -i INVENTORY, or ssh-keyscan and known_hosts',
  });
}

function refuse(target: Target, why: string, options: { hint?: string } = {}): SessionError {
  const hint = options.hint ? { hint: options.hint } : {};
  return new SessionError('host-key', 'host-key', `${nameOf(target)} is not trusted: ${why}`, hint);
}

function what(blob: Buffer): string {
  return `${blobType(blob) ?? 'unreadable key'} ${fingerprint(blob)}`;
}

function place(entry: KnownHost): string {
  return `${entry.file}:${entry.line}`;
}
