import { utf8 } from '../core/bytes.ts';
import type { Effect } from '../core/effects.ts';
import type { Answer, Draft, FactFamily, FactKey, Wants } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import { normal } from './file.ts';
import { canonicalOf } from './file-effects.ts';
import { readKnown } from './read.ts';
import { foldTree } from './tree-effects.ts';

/** Entries beyond this many are not listed. */
export const treeLimit = 1000;

/** What stands below a directory, links not followed. */
export interface TreeFact {
  /** No directory at all: no entries. */
  exists: boolean;
  entries: TreeEntry[];
  /** There are more than are listed. */
  more: boolean;
}

export interface TreeEntry {
  /** Relative to the directory. */
  path: string;
  kind: 'file' | 'directory' | 'link' | 'other';
  mode: number;
  size: number;
  /** Regular files, when hashes were asked for. */
  sha256?: string;
}

export function tree(world: WorldView, path: string, wants?: { hashes: true }): TreeFact {
  return readKnown<TreeFact>(world, 'tree', normal(path), wants as Wants | undefined);
}

export function treeKey(path: string, wants?: { hashes: true }): FactKey {
  return { family: 'tree', id: normal(path), ...(wants ? { wants: wants as Wants } : {}) };
}

export const treeFamily: FactFamily<TreeFact> = {
  name: 'tree',
  guarded: false,
  path: (id) => id,
  library: () => functions,
  script: (keys) => keys.map(call).join('\n'),
  parse,
  satisfies: (answer, wants) => !wants?.hashes || answer.state !== 'known' || hashed(answer.value),
  absent: (value) => !value.exists,
  reduce,
};

/**
 * Records: empty (no directory), or lines `f MODE|SIZE|NAME`, then, where asked for, lines of sha256sum. `find` starts
 * at `DIR/.` so that a link to a directory is entered, and all names but its own begin with the same prefix.
 */
const functions = `kf_tree() {
  if [ -d "$1/" ] && [ -r "$1/" ] && [ -x "$1/" ]; then
    printf 'd\\n'
    find "$1/." -exec stat -c 'e%f|%s|%n' -- {} + 2>/dev/null | head -n ${treeLimit + 2}
    [ -z "$2" ] || find "$1/." -type f -exec sha256sum -- {} + 2>/dev/null | head -n ${treeLimit + 2}
  elif [ -d "$1/" ]; then printf 'x\\n'
  fi
  kp_sep
}`;

function call(key: FactKey): string {
  return `kf_tree ${quote(key.id === '/' ? '' : key.id)} ${key.wants?.hashes ? 'y' : "''"}`;
}

function parse(record: string, key: FactKey): Answer<TreeFact> {
  if (record.startsWith('x')) return { state: 'denied', raw: record, path: key.id };
  if (!record.startsWith('d'))
    return { state: 'known', raw: record, value: { exists: false, entries: [], more: false } };
  const prefix = key.id === '/' ? '/./' : `${key.id}/./`;
  const lines = utf8(record).split('\n').slice(1);
  const entries = lines.flatMap((line) => entryOf(line, prefix));
  const hashes = new Map(lines.flatMap((line) => hashOf(line, prefix)));
  const value = {
    exists: true,
    entries: entries.slice(0, treeLimit).map((entry) => ({ ...entry, ...sumOf(hashes, entry.path) })),
    more: entries.length > treeLimit,
  };
  return { state: 'known', raw: record, value };
}

/** A name with a line break makes lines that match nothing; its first line is kept. */
function entryOf(line: string, prefix: string): TreeEntry[] {
  const found = /^e([0-9a-f]+)\|(\d+)\|(.+)$/.exec(line);
  const [, raw, size, name] = found ?? [];
  if (!name?.startsWith(prefix)) return [];
  const bits = Number.parseInt(raw!, 16);
  const kind = kinds[bits >> 12] ?? 'other';
  return [{ path: name.slice(prefix.length), kind, mode: bits & 0o7777, size: Number(size) }];
}

const kinds: Record<number, TreeEntry['kind']> = { 4: 'directory', 8: 'file', 10: 'link' };

/** sha256sum marks names with a backslash or line break by a leading backslash and escapes them. */
function hashOf(line: string, prefix: string): [string, string][] {
  const found = /^(\\?)([0-9a-f]{64}) [ *](.+)$/.exec(line);
  if (!found) return [];
  const name = found[1] ? found[3]!.replace(/\\([\\n])/g, (_all, char) => (char === 'n' ? '\n' : '\\')) : found[3]!;
  return name.startsWith(prefix) ? [[name.slice(prefix.length), found[2]!]] : [];
}

function sumOf(hashes: Map<string, string>, path: string): { sha256?: string } {
  const sha256 = hashes.get(path);
  return sha256 === undefined ? {} : { sha256 };
}

function hashed(fact: TreeFact): boolean {
  return fact.entries.every((entry) => entry.kind !== 'file' || entry.sha256 !== undefined);
}

function reduce(effect: Effect, draft: Draft): void {
  if (effect.type !== 'file.put' && effect.type !== 'file.remove' && effect.type !== 'file.unknown') return;
  const real = canonicalOf(effect.path, draft);
  draft.around('tree', real, (id, answer, set) => {
    if (answer.state !== 'known') return;
    const next = foldTree(canonicalOf(id, draft), answer.value as TreeFact, effect, real);
    if (next)
      set(typeof next === 'string' ? { state: 'unknown', why: next } : { state: 'known', raw: '', value: next });
  });
}
