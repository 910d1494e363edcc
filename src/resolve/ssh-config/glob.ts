import { dirname, join } from 'node:path';
import type { SourceFiles } from '../../load/files.ts';

/** Files that a pattern of glob(7) names, in order of name: `*`, `?`, `[a-z]`, `[!a]`; hidden ones only by name. */
export function globFiles(pattern: string, files: Pick<SourceFiles, 'kind' | 'list'>): string[] {
  return expand(pattern, files).filter((path) => files.kind(path) === 'file');
}

function expand(pattern: string, files: Pick<SourceFiles, 'kind' | 'list'>): string[] {
  if (!/[*?[]/.test(pattern)) return files.kind(pattern) ? [pattern] : [];
  const folder = dirname(pattern);
  const name = pattern.slice(folder === '/' ? 1 : folder.length + 1);
  const matches = segment(name);
  const folders = expand(folder, files).filter((path) => files.kind(path) === 'directory');
  return folders.flatMap((path) =>
    files
      .list(path)
      .filter((each) => matches.test(each) && (!each.startsWith('.') || name.startsWith('.')))
      .map((each) => join(path, each)),
  );
}

function segment(name: string): RegExp {
  const source = name.replace(
    /\[(!?)(\]?[^\]]*)\]|[\s\S]/g,
    (char, not: string | undefined, set: string | undefined) => {
      if (set) return `[${not ? '^' : ''}${set.replace(/[\\\]^[]/g, '\\$&')}]`;
      if (char === '*') return '.*';
      return char === '?' ? '.' : char.replace(/[\\^$.+()[\]{}|]/, '\\$&');
    },
  );
  return new RegExp(`^${source}$`, 's');
}
