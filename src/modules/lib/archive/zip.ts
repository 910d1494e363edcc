import { inflateRawSync } from 'node:zlib';
import { type ArchiveEntry, ArchiveError, entryPath } from './entry.ts';
import { contentOf } from './tar.ts';

/**
 * The entries of a zip, from its central directory. Zip64 and encryption are not read. Reads no further than one entry
 * more than `most.entries`; entries may lie over one another, and say together to be more than any disk holds.
 */
export function readZip(bytes: Buffer, most: { entries: number; unpacked: number }): ArchiveEntry[] {
  const entries = new Map<string, ArchiveEntry>();
  const { count, offset } = endRecord(bytes);
  let [at, size] = [offset, 0];
  for (let i = 0; i < count && entries.size <= most.entries; i++) {
    const member = centralHeader(bytes, at);
    size += member.size;
    if (size > most.unpacked) throw new ArchiveError(`it says to hold more than ${most.unpacked} bytes`);
    const path = entryPath(member.name);
    entries.set(path, entryOf(path, member, bytes));
    at += member.length;
  }
  return [...entries.values()];
}

interface Member {
  name: string;
  mode: number;
  type: number;
  method: number;
  size: number;
  packed: number;
  offset: number;
  /** Bytes of the header itself. */
  length: number;
}

/** The record that ends the file; a comment of up to 64 KiB may follow it. */
function endRecord(bytes: Buffer): { count: number; offset: number } {
  const at = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (at < 0 || at + 22 > bytes.length) throw new ArchiveError('no zip directory');
  const [count, offset] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 16)];
  if (count === 0xffff || offset === 0xffffffff) throw new ArchiveError('a zip64 archive');
  return { count, offset };
}

function centralHeader(bytes: Buffer, at: number): Member {
  if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) throw new ArchiveError('a broken zip directory');
  const names = bytes.readUInt16LE(at + 28);
  const attributes = bytes.readUInt32LE(at + 38) >>> 16;
  if (bytes.readUInt16LE(at + 8) & 1) throw new ArchiveError('an encrypted zip archive');
  return {
    name: bytes.subarray(at + 46, at + 46 + names).toString('utf8'),
    mode: attributes & 0o7777,
    type: attributes & 0o170000,
    method: bytes.readUInt16LE(at + 10),
    packed: bytes.readUInt32LE(at + 20),
    size: bytes.readUInt32LE(at + 24),
    offset: bytes.readUInt32LE(at + 42),
    length: 46 + names + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32),
  };
}

/** Archives made on other systems have no Unix mode: then unzip gives 0644 and 0755. */
function entryOf(path: string, member: Member, bytes: Buffer): ArchiveEntry {
  const { mode, size, name } = member;
  if (name.endsWith('/')) return { name, path, kind: 'directory', mode: mode || 0o755, size: 0 };
  const data = unpack(member, bytes);
  const base = { name, path, mode: mode || 0o644, size };
  if (member.type === 0o120000) return { ...base, kind: 'link', target: data.toString('utf8') };
  return { ...base, kind: 'file', ...contentOf(data) };
}

function unpack({ offset, packed, method, size }: Member, bytes: Buffer): Buffer {
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== 0x04034b50)
    throw new ArchiveError('a broken zip entry');
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  const data = bytes.subarray(start, start + packed);
  if (method === 0) return data;
  if (method !== 8) throw new ArchiveError(`zip compression method ${method}`);
  return inflated(data, size);
}

/** `size` bytes as the directory says, and no more. */
function inflated(data: Buffer, size: number): Buffer {
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(size, 1) });
  } catch (error) {
    throw new ArchiveError(`a zip entry cannot be unpacked: ${(error as Error).message}`);
  }
}
