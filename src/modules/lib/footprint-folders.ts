import type { Footprint } from '../../world/footprint.ts';
import { dirname } from './paths.ts';

/** What becomes of folders that go once nothing is left in them, the deepest first. */
export interface FolderFate {
  go: string[];
  /** What is in them may be of packages that go as well: it is seen then. */
  mayGo: string[];
  stay: { path: string; why: string }[];
}

/** `kept`: files and trees that are there afterwards. `purges`: packages go before, and take what is theirs along. */
export function folderFate(found: Footprint, kept: readonly string[], purges: boolean): FolderFate {
  const fate: FolderFate = { go: [], mayGo: [], stay: [] };
  const left = new Map([...found.others, ...kept, ...found.mounts].map((path) => [dirname(path), path]));
  for (const path of [...found.folders].sort(deepestFirst)) {
    const [isMount, inside] = [found.mounts.includes(path), left.get(path)];
    if (found.was.folders.includes(path)) left.set(dirname(path), path);
    else if (isMount) fate.stay.push({ path, why: 'something is mounted on it' });
    else if (inside === undefined) fate.go.push(path);
    else {
      left.set(dirname(path), path);
      if (purges) fate.mayGo.push(path);
      else fate.stay.push({ path, why: `${inside} is in it` });
    }
  }
  return fate;
}

export function deepestFirst(a: string, b: string): number {
  return b.split('/').length - a.split('/').length;
}
