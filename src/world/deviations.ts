import { utf8 } from '../core/bytes.ts';
import type { Effect } from '../core/effects.ts';
import type { Answer, Draft, FactFamily, FactKey } from '../core/facts.ts';
import { resolveMode } from '../core/mode.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import { deviationTests } from './deviation-tests.ts';
import { type FileFact, normal } from './file.ts';
import { canonicalOf } from './file-effects.ts';
import { readKnown } from './read.ts';

/** Entries beyond this many are counted no more. */
export const deviationLimit = 1000;

/** What everything below a directory shall have. */
export interface Uniform {
  mode?: number | string | undefined;
  owner?: string | undefined;
  group?: string | undefined;
}

export interface DeviationsFact {
  entries: Deviation[];
  /** There are more than are listed. */
  more: boolean;
}

export interface Deviation {
  path: string;
  kind: 'file' | 'directory' | 'link' | 'other';
  mode: number;
  uid: number;
  gid: number;
  owner: string;
  group: string;
}

/** Entries below a directory (not itself, links not followed) that are not as wanted. */
export function deviations(world: WorldView, path: string, wanted: Uniform): DeviationsFact {
  return readKnown<DeviationsFact>(world, 'deviations', idOf(path, wanted));
}

export function deviationsKey(path: string, wanted: Uniform): FactKey {
  return { family: 'deviations', id: idOf(path, wanted) };
}

export const deviationsFamily: FactFamily<DeviationsFact> = {
  name: 'deviations',
  guarded: false,
  path: (id) => partsOf(id).path,
  library: () => functions,
  script: (keys) => keys.map(call).join('\n'),
  parse,
  reduce,
};

/** Whether an entry is not as wanted; the mode of a link does not count. */
export function deviates(entry: Omit<Deviation, 'path'>, wanted: Uniform): boolean {
  if (wanted.owner !== undefined && !isCalled(wanted.owner, entry.owner, entry.uid)) return true;
  if (wanted.group !== undefined && !isCalled(wanted.group, entry.group, entry.gid)) return true;
  if (wanted.mode === undefined || entry.kind === 'link') return false;
  return resolveMode(wanted.mode, { current: entry.mode, directory: entry.kind === 'directory' }) !== entry.mode;
}

function isCalled(wanted: string, name: string, id: number): boolean {
  return /^\d+$/.test(wanted) ? Number(wanted) === id : wanted === name;
}

/** The wanted values are part of the id: `owner=root mode=0644 /path`. Numbers as modes are octal there. */
function idOf(path: string, { owner, group, mode }: Uniform): string {
  const text = typeof mode === 'number' ? mode.toString(8).padStart(4, '0') : mode;
  const wanted = Object.entries({ owner, group, mode: text }).filter(([, value]) => value !== undefined);
  return [...wanted.map(([name, value]) => `${name}=${value}`), normal(path)].join(' ');
}

function partsOf(id: string): { path: string; wanted: Uniform } {
  const at = id.startsWith('/') ? 0 : id.indexOf(' /') + 1;
  const pairs = id
    .slice(0, at)
    .trim()
    .split(' ')
    .filter((pair) => pair !== '');
  return { path: id.slice(at), wanted: Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2))) };
}

/** Records: nothing (no directory), or `d` and lines `eMODE|UID|GID|USER|GROUP|NAME`. */
const functions = `kf_deviations() {
  kf_p=$1; shift
  if [ -d "$kf_p/" ]; then
    printf 'd\\n'
    find "$kf_p/." '(' "$@" ')' -exec stat -c 'e%f|%u|%g|%U|%G|%n' -- {} + 2>/dev/null | head -n ${deviationLimit + 1}
  fi
  kp_sep
}`;

function call(key: FactKey): string {
  const { path, wanted } = partsOf(key.id);
  const tests = deviationTests(wanted).join(' -o ') || "! -name '*'";
  return `kf_deviations ${quote(path === '/' ? '' : path)} ${tests}`;
}

