import { isAbsolute, join } from 'node:path';
import { LabError } from './errors.ts';

/** Bases and labs live here, outside the checkout; KPUSH_LAB_CACHE (an absolute path) moves it. */
export function cacheRoot(): string {
  const root = process.env.KPUSH_LAB_CACHE || '/var/cache/kpush-lab';
  // overlayfs splits its options at these characters, nspawn its --bind at colons.
  if (!isAbsolute(root) || /[\s:,"'\\]/.test(root))
    throw new LabError(`KPUSH_LAB_CACHE must be an absolute path without blanks, quotes, colons and commas: ${root}`);
  return root;
}

export const labsDir = () => join(cacheRoot(), 'labs');
export const labDir = (id: string) => join(labsDir(), id);
export const basesDir = () => join(cacheRoot(), 'bases');

/** What is allocated once per machine, whatever the cache: lab ids and address blocks. */
export const runDir = '/run/kpush-lab';
