import type { WorldView } from '../../core/module.ts';
import { type FileFact, file } from '../../world/file.ts';
import type { ArchiveEntry } from './archive/entry.ts';
import { modeBits } from './attributes.ts';
import type { Located } from './links.ts';
import { join } from './paths.ts';
import { type Owners, ownersAfter } from './unarchive-owners.ts';
import type { UnarchiveParams } from './unarchive-params.ts';

/** Where an entry goes, and what stands there. */
export interface Place {
  entry: ArchiveEntry;
  path: string;
  fact: FileFact;
  /** Who owns it once it is unpacked. */
  owners: Owners;
}

export function placeOf(
  entry: ArchiveEntry,
  dest: Located,
  given: UnarchiveParams,
  root: boolean,
  world: WorldView,
): Place {
  const path = entry.path === '' ? dest.path : join(dest.path, entry.path);
  return { entry, path, fact: file(world, path), owners: ownersAfter(entry, given, root, world) };
}

/** Undefined: left to the umask, or to the file it is a second name of. */
export function modeOf(entry: ArchiveEntry, given: UnarchiveParams, root: boolean): { mode?: number } {
  if (entry.kind === 'link') return { mode: 0o777 };
  if (given.mode !== undefined)
    return { mode: modeBits(given.mode, { current: entry.mode, directory: entry.kind === 'directory' }) };
  return root && entry.kind !== 'hard' ? { mode: entry.mode } : {};
}