/** `find` tests are coarser than the rules where a mode copies bits (`g=u`), so each entry is judged again. */
function parse(record: string, key: FactKey): Answer<DeviationsFact> {
  const { path, wanted } = partsOf(key.id);
  const lines = utf8(record).split('\n').slice(1);
  const entries = lines.flatMap((line) => entryOf(line, path === '/' ? '/./' : `${path}/./`, path));
  const value = {
    entries: entries.filter((entry) => deviates(entry, wanted)).slice(0, deviationLimit),
    more: entries.length > deviationLimit,
  };
  return { state: 'known', raw: record, value };
}

function entryOf(line: string, prefix: string, root: string): Deviation[] {
  const found = /^e([0-9a-f]+)\|(\d+)\|(\d+)\|([^|]*)\|([^|]*)\|(.+)$/.exec(line);
  const [, raw, uid, gid, owner, group, name] = found ?? [];
  if (!name?.startsWith(prefix)) return [];
  const bits = Number.parseInt(raw!, 16);
  const path = `${root === '/' ? '' : root}/${name.slice(prefix.length)}`;
  const kind = kinds[bits >> 12] ?? 'other';
  return [{ path, kind, mode: bits & 0o7777, uid: Number(uid), gid: Number(gid), owner: owner!, group: group! }];
}

const kinds: Record<number, Deviation['kind']> = { 4: 'directory', 8: 'file', 10: 'link' };

function reduce(effect: Effect, draft: Draft): void {
  if (effect.type !== 'file.put' && effect.type !== 'file.remove' && effect.type !== 'file.unknown') return;
  const real = canonicalOf(effect.path, draft);
  draft.around('deviations', real, (id, answer, set) => {
    if (answer.state !== 'known') return;
    const { path, wanted } = partsOf(id);
    const root = canonicalOf(path, draft);
    if (effect.type === 'file.put' ? !isBelow(real, root) : !isBelow(real, root) && !isBelow(`${root}/`, `${real}`))
      return;
    set(folded(answer.value as DeviationsFact, wanted, effect, { path, root, real }, draft));
  });
}

interface Place {
  path: string;
  root: string;
  real: string;
}

function folded(
  fact: DeviationsFact,
  wanted: Uniform,
  effect: Effect,
  at: Place,
  draft: Draft,
): Answer<DeviationsFact> {
  if (effect.type === 'file.unknown') return { state: 'unknown', why: effect.why };
  const known = (value: DeviationsFact) => ({ state: 'known', raw: '', value }) as const;
  if (!isBelow(at.real, at.root)) return known({ entries: [], more: false });
  const name = at.path + at.real.slice(at.root.length);
  const rest = fact.entries.filter(
    ({ path }) => path !== name && !(effect.type === 'file.remove' && isBelow(path, name)),
  );
  if (effect.type !== 'file.put') return known({ ...fact, entries: rest });
  const after = predicted(effect.path, draft);
  if (!after) return { state: 'unknown', why: `${effect.path} changed` };
  return known({ ...fact, entries: deviates(after, wanted) ? [...rest, { path: name, ...after }] : rest });
}

/** The file as the file family now predicts it; undefined: not in every respect. */
function predicted(path: string, draft: Draft): Omit<Deviation, 'path'> | undefined {
  const answer = draft.get('file', normal(path));
  const fact = answer?.state === 'known' ? (answer.value as FileFact) : undefined;
  if (!fact?.exists) return undefined;
  const { mode, uid, gid, owner, group } = fact;
  if (mode === undefined || owner === undefined || group === undefined) return undefined;
  const kind = fact.kind === 'file' || fact.kind === 'directory' || fact.kind === 'link' ? fact.kind : 'other';
  return { kind, mode, owner, group, uid: uid ?? -1, gid: gid ?? -1 };
}

function isBelow(path: string, directory: string): boolean {
  return path.startsWith(directory === '/' ? '/' : `${directory}/`);
}
