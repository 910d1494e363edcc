import type { Answer, FactKey } from '../core/facts.ts';
import { families } from './families.ts';
import type { FileFact } from './file.ts';
import { factOf } from './file-effects.ts';
import { inodeMark } from './link-effects.ts';

/** One answer with its key. `asserted`: a step of this run made it so; a package install does not make it doubtful. */
export interface Entry {
  key: FactKey;
  answer: Answer;
  asserted: boolean;
  /** Number of the identity that sees it. */
  view: number;
}

/** The path that a fact is about; undefined: it is about no single file. */
export function pathOf({ family, id }: FactKey): string | undefined {
  return families.get(family)?.path?.(id);
}

/**
 * What an effect finds an answer by, besides its key: its kind, a letter, and the value.
 * `s` a step or a doubt touched it; `a` absent, and by no step of this run; `e` steps may have changed it unseen;
 * files: `r PATH` its real path, where that is another than it was asked by; `o PATH` paths at, above and below this one
 * may really be elsewhere; `g PATH` a directory above it that is missing; `i INODE`; `b PATH` the dangling link above it
 * leads there; `n NAME` its owner or group, but for root.
 */
export function marksOf({ key, answer, asserted }: Entry): string[] {
  const marks = asserted || answer.state === 'unknown' ? ['s'] : [];
  const family = families.get(key.family);
  if (!asserted && answer.state === 'known' && family?.absent?.(answer.value)) marks.push('a');
  if (family?.refreshed) marks.push('e');
  const fact = key.family === 'file' ? factOf(answer) : undefined;
  return fact ? [...marks, ...fileMarks(key.id, fact)] : marks;
}

function fileMarks(path: string, fact: FileFact): string[] {
  const aliased = fact.canonical !== path;
  const marks = aliased ? [`r${fact.canonical}`] : [];
  if (!fact.exists) {
    const missing = directoriesAbove(path).slice(0, fact.missing - 1);
    marks.push(...missing.map((directory) => `g${directory}`));
    if (fact.behind) marks.push(`b${fact.behind.target}`);
    return aliased ? [...marks, `o${missing.at(-1) ?? path}`] : marks;
  }
  if (aliased || fact.kind === 'link') marks.push(`o${path}`);
  if (fact.inode !== undefined && fact.nlink !== 1) marks.push(inodeMark(fact));
  for (const name of new Set([fact.owner, fact.group])) if (name && name !== 'root') marks.push(`n${name}`);
  return marks;
}

/** The directory that a path names; of `/` there is none: ''. */
function above(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Every directory above a path, the nearest first, `/` last. */
export function directoriesAbove(path: string): string[] {
  const found: string[] = [];
  for (let at = above(path); at !== ''; at = above(at)) found.push(at);
  return path === '/' ? found : [...found, '/'];
}
