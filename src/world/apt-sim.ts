import { utf8 } from '../core/bytes.ts';
import type { Effect } from '../core/effects.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quoteAll } from '../core/quote.ts';
import { readKnown } from './read.ts';

/** What apt-get would do, asked with `-s`. Only for questions that dpkg alone cannot answer: it takes 1 to 3 s. */
export interface AptSimFact {
  install: { name: string; from?: string; to: string }[];
  remove: string[];
  /** Lines of trouble; with any, the rest is not to be trusted. */
  errors: string[];
}

/** Arguments after the options, as in `['install', 'curl']`, `['dist-upgrade']`. */
export function aptSim(world: WorldView, args: readonly string[]): AptSimFact {
  return readKnown<AptSimFact>(world, 'apt-sim', aptSimKey(args).id);
}

export function aptSimKey(args: readonly string[]): FactKey {
  return { family: 'apt-sim', id: JSON.stringify(args) };
}

/**
 * As root apt would rewrite its caches (80 MB) even for a simulation: with empty names it keeps them in memory. It
 * checks signed indexes by way of a temporary file, which is put into memory too where the host has the usual place.
 */
export const aptSimFamily: FactFamily<AptSimFact> = {
  name: 'apt-sim',
  guarded: false,
  library: () => functions,
  script: (keys) => keys.map((key) => `kf_apt_sim ${quoteAll(JSON.parse(key.id) as string[])}`).join('\n'),
  parse: (record) => ({ state: 'known', raw: record, value: factOf(utf8(record).split('\n')) }),
  reduce(effect: Effect, draft) {
    if (effect.type === 'package.set' || effect.type === 'world.open')
      draft.each('apt-sim', (_id, _answer, set) =>
        set({ state: 'unknown', why: 'the packages before it are installed' }),
      );
  },
};

const functions = `kf_apt_sim() {
  [ -d /dev/shm ] && [ -w /dev/shm ] && set -- TMPDIR=/dev/shm apt-get "$@" || set -- apt-get "$@"
  env LC_ALL=C "$@" -s -q -y -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o Debug::NoLocking=1 2>&1 |
    grep -E '^(Inst|Remv|Purg|E:) '
  kp_sep
}`;

function factOf(lines: readonly string[]): AptSimFact {
  const installs = lines
    .map((line) => /^Inst (\S+)(?: \[([^\]]+)\])? \((\S+)/.exec(line))
    .filter((found) => found !== null);
  const removed = lines.map((line) => /^(?:Remv|Purg) (\S+)/.exec(line)?.[1]).filter((name) => name !== undefined);
  return {
    install: installs.map(([, name, from, to]) => ({ name: name!, ...(from ? { from } : {}), to: to! })),
    remove: removed,
    errors: lines.filter((line) => line.startsWith('E: ')),
  };
}
