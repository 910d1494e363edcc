import type { Effect } from '../core/effects.ts';
import type { Answer, Draft, FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import { readKnown } from './read.ts';

/** `available`: could be loaded; `missing`: the running kernel has none of that name. */
export interface KmodFact {
  state: 'loaded' | 'builtin' | 'available' | 'missing';
}

export function kmod(world: WorldView, name: string): KmodFact {
  return readKnown<KmodFact>(world, 'kmod', plainName(name));
}

export function kmodKey(name: string): FactKey {
  return { family: 'kmod', id: plainName(name) };
}

/** The kernel takes `-` and `_` for the same. */
function plainName(name: string): string {
  return name.replaceAll('-', '_');
}

export const kmodFamily: FactFamily<KmodFact> = {
  name: 'kmod',
  guarded: true,
  library: () => functions,
  script: (keys) => keys.map((key) => `kf_kmod ${quote(key.id)}`).join('\n'),
  parse,
  absent: (fact) => fact.state === 'missing',
  reduce,
  differs: (predicted, actual) =>
    running(predicted) === running(actual) ? [] : [`expected ${predicted.state}, is ${actual.state}`],
  proves: (effect) => (effect.type === 'kmod.set' ? [kmodKey(effect.name)] : []),
};

/**
 * A loaded module has `initstate` under /sys/module, one that is built in has at most parameters there. A kernel
 * without modules lists nothing of the kind: there functions of that name tell. Only what is not loaded costs forks.
 * Records: l, b, a, m.
 */
const functions = `kf_kmod() {
  if [ -e "/sys/module/$1/initstate" ]; then printf l
  else
    kf_d=/lib/modules/$(uname -r)
    if { [ -r "$kf_d/modules.builtin" ] && tr - _ <"$kf_d/modules.builtin" | grep -q "/$1\\.ko"; } || [ -d "/sys/module/$1" ]; then printf b
    elif [ ! -e /proc/modules ] && grep -q "[ _]$1_" /proc/kallsyms 2>/dev/null; then printf b
    elif PATH=$PATH:/usr/sbin:/sbin modprobe -n -q "$1" 2>/dev/null; then printf a
    else printf m
    fi
  fi
  kp_sep
}`;

const states: Record<string, KmodFact['state']> = { l: 'loaded', b: 'builtin', a: 'available', m: 'missing' };

function parse(record: string, key: FactKey): Answer<KmodFact> {
  const state = states[record];
  if (!state) throw new Error(`unreadable state of module ${key.id}: ${JSON.stringify(record.slice(0, 80))}`);
  return { state: 'known', raw: record, value: { state } };
}

function reduce(effect: Effect, draft: Draft): void {
  if (effect.type !== 'kmod.set') return;
  const name = plainName(effect.name);
  const value: KmodFact = { state: effect.loaded ? 'loaded' : 'available' };
  draft.each('kmod', (id, _answer, set) => id === name && set({ state: 'known', raw: '', value }), name);
}

function running(fact: KmodFact): boolean {
  return fact.state === 'loaded' || fact.state === 'builtin';
}
