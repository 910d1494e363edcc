import { utf8 } from '../core/bytes.ts';
import type { Effect } from '../core/effects.ts';
import type { Answer, Draft, FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import { epoch, type FileKind, fileKinds, normal } from './file.ts';
import { canonicalOf } from './file-effects.ts';
import { readKnown } from './read.ts';

/** Matches beyond this many are not listed. */
export const listingLimit = 4000;

/** What to list below a directory. */
export interface ListingQuery {
  /** Levels below it; 1: its own entries. Absent: all. */
  depth?: number | undefined;
  /** How deep to count what was looked at, when not `depth`. */
  counted?: number | undefined;
  kind?: 'file' | 'directory' | 'link' | undefined;
  /** Shell patterns of names, one of which must fit. Absent: all. */
  names?: readonly string[] | undefined;
  follow?: boolean | undefined;
}

export interface ListingFact {
  /** Whether the path is a directory at all. */
  directory: boolean;
  /** How many entries there are, fitting or not. */
  examined: number;
  entries: ListedFile[];
  more: boolean;
}

/** As `stat` tells; times in seconds since the epoch with nine decimals. */
export interface ListedFile {
  /** Relative to the directory. */
  path: string;
  kind: FileKind;
  mode: number;
  uid: number;
  gid: number;
  owner: string;
  group: string;
  size: number;
  nlink: number;
  dev: number;
  inode: number;
  atime: string;
  mtime: string;
  ctime: string;
}

export function listing(world: WorldView, path: string, query: ListingQuery): ListingFact {
  return readKnown<ListingFact>(world, 'listing', listingKey(path, query).id);
}

export function listingKey(path: string, { depth, counted, kind, names, follow }: ListingQuery): FactKey {
  const words = [
    ...(depth === undefined ? [] : [`depth=${depth}`]),
    ...(counted === undefined ? [] : [`counted=${counted}`]),
    ...(kind === undefined ? [] : [`kind=${kind}`]),
    ...(follow ? ['follow=yes'] : []),
    ...(names ?? []).map((name) => `name=${encodeURIComponent(name)}`),
  ];
  return { family: 'listing', id: [...words, normal(path)].join(' ') };
}

export const listingFamily: FactFamily<ListingFact> = {
  name: 'listing',
  guarded: false,
  path: (id) => partsOf(id).path,
  library: () => functions,
  script: (keys) => keys.map(call).join('\n'),
  parse,
  absent: (value) => !value.directory,
  reduce,
};

/**
 * Records: `x` (no directory), `d`, or `=` and the number of all entries on a line and then the fitting ones, each
 * `eMODE|UID|GID|USER|GROUP|SIZE|LINKS|DEV|INODE|ATIME|MTIME|CTIME|NAME`. `-maxdepth` is not POSIX's, but every find
 * of a Linux system has it.
 */
const functions = `kf_listing() {
  kf_p=$1 kf_h=$2 kf_l=$3 kf_n=$4; shift 4
  if [ ! -d "$kf_p/" ]; then printf x
  elif [ ! -r "$kf_p/" ] || [ ! -x "$kf_p/" ]; then printf d
  else
    kf_o=$(find $kf_l "$kf_p/." $kf_n 2>/dev/null | wc -l); printf '=%s\\n' $((kf_o-1))
    TZ=UTC0 find $kf_l "$kf_p/." $kf_h "$@" -exec stat $kf_l -c 'e%f|%u|%g|%U|%G|%s|%h|%d|%i|%x|%y|%z|%n' -- {} + 2>/dev/null | head -n ${listingLimit + 2}
  fi
  kp_sep
}`;

function call(key: FactKey): string {
  const { path, query } = partsOf(key.id);
  const [depth, counted] = [deepest(query.depth), deepest(query.counted ?? query.depth)];
  const tests: string[] = [];
  if (query.kind) tests.push('-type', { file: 'f', directory: 'd', link: 'l' }[query.kind]);
  if (query.names) tests.push("'('", query.names.map((name) => `-name ${quote(name)}`).join(' -o '), "')'");
  return `kf_listing ${quote(path === '/' ? '' : path)} ${depth} ${query.follow ? '-L' : "''"} ${counted} ${tests.join(' ')}`;
}

function deepest(depth: number | undefined): string {
  return depth === undefined ? "''" : `'-maxdepth ${depth}'`;
}

function partsOf(id: string): { path: string; query: ListingQuery } {
  const at = id.startsWith('/') ? 0 : id.indexOf(' /') + 1;
  const words = id
    .slice(0, at)
    .split(' ')
    .map((word) => word.split('='));
  const value = (name: string) => words.find(([word]) => word === name)?.[1];
  const names = words.filter(([word]) => word === 'name').map(([, text]) => decodeURIComponent(text!));
  const [depth, counted] = [value('depth'), value('counted')];
  return {
    path: id.slice(at),
    query: {
      depth: depth === undefined ? undefined : Number(depth),
      counted: counted === undefined ? undefined : Number(counted),
      kind: value('kind') as ListingQuery['kind'],
      follow: value('follow') === 'yes',
      names: names.length ? names : undefined,
    },
  };
}

function parse(record: string, key: FactKey): Answer<ListingFact> {
  const { path } = partsOf(key.id);
  if (record === 'd') return { state: 'denied', raw: record, path };
  if (record === 'x')
    return { state: 'known', raw: record, value: { directory: false, examined: 0, entries: [], more: false } };
  const [count, ...lines] = utf8(record).split('\n');
  if (!/^=\d+$/.test(count!)) throw new Error(`unreadable listing of ${path}: ${count!.slice(0, 80)}`);
  const prefix = path === '/' ? '/./' : `${path}/./`;
  const entries = lines.flatMap((line) => entryOf(line, prefix));
  const value = {
    directory: true,
    examined: Number(count!.slice(1)),
    entries: entries.slice(0, listingLimit),
    more: entries.length > listingLimit,
  };
  return { state: 'known', raw: record.slice(0, 64), value };
}

/** A name with a line break gives lines that match nothing; it is not listed. */
function entryOf(line: string, prefix: string): ListedFile[] {
  const [head, ...rest] = line.split('|');
  const [uid, gid, owner, group, size, nlink, dev, inode, atime, mtime, ctime, ...name] = rest;
  const path = name.join('|');
  const bits = Number.parseInt(head!.slice(1), 16);
  const kind = fileKinds[bits >> 12];
  if (!line.startsWith('e') || !kind || !path.startsWith(prefix)) return [];
  return [
    {
      path: path.slice(prefix.length),
      kind,
      mode: bits & 0o7777,
      uid: Number(uid),
      gid: Number(gid),
      owner: owner!,
      group: group!,
      size: Number(size),
      nlink: Number(nlink),
      dev: Number(dev),
      inode: Number(inode),
      atime: epoch(atime!),
      mtime: epoch(mtime!),
      ctime: epoch(ctime!),
    },
  ];
}

/** What is removed is gone from the list; what is written below it makes the list unknown (its times are). */
function reduce(effect: Effect, draft: Draft): void {
  if (effect.type !== 'file.put' && effect.type !== 'file.remove' && effect.type !== 'file.unknown') return;
  const real = canonicalOf(effect.path, draft);
  draft.around('listing', real, (id, answer, set) => {
    if (answer.state !== 'known') return;
    const root = canonicalOf(partsOf(id).path, draft);
    const below = real.startsWith(root === '/' ? '/' : `${root}/`);
    const above = root === real || root.startsWith(`${real}/`);
    if (effect.type === 'file.put' && effect.kind === 'directory' && above && (answer.value as ListingFact).directory)
      return;
    if (effect.type === 'file.remove' && below) set(without(answer.value as ListingFact, real.slice(root.length + 1)));
    else if (effect.type === 'file.remove' && above)
      set({ state: 'known', raw: '', value: { directory: false, examined: 0, entries: [], more: false } });
    else if (below || above) set({ state: 'unknown', why: `${effect.path} changed` });
  });
}

function without(fact: ListingFact, path: string): Answer<ListingFact> {
  const entries = fact.entries.filter((entry) => entry.path !== path && !entry.path.startsWith(`${path}/`));
  return { state: 'known', raw: '', value: { ...fact, entries } };
}
