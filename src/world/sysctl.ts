import { utf8 } from '../core/bytes.ts';
import type { Effect } from '../core/effects.ts';
import type { Answer, Draft, FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import { readKnown } from './read.ts';

/** A kernel setting as the running kernel has it; undefined: it has no such setting (now). */
export interface SysctlFact {
  value?: string;
}

/** By its dotted name; parts with dots of their own are written with slashes (`net/ipv4/conf/eth0.1/rp_filter`). */
export function sysctl(world: WorldView, name: string): SysctlFact {
  return readKnown<SysctlFact>(world, 'sysctl', name);
}

export function sysctlKey(name: string): FactKey {
  return { family: 'sysctl', id: name };
}

/** Blanks between the numbers of a setting count as one. */
export function sameSetting(a: string, b: string): boolean {
  return words(a) === words(b);
}

export const sysctlFamily: FactFamily<SysctlFact> = {
  name: 'sysctl',
  guarded: true,
  library: () => functions,
  script: (keys) => keys.map((key) => `kf_sysctl ${quote(pathOf(key.id))}`).join('\n'),
  parse,
  absent: (fact) => fact.value === undefined,
  reduce,
  differs: (predicted, actual) =>
    predicted.value === undefined || (actual.value !== undefined && sameSetting(predicted.value, actual.value))
      ? []
      : [`expected ${predicted.value}, is ${actual.value ?? 'not there'}`],
  proves: (effect) => (effect.type === 'sysctl.set' ? [sysctlKey(effect.name)] : []),
};

/** By `cat`: a shell that reads byte by byte gets only the first one from /proc/sys. `w`: it can only be written. */
const functions = `kf_sysctl() {
  if [ -r "$1" ] && [ -f "$1" ]; then kf_o=$(cat "$1" 2>/dev/null) && printf 'v%s' "$kf_o" || printf d
  elif [ -w "$1" ]; then printf w
  elif [ -e "$1" ]; then printf d
  else printf a
  fi
  kp_sep
}`;

function parse(record: string, key: FactKey): Answer<SysctlFact> {
  if (record === 'a' || record === 'w') return known({}, record);
  if (record === 'd') return { state: 'denied', raw: record, path: pathOf(key.id) };
  if (record[0] !== 'v') throw new Error(`unreadable setting ${key.id}: ${JSON.stringify(record.slice(0, 80))}`);
  return known({ value: utf8(record.slice(1)) }, record);
}

function pathOf(name: string): string {
  const path = name.includes('/') ? name : name.replaceAll('.', '/');
  return `/proc/sys/${path}`;
}

/** A kernel module that is loaded may bring settings along. */
function reduce(effect: Effect, draft: Draft): void {
  if (effect.type !== 'sysctl.set' && effect.type !== 'kmod.set') return;
  draft.each('sysctl', (id, answer, set) => {
    if (effect.type === 'sysctl.set' && pathOf(id) === pathOf(effect.name)) set(known({ value: effect.value }));
    else if (effect.type === 'kmod.set' && answer.state === 'known' && (answer.value as SysctlFact).value === undefined)
      set({ state: 'unknown', why: `module ${effect.name}` });
  });
}

function words(text: string): string {
  return text.trim().split(/\s+/).join(' ');
}

function known(value: SysctlFact, raw = ''): Answer<SysctlFact> {
  return { state: 'known', raw, value };
}
