import { createHash } from 'node:crypto';
import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { LabError } from './errors.ts';
import { must } from './shell.ts';

export type FileType = 'file' | 'directory' | 'symlink' | 'character device' | 'block device' | 'fifo' | 'socket';

/** What is known of one path of a host. */
export interface FileEntry {
  type: FileType;
  /** Permission bits with setuid, setgid and sticky. */
  mode: number;
  uid: number;
  gid: number;
  /** Milliseconds since 1970. */
  mtimeMs: number;
  /** Number of hard links (files). */
  links?: number;
  /** Bytes (files). */
  size?: number;
  /** Hex (files). */
  sha256?: string;
  /** Where a symlink points. */
  target?: string;
  /** Extended attributes in hex, where there are any. */
  xattrs?: Record<string, string>;
}

/** Not read: what the kernel and each boot make anew, and logs (wtmp and lastlog lie among them). */
export const excluded = ['/proc', '/sys', '/run', '/dev', '/var/log'];

/**
 * Every path of the root file system mounted at `root`, without `excluded` and the bound container folders. The
 * excluded folders themselves are there, their content is not.
 */
export async function readFiles(root: string): Promise<Map<string, FileEntry>> {
  const found = new Map<string, FileEntry>();
  walk(root, '/', found);
  for (const [path, xattrs] of await readXattrs(root)) {
    const entry = found.get(path);
    if (entry) entry.xattrs = xattrs;
  }
  return found;
}

/** What differs between two results of snapshotFiles, by path. */
export interface FileChanges {
  added: string[];
  removed: string[];
  /** Paths with the names of the fields that differ. */
  changed: Record<string, string[]>;
}

/** Compares two results of snapshotFiles; `ignore` drops paths (and what is below them) or fields (`.mtimeMs`). */
export function compareFiles(
  before: Map<string, FileEntry>,
  after: Map<string, FileEntry>,
  ignore: string[] = [],
): FileChanges {
  const isWanted = (path: string) => !ignore.some((one) => path === one || path.startsWith(`${one}/`));
  const changes: FileChanges = { added: [], removed: [], changed: {} };
  for (const path of before.keys()) if (isWanted(path) && !after.has(path)) changes.removed.push(path);
  for (const [path, entry] of after) {
    const old = before.get(path);
    if (!isWanted(path)) continue;
    if (!old) changes.added.push(path);
    const fields = old ? differing(old, entry).filter((name) => !ignore.includes(`.${name}`)) : [];
    if (fields.length > 0) changes.changed[path] = fields;
  }
  return changes;
}

function differing(a: FileEntry, b: FileEntry): string[] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])] as (keyof FileEntry)[];
  return names.filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]));
}

function walk(root: string, path: string, found: Map<string, FileEntry>) {
  const entry = describe(root, path);
  if (!entry) return;
  found.set(path, entry);
  if (entry.type !== 'directory' || excluded.includes(path)) return;
  for (const name of readdirSync(join(root, path)).sort()) {
    if (name.includes('\uFFFD')) throw new LabError(`a file name in ${path} is not UTF-8`);
    walk(root, join(path, name), found);
  }
}

function describe(root: string, path: string): FileEntry | undefined {
  const full = join(root, path);
  const stat = lstatOr(full);
  if (!stat) return undefined;
  const type = typeOf(Number(stat.mode) & constants.S_IFMT);
  const entry: FileEntry = {
    type,
    mode: Number(stat.mode) & 0o7777,
    uid: Number(stat.uid),
    gid: Number(stat.gid),
    mtimeMs: Number(stat.mtimeNs) / 1e6,
  };
  if (type === 'symlink') entry.target = readlinkSync(full);
  if (type === 'file') {
    entry.links = Number(stat.nlink);
    entry.size = Number(stat.size);
    entry.sha256 = hashFile(full, `${stat.dev}:${stat.ino}:${stat.size}:${stat.ctimeNs}`);
  }
  return entry;
}

// Files of the base keep their inode and change time, so a second snapshot hashes only what the host wrote.
const hashes = new Map<string, string>();

function hashFile(file: string, version: string): string {
  const known = hashes.get(version);
  if (known) return known;
  const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NOATIME);
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(1 << 20);
  for (let n = readSync(handle, chunk); n > 0; n = readSync(handle, chunk)) hash.update(chunk.subarray(0, n));
  closeSync(handle);
  const digest = hash.digest('hex');
  hashes.set(version, digest);
  return digest;
}

/** A file that the host deletes while it is read is not in the snapshot. */
function lstatOr(full: string) {
  return lstatSync(full, { bigint: true, throwIfNoEntry: false });
}

async function readXattrs(root: string): Promise<Map<string, Record<string, string>>> {
  const skip = excluded.map((path) => join(root, path));
  const tops = readdirSync(root)
    .map((name) => join(root, name))
    .filter((path) => !skip.includes(path));
  const text = await must('getfattr', ['-Rhd', '-m', '-', '-e', 'hex', '--absolute-names', '--', ...tops]);
  const found = new Map<string, Record<string, string>>();
  for (const block of text.split('\n\n').filter(Boolean)) {
    const [head, ...lines] = block.split('\n');
    const path = unescapeOctal(head!.slice('# file: '.length)).slice(root.length);
    found.set(
      path,
      Object.fromEntries(lines.filter(Boolean).map((line) => [line.split('=')[0]!, line.split('=')[1] ?? ''])),
    );
  }
  return found;
}

function unescapeOctal(text: string): string {
  const bytes = text.replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
  return text.includes('\\') ? Buffer.from(bytes, 'latin1').toString('utf8') : text;
}

function typeOf(bits: number): FileType {
  const types: Record<number, FileType> = {
    [constants.S_IFREG]: 'file',
    [constants.S_IFDIR]: 'directory',
    [constants.S_IFLNK]: 'symlink',
    [constants.S_IFCHR]: 'character device',
    [constants.S_IFBLK]: 'block device',
    [constants.S_IFIFO]: 'fifo',
    [constants.S_IFSOCK]: 'socket',
  };
  return types[bits]!;
}
