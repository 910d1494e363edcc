import { utf8 } from '../core/bytes.ts';
import type { Effect } from '../core/effects.ts';
import type { Answer, Draft, FactFamily, FactKey, Wants } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quoteAll } from '../core/quote.ts';
import { epoch, normal } from './file.ts';
import { canonicalOf } from './file-effects.ts';
import { readKnown } from './read.ts';

/** What the stat module tells beyond the file fact. Undefined: no such path, or not predicted. */
export interface StatFact {
  atime?: string;
  blocks?: number;
  blockSize?: number;
  /** Device number of a device file. */
  rdev?: number;
  /** What the asking account may do with it, links followed. */
  readable?: boolean;
  writeable?: boolean;
  executable?: boolean;
  /** As `file --mime` says; asked for with `mime`. */
  mime?: string;
  /** Letters of lsattr and the inode's version, which no file system need have; asked for with `attributes`. */
  attributes?: { flags: string; version: string | null };
}

export interface StatWants {
  mime?: boolean;
  attributes?: boolean;
}

export function statMore(world: WorldView, path: string, wants: StatWants): StatFact {
  return readKnown<StatFact>(world, 'stat', normal(path), wants as Wants);
}

export function statKey(path: string, wants: StatWants): FactKey {
  return { family: 'stat', id: normal(path), wants: wants as Wants };
}

export const statFamily: FactFamily<StatFact> = {
  name: 'stat',
  guarded: false,
  path: (id) => id,
  library: () => functions,
  script: (keys) => keys.map(call).join('\n'),
  parse,
  reduce,
};

/** Records: nothing, or `ATIME|BLOCKS|SIZE OF BLOCKS|MAJOR|MINOR|rwx`, then a line of mime type, then one of lsattr. */
const functions = `kf_stat_more() {
  if [ -e "$1" ] || [ -L "$1" ]; then
    TZ=UTC0 stat -c '%x|%b|%o|%t|%T' -- "$1" 2>/dev/null
    for kf_l in r w x; do if [ -$kf_l "$1" ]; then printf $kf_l; else printf -; fi; done
    printf '\\n'; [ -z "$2" ] || file -bi -- "$1" 2>/dev/null || printf '\\n'
    [ -z "$3" ] || lsattr -vd -- "$1" 2>/dev/null || printf '\\n'
  fi
  kp_sep
}`;

function call(key: FactKey): string {
  const { mime, attributes } = (key.wants ?? {}) as StatWants;
  return `kf_stat_more ${quoteAll([key.id, mime ? 'y' : '', attributes ? 'y' : ''])}`;
}

function parse(record: string, key: FactKey): Answer<StatFact> {
  return { state: 'known', raw: record, value: record === '' ? {} : factOf(utf8(record).split('\n'), key) };
}

function factOf([stat, access, ...more]: string[], key: FactKey): StatFact {
  const [atime, blocks, blockSize, major, minor] = stat!.split('|');
  if (minor === undefined || access?.length !== 3) throw new Error(`unreadable stat of ${key.id}: ${stat}`);
  const { mime, attributes } = (key.wants ?? {}) as StatWants;
  const [device, letter] = [Number.parseInt(major!, 16), Number.parseInt(minor, 16)];
  return {
    atime: epoch(atime!),
    blocks: Number(blocks),
    blockSize: Number(blockSize),
    rdev: device * 256 + letter,
    readable: access[0] === 'r',
    writeable: access[1] === 'w',
    executable: access[2] === 'x',
    ...(mime ? { mime: more.shift() ?? '' } : {}),
    ...(attributes ? { attributes: attributesOf(more.shift() ?? '') } : {}),
  };
}

/** `lsattr -v`: version, flags, name; nothing where there is no such program or the file system has none. */
function attributesOf(line: string): StatFact['attributes'] {
  const found = /^\s*(\d+)\s+(\S+)/.exec(line);
  return found ? { version: found[1]!, flags: found[2]!.replaceAll('-', '') } : { version: null, flags: '' };
}

function reduce(effect: Effect, draft: Draft): void {
  if (effect.type !== 'file.put' && effect.type !== 'file.remove' && effect.type !== 'file.unknown') return;
  const real = canonicalOf(effect.path, draft);
  draft.near('stat', real, (id, _answer, set) => {
    const path = canonicalOf(id, draft);
    if (path === real || path.startsWith(`${real}/`)) set({ state: 'known', raw: '', value: {} });
  });
}
