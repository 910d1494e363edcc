import { type Wildcards, wildcards } from '../core/wildcards.ts';

/** A shell pattern as Python's fnmatch reads it: `*`, `?`, `[seq]`, `[!seq]`; the whole name must match. */
export function glob(pattern: string): Wildcards {
  return wildcards(pattern, { classes: '!' });
}

export function isGlob(text: string): boolean {
  return /[*?[]/.test(text);
}
