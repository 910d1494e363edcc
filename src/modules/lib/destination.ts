import type { FactKey } from '../../core/facts.ts';
import type { WorldView } from '../../core/module.ts';
import { TaskFailure } from '../../core/result.ts';
import { type ContentWants, contentKey } from '../../world/content.ts';
import { fileKey } from '../../world/file.ts';
import { followed, type Located, located } from './links.ts';
import { basename, join } from './paths.ts';

/** Where a single file goes: `name` is added when the destination is a directory, or ends with a slash. */
export interface Destination extends Located {
  /** Directories to be made first (a trailing slash asks for that), topmost first. */
  missing: boolean;
}

export interface DestinationOptions {
  /** Name taken below a directory; absent: a directory is an error (copy with content). */
  name?: string | undefined;
  follow: boolean;
}

export function destination(world: WorldView, dest: string, options: DestinationOptions): Destination {
  if (dest.endsWith('/')) return inDirectory(world, dest, options);
  const target = followed(world, dest);
  if (target.fact.exists && target.fact.kind === 'directory') return inDirectory(world, dest, options);
  return { ...(options.follow ? target : located(world, dest, false)), missing: false };
}

/**
 * Questions a single file's destination raises: the directory is guessed when the names are not alike. Without `wants`
 * what is there is not read.
 */
export function destinationKeys(dest: string, name: string | undefined, wants: ContentWants | undefined): FactKey[] {
  const both = (path: string) => [fileKey(path), ...(wants ? [contentKey(path, wants)] : [])];
  if (name === undefined) return both(dest);
  if (dest.endsWith('/')) return [fileKey(dest), ...both(join(dest, name))];
  return basename(dest) === name ? both(dest) : [...both(dest), ...both(join(dest, name))];
}

function inDirectory(world: WorldView, dest: string, options: DestinationOptions): Destination {
  if (options.name === undefined) throw new TaskFailure('can not use content with a dir as dest');
  const path = join(dest, options.name);
  const below = located(world, path, options.follow);
  const missing = !below.fact.exists && below.fact.parent === 'missing' && dest.endsWith('/');
  return { ...below, missing };
}
