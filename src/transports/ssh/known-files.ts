import { mkdir, open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { dirname } from 'node:path';
import { SessionError } from '../../core/session.ts';
import { type KnownHost, knownHostsLine, matchesHost, parseKnownHosts } from './known-hosts.ts';
import { readOnce } from './read-once.ts';

/** The key lines of all files, in order; a file that is not there has none. */
export async function readKnownHosts(files: string[]): Promise<KnownHost[]> {
  return files.flatMap(readOne);
}

const parsed = readOnce((text, file) => parseKnownHosts(text.toString('latin1'), file));

function readOne(file: string): KnownHost[] {
  try {
    return parsed(file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new SessionError('host-key', 'host-key', `cannot read ${file}: ${(cause as Error).message}`, { cause });
  }
}

let last: Promise<unknown> = Promise.resolve();

/** Appends a key in one write, so that lines of other writers stay whole; many hosts at once take turns. */
export function appendKnownHost(file: string, name: string, blob: Buffer, hashed: boolean): Promise<void> {
  return inTurn(file, () => append(file, name, blob, hashed));
}

/**
 * Takes out the lines that name a host, as `ssh-keygen -R` does: those of CAs and revoked keys stay, and those with
 * wildcards, which are about others, too. Written beside and renamed.
 */
export function removeKnownHost(file: string, name: string): Promise<void> {
  return inTurn(file, () => remove(file, name));
}

function inTurn(file: string, work: () => Promise<void>): Promise<void> {
  const mine = last.then(work).catch((cause) => {
    if (cause instanceof SessionError) throw cause;
    throw new SessionError('host-key', 'host-key', `cannot write ${file}: ${(cause as Error).message}`, { cause });
  });
  last = mine.catch(() => {});
  return mine;
}

async function remove(file: string, name: string) {
  const about = readOne(file).filter(
    ({ hosts, marker }) => !marker && !/[*?!]/.test(hosts) && matchesHost(hosts, name),
  );
  if (about.length === 0) return;
  const gone = new Set(about.map(({ line }) => line));
  const lines = (await readFile(file, 'latin1')).split('\n').filter((_, index) => !gone.has(index + 1));
  const { mode } = await stat(file);
  await writeFile(`${file}.kpush`, lines.join('\n'), { encoding: 'latin1', mode: mode & 0o777 });
  await rename(`${file}.kpush`, file);
}

/** Who names /dev/null wants nothing kept. */
async function append(file: string, name: string, blob: Buffer, hashed: boolean) {
  if (file === devNull) return;
  const known = readOne(file);
  const key = blob.toString('base64');
  if (!hashed && known.some((entry) => entry.hosts === name && entry.key === key)) return;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, 'a+', 0o600);
  try {
    const start = (await endsWithNewline(handle)) ? '' : '\n';
    await handle.appendFile(start + knownHostsLine(name, blob, hashed));
  } finally {
    await handle.close();
  }
}

async function endsWithNewline(handle: Awaited<ReturnType<typeof open>>): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return true;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === 0x0a;
}
