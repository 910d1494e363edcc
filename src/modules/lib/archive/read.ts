import { gunzipSync } from 'node:zlib';
import type { ControllerFile } from '../../../core/module.ts';
import { type ArchiveEntry, ArchiveError } from './entry.ts';
import { readTar } from './tar.ts';
import { readZip } from './zip.ts';

export type Archive = { kind: 'tar' | 'zip'; entries: ArchiveEntry[] };

/** Larger archives, and ones that hold more, are left to the host. */
const limits = { packed: 64 * 1024 * 1024, unpacked: 512 * 1024 * 1024, entries: 300 };

/** The few archives of a run are read once: the same bytes always give the same entries. */
const known = new Map<string, Archive | undefined>();
const remembered = 8;

/** What an archive on the controller holds; undefined: only the host's tools can tell (xz, zstd, bzip2, or too big). */
export function readArchive(file: ControllerFile): Archive | undefined {
  if (file.size > limits.packed) return undefined;
  const name = file.sha256();
  if (!known.has(name)) {
    if (known.size >= remembered) known.delete(known.keys().next().value!);
    known.set(name, archiveOf(file.bytes()));
  }
  return known.get(name);
}

function archiveOf(bytes: Buffer): Archive | undefined {
  if (bytes.subarray(0, 2).toString('latin1') === 'PK')
    return limited({ kind: 'zip', entries: readZip(bytes, limits) });
  const packed = compression(bytes);
  if (packed === 'other') return undefined;
  const tar = packed === 'gzip' ? gunzipped(bytes) : bytes;
  return tar && limited({ kind: 'tar', entries: readTar(tar, limits.entries) });
}

function limited(archive: Archive): Archive | undefined {
  return archive.entries.length > limits.entries ? undefined : archive;
}

/** Undefined: too much to hold. */
function gunzipped(bytes: Buffer): Buffer | undefined {
  try {
    return gunzipSync(bytes, { maxOutputLength: limits.unpacked });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw new ArchiveError(`gzip: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** xz, zstd and bzip2 by their first bytes. */
function compression(bytes: Buffer): 'none' | 'gzip' | 'other' {
  const head = bytes.subarray(0, 6).toString('hex');
  if (head.startsWith('1f8b')) return 'gzip';
  return /^(fd377a585a00|28b52ffd|425a68|5d0000)/.test(head) ? 'other' : 'none';
}
