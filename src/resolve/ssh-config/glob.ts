import { dirname, join } from 'node:path';
import { wildcards } from '../../core/wildcards.ts';
import type { SourceFiles } from '../../load/files.ts';

/** Files that a pattern of glob(7) names, in order of name: `*`, `?`, `[a-z]`, `[!a]`; hidden ones only by name. */
export function globFiles(pattern: string, files: Pick<SourceFiles, 'kind' | 'list'>): string[] {
  return expand(pattern, files).filter((path) => files.kind(path) === 'file');
}

function expand(pattern: string, files: Pick<SourceFiles, 'kind' | 'list'>): string[] {
  if (!/[*?[]/.test(pattern)) return files.kind(pattern) ? [pattern] : [];
  const folder = dirname(pattern);
  const name = pattern.slice(folder === '/' ? 1 : folder.length + 1);
  const matches = wildcards(name, { classes: '!' });
  const folders = expand(folder, files).filter((path) => files.kind(path) === 'directory');
  return folders.flatMap((path) =>
    files
      .list(path)
      .filter((each) => matches.test(each) && (!each.startsWith('.') || name.startsWith('.')))
      .map((each) => join(path, each)),
  );
}
