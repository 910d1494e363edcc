import { createHash } from 'node:crypto';
import { ArchiveError } from '../../../src/modules/lib/archive/entry.ts';
import { readArchive } from '../../../src/modules/lib/archive/read.ts';
import { shape } from './target.ts';

/** What unarchive reads of an archive; nothing in it leads out of the destination. */
export function readThem(bytes: Buffer): string {
  const sha256 = () => createHash('sha256').update(bytes).digest('hex');
  try {
    const read = readArchive({ path: '/a', size: bytes.length, mode: 0o644, sha256, bytes: () => bytes } as never);
    if (!read) return 'left to the host';
    for (const { path, kind, target, size } of read.entries) {
      for (const name of kind === 'hard' ? [path, target ?? ''] : [path])
        if (name.startsWith('/') || name.split('/').includes('..')) throw new Error(`it leads out: ${name}`);
      if (!Number.isSafeInteger(size) || size < 0) throw new Error(`a size of ${size}`);
    }
    return `${read.kind} ${Math.min(9, read.entries.length)} ${[...new Set(read.entries.map(({ kind }) => kind))].sort()}`;
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    return shape(error.message);
  }
}
