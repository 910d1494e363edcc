import { utf8 } from '../core/bytes.ts';
import type { Effect } from '../core/effects.ts';
import type { Answer, Draft, FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import { deviationTests } from './deviation-tests.ts';
import type { Uniform } from './deviations.ts';
import { canonicalOf } from './file-effects.ts';
import { unarchivedLibrary } from './unarchived-test.ts';

/** An archive of the host and where it shall be unpacked. */
export interface UnarchiveQuery {
  src: string;
  dest: string;
  /** Options of tar, as given by the task. */
  options: readonly string[];
  exclude: readonly string[];
  include: readonly string[];
  /** What everything in it shall have; of these, what the archive says does not count. */
  wanted: Uniform;
}

/**
 * `same`: everything in it stands in the destination; `attributes`: so it does, but not with the wanted ones; `untold`:
 * the host has no tool that can compare; `damaged`: it ends in the middle.
 */
export interface UnarchivedFact {
  state: 'same' | 'attributes' | 'differs' | 'untold' | 'no-archive' | 'damaged';
  /** Names in the archive, where they could be listed. */
  names: string[];
}

/** Undefined: known after an earlier task. */
export function unarchived(world: WorldView, query: UnarchiveQuery): UnarchivedFact | undefined {
  const answer = world.read('unarchived', unarchivedKey(query).id);
  return answer.state === 'known' ? (answer.value as UnarchivedFact) : undefined;
}

export function unarchivedKey({ src, dest, options, exclude, include, wanted }: UnarchiveQuery): FactKey {
  return { family: 'unarchived', id: JSON.stringify([src, dest, options, exclude, include, wanted]) };
}

export const unarchivedFamily: FactFamily<UnarchivedFact> = {
  name: 'unarchived',
  guarded: false,
  library: () => unarchivedLibrary,
  script: (keys) => keys.map((key) => `${unarchivedCall(queryOf(key.id))}; kp_sep`).join('\n'),
  parse,
  absent: (fact) => fact.state === 'no-archive',
  reduce,
};

/** Shell text that prints the verdict's letter and the names in the archive, a line each. */
export function unarchivedCall({ src, dest, options, exclude, include, wanted }: UnarchiveQuery): string {
  const list = (words: readonly string[]) => quote(words.map(quote).join(' '));
  const drop = Object.entries({ mode: 'Mode', owner: 'Uid', group: 'Gid' }).flatMap(([name, word]) =>
    wanted[name as 'mode'] === undefined ? [] : [word],
  );
  const tar = [...options, ...exclude.map((pattern) => `--exclude=${pattern}`)];
  const words = [quote(src), quote(dest), quote(drop.join('|')), list(tar), list(include), list(exclude)];
  return `kf_unarchived ${words.join(' ')} ${quote(deviationTests(wanted).join(' -o '))}`;
}

const states: Record<string, UnarchivedFact['state']> = {
  '=': 'same',
  '~': 'attributes',
  '!': 'differs',
  '?': 'untold',
  a: 'no-archive',
  x: 'damaged',
};

function parse(record: string, key: FactKey): Answer<UnarchivedFact> {
  const [verdict, ...names] = utf8(record).split('\n');
  if (verdict === 'd') return { state: 'denied', raw: record, path: queryOf(key.id).src };
  const state = states[verdict!];
  if (!state) throw new Error(`unreadable verdict on ${key.id}: ${record.slice(0, 80)}`);
  return { state: 'known', raw: verdict!, value: { state, names: names.filter((name) => name !== '') } };
}

function queryOf(id: string): UnarchiveQuery {
  const [src, dest, options, exclude, include, wanted] = JSON.parse(id);
  return { src, dest, options, exclude, include, wanted };
}

/** What is written into the archive's place or the destination may make it differ. */
function reduce(effect: Effect, draft: Draft): void {
  if (effect.type !== 'file.put' && effect.type !== 'file.remove' && effect.type !== 'file.unknown') return;
  const real = canonicalOf(effect.path, draft);
  draft.each('unarchived', (id, _answer, set) => {
    const { src, dest } = queryOf(id);
    const [archive, root] = [canonicalOf(src, draft), canonicalOf(dest, draft)];
    const touches = [archive, root].some((path) => path === real || path.startsWith(`${real}/`));
    if (touches || real.startsWith(root === '/' ? '/' : `${root}/`))
      set({ state: 'unknown', why: `${effect.path} changed` });
  });
}
