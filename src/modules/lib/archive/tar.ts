import { createHash } from 'node:crypto';
import { textLimit } from '../../../world/content.ts';
import { type ArchiveEntry, ArchiveError, entryPath, type StoredAccount } from './entry.ts';

const block = 512;

/**
 * The entries of an uncompressed tar (ustar, GNU long names, pax headers), a later one of a path replacing an earlier.
 * Reads no further than one entry more than `most`.
 */
export function readTar(bytes: Buffer, most: number): ArchiveEntry[] {
  if (bytes.length < block) throw new ArchiveError('this is no archive');
  const entries = new Map<string, ArchiveEntry>();
  const reader = new TarReader(bytes);
  for (let member = reader.next(); member && entries.size <= most; member = reader.next()) {
    const path = entryPath(member.name);
    entries.set(path, entryOf(path, member));
  }
  return [...entries.values()];
}

interface Member {
  name: string;
  type: string;
  mode: number;
  target: string;
  owner: StoredAccount;
  group: StoredAccount;
  data: Buffer;
}

/** Fields that pax and GNU headers give the next member. */
interface Overrides {
  path?: string;
  linkpath?: string;
  size?: number;
  uid?: number;
  gid?: number;
  uname?: string;
  gname?: string;
}

class TarReader {
  private at = 0;
  private over: Overrides = {};
  private readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** The next real member; headers about it are taken in on the way. */
  next(): Member | undefined {
    for (;;) {
      const header = this.bytes.subarray(this.at, this.at + block);
      if (header.length < block || header.every((byte) => byte === 0)) return undefined;
      checkSum(header, this.at);
      const type = String.fromCharCode(header[156]!);
      const data = this.data(
        type === 'x' || type === 'g' || type === 'L' || type === 'K'
          ? numberAt(header, 124, 12)
          : (this.over.size ?? numberAt(header, 124, 12)),
      );
      if (!this.absorb(type, data)) return this.member(header, type, data);
    }
  }

  private data(size: number): Buffer {
    const start = this.at + block;
    if (start + size > this.bytes.length) throw new ArchiveError('the archive ends in the middle of a file');
    this.at = start + Math.ceil(size / block) * block;
    return this.bytes.subarray(start, start + size);
  }

  /** True: it was a header about the next member. */
  private absorb(type: string, data: Buffer): boolean {
    if (type === 'L') this.over.path = textOf(data);
    else if (type === 'K') this.over.linkpath = textOf(data);
    else if (type === 'x') this.over = { ...this.over, ...pax(data) };
    else return type === 'g';
    return true;
  }

  private member(header: Buffer, type: string, data: Buffer): Member {
    const { path, linkpath, uid, gid, uname, gname } = this.over;
    this.over = {};
    return {
      name: path ?? nameOf(header),
      type,
      mode: numberAt(header, 100, 8) & 0o7777,
      target: linkpath ?? textOf(header.subarray(157, 257)),
      owner: { name: uname ?? textOf(header.subarray(265, 297)), id: uid ?? numberAt(header, 108, 8) },
      group: { name: gname ?? textOf(header.subarray(297, 329)), id: gid ?? numberAt(header, 116, 8) },
      data,
    };
  }
}

function entryOf(path: string, { type, mode, target, owner, group, data, name }: Member): ArchiveEntry {
  const base = { name, path, mode, owner, group, size: data.length };
  if (type === '5' || name.endsWith('/')) return { ...base, kind: 'directory', size: 0 };
  if (type === '2') return { ...base, kind: 'link', target, size: Buffer.byteLength(target) };
  if (type === '1') return { ...base, kind: 'hard', target: entryPath(target) };
  return type === '0' || type === '\0' || type === '7'
    ? { ...base, kind: 'file', ...contentOf(data) }
    : { ...base, kind: 'other' };
}

/** Hash of a file's content, and the text when a diff could show it. */
export function contentOf(data: Buffer): Pick<ArchiveEntry, 'sha256' | 'text'> {
  const sha256 = createHash('sha256').update(data).digest('hex');
  const text = data.length <= textLimit ? data.toString('utf8') : '\0';
  return text.includes('\0') || !Buffer.from(text).equals(data) ? { sha256 } : { sha256, text };
}

/** ustar keeps the head of a long name apart. */
function nameOf(header: Buffer): string {
  const name = textOf(header.subarray(0, 100));
  const prefix =
    header.subarray(257, 262).toString('latin1') === 'ustar' && header[263] === 0x30
      ? textOf(header.subarray(345, 500))
      : '';
  return prefix ? `${prefix}/${name}` : name;
}

function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.subarray(0, end < 0 ? bytes.length : end).toString('utf8');
}

/** Octal text, or, with the top bit set, a big number in base 256. */
function numberAt(header: Buffer, start: number, length: number): number {
  const field = header.subarray(start, start + length);
  if (field[0]! & 0x80) return field.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0);
  const digits = textOf(field).trim();
  if (!/^[0-7]*$/.test(digits)) throw new ArchiveError(`'${digits}' is no octal number`);
  return Number.parseInt(digits || '0', 8);
}

function checkSum(header: Buffer, at: number): void {
  const sum = header.reduce((total, byte, i) => total + (i >= 148 && i < 156 ? 0x20 : byte), 0);
  if (sum !== numberAt(header, 148, 8)) throw new ArchiveError(`no tar header at byte ${at}`);
}

const numeric = new Set(['size', 'uid', 'gid']);
const known = ['path', 'linkpath', 'uname', 'gname', ...numeric];

/** Records `LENGTH KEY=VALUE\n`, the length counting all of the record's bytes. */
function pax(data: Buffer): Overrides {
  const found: Record<string, string> = Object.create(null);
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(0x20, at);
    const length = Number(data.subarray(at, space).toString('latin1'));
    if (space < 0 || !(length > 0)) throw new ArchiveError('a pax header cannot be read');
    const record = data.subarray(space + 1, at + length - 1).toString('utf8');
    const equals = record.indexOf('=');
    found[record.slice(0, equals)] = record.slice(equals + 1);
    at += length;
  }
  const read = (text: string) => (numeric.has(text) ? decimal(found[text]!) : found[text]);
  return Object.fromEntries(known.filter((name) => found[name] !== undefined).map((name) => [name, read(name)]));
}

/** A size below nothing would lead back to the same header for ever. */
function decimal(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new ArchiveError(`a pax header says '${text}' where a number belongs`);
  return Number(text);
}
