import { SessionError, type Target } from '../core/session.ts';
import { judgeHostKey, nameOf } from './ssh/host-key.ts';
import { appendKnownHost, readKnownHosts, removeKnownHost } from './ssh/known-files.ts';
import { blobType, fingerprint, matchesHost } from './ssh/known-hosts.ts';
import { scanHostKey } from './ssh/scan.ts';

export { agentHolds, needsPassphrase } from './ssh/auth.ts';

/** A host whose key nobody has written down yet, and what it shows. */
export interface Stranger {
  target: Target;
  /** As known_hosts names it. */
  name: string;
  key: Buffer;
  type: string;
  /** As `ssh-keygen -l` prints it. */
  fingerprint: string;
}

/** The target, and the jump hosts it is reached through, nearest to us first. */
export function chain(target: Target): Target[] {
  return target.proxyJump ? [...chain(target.proxyJump), target] : [target];
}

/** How known_hosts names a target. */
export const knownAs = nameOf;

/** Whether a key or a CA is known for the target. A key that is revoked says nothing of the one it shows. */
export async function isKnown(target: Target, read: typeof readKnownHosts = readKnownHosts): Promise<boolean> {
  const name = nameOf(target);
  const known = await read(target.knownHostsFiles);
  return known.some(({ hosts, marker }) => marker !== 'revoked' && matchesHost(hosts, name));
}

/** Throws a SessionError where the host cannot be reached, or shows a key that is revoked. */
export async function meet(target: Target, signal?: AbortSignal): Promise<Stranger> {
  const key = await scanHostKey(target, signal);
  judgeHostKey({ ...target, strictHostKeyChecking: 'accept-new' }, await readKnownHosts(target.knownHostsFiles), key);
  return { target, name: nameOf(target), key, type: blobType(key) ?? 'unknown', fingerprint: fingerprint(key) };
}

/**
 * Throws a SessionError where a known host shows another key than the one that is known, or cannot be reached. OpenSSH
 * alone can see that a certificate is by a known CA: of hosts reached by it that are known by nothing else, nothing is asked.
 */
export async function compare(target: Target, signal?: AbortSignal): Promise<void> {
  const known = await readKnownHosts(target.knownHostsFiles);
  const about = known.filter(({ hosts, marker }) => marker !== 'revoked' && matchesHost(hosts, nameOf(target)));
  if (target.transport === 'openssh' && about.every(({ marker }) => marker === 'cert-authority')) return;
  judgeHostKey({ ...target, strictHostKeyChecking: 'yes' }, known, await scanHostKey(target, signal));
}

/** Writes its key down, in `file` or where its ssh would. */
export async function trust({ target, name, key }: Stranger, file = target.knownHostsFiles[0]): Promise<void> {
  if (file !== undefined) await appendKnownHost(file, name, key, target.hashKnownHosts);
}

/** The key that a host shows, whatever is known of it. Throws a SessionError where it cannot be reached. */
export function shownKey(target: Target, signal?: AbortSignal): Promise<Buffer> {
  return scanHostKey(target, signal);
}

/** Whether this very key is known for the target. */
export async function isKnownKey(target: Target, key: Buffer): Promise<boolean> {
  const [name, text] = [nameOf(target), key.toString('base64')];
  const known = await readKnownHosts(target.knownHostsFiles);
  return known.some((entry) => entry.marker === undefined && entry.key === text && matchesHost(entry.hosts, name));
}

/** From now on the target is known by this key alone: the lines that name it go, as `ssh-keygen -R` has it. */
export async function trustAnew(target: Target, key: Buffer): Promise<void> {
  const [file] = target.knownHostsFiles;
  if (file === undefined) return;
  const name = nameOf(target);
  await removeKnownHost(file, name);
  const left = (await readKnownHosts(target.knownHostsFiles)).find(
    ({ hosts, marker }) => !marker && matchesHost(hosts, name),
  );
  if (left)
    throw new SessionError('host-key', 'host-key', `${left.file}:${left.line} still names ${name} with its old key`);
  await appendKnownHost(file, name, key, target.hashKnownHosts);
}

export { fingerprint, readKnownHosts };
