import { wildcards } from '../../core/wildcards.ts';
import type { ArchiveEntry } from './archive/entry.ts';
import type { Archive } from './archive/read.ts';
import type { UnarchiveParams } from './unarchive-params.ts';

/** The entries that will be unpacked, where they will be: include, exclude and --strip-components taken in. */
export function selected({ entries }: Archive, given: UnarchiveParams): ArchiveEntry[] {
  const strip = Number(given.extra_opts.at(-1)?.split('=')[1] ?? 0);
  return entries
    .filter(
      ({ path }) => given.include.length === 0 || given.include.some((name) => isAt(path, name.replace(/\/+$/, ''))),
    )
    .filter(({ path }) => !given.exclude.some((pattern) => isExcluded(path, pattern)))
    .flatMap((entry) => stripped(entry, strip));
}

function isAt(path: string, name: string): boolean {
  return path === name.replace(/^(\.\/)+/, '') || path.startsWith(`${name.replace(/^(\.\/)+/, '')}/`);
}

/** GNU tar's exclusion: a pattern fits from any name of the path on, `*` crosses slashes, what is below goes too. */
function isExcluded(path: string, pattern: string): boolean {
  const fits = wildcards(pattern.replace(/\/+$/, ''), { classes: '!^' });
  const names = path.split('/');
  return names.some((_, end) =>
    names.some((_name, start) => start <= end && fits.test(names.slice(start, end + 1).join('/'))),
  );
}

function stripped(entry: ArchiveEntry, count: number): ArchiveEntry[] {
  if (count === 0) return [entry];
  const names = entry.path.split('/');
  return names.length > count ? [{ ...entry, path: names.slice(count).join('/') }] : [];
}
