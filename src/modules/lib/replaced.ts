import type { Effect, FilePut } from '../../core/effects.ts';

/** A file that takes the place of whatever was there: nothing of the old one, its inode least of all, is still so. */
export function replaced(path: string, set: Pick<FilePut, 'mode' | 'owner' | 'sha256' | 'size'>): Effect[] {
  return [
    { type: 'file.remove', path },
    { type: 'file.put', path, kind: 'file', ...set },
  ];
}
