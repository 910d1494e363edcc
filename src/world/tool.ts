import { utf8 } from '../core/bytes.ts';
import type { Effect } from '../core/effects.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote, quoteAll } from '../core/quote.ts';
import { readKnown } from './read.ts';

/** A question to a program of the host whose answer is all that a module needs. It only reads. */
export interface ToolQuery {
  argv: readonly string[];
  env?: Readonly<Record<string, string>>;
}

export interface ToolFact {
  /** 127: the host has no such program. */
  rc: number;
  /** Trailing newlines dropped; undefined: not predicted. */
  stdout?: string;
}

export function tool(world: WorldView, query: ToolQuery): ToolFact {
  return readKnown<ToolFact>(world, 'tool', toolKey(query).id);
}

export function toolKey({ argv, env }: ToolQuery): FactKey {
  return { family: 'tool', id: JSON.stringify(env ? { argv, env } : { argv }) };
}

/** What a step makes of the answer. */
export function toolSet(query: ToolQuery, value: ToolFact): Effect {
  return { type: 'fact.set', family: 'tool', id: toolKey(query).id, value };
}

export const toolFamily: FactFamily<ToolFact> = {
  name: 'tool',
  guarded: true,
  library: () => functions,
  script: (keys) => keys.map(call).join('\n'),
  parse(record, key) {
    const found = /^(\d+)(?:\n([\s\S]*))?$/.exec(record);
    if (!found) throw new Error(`unreadable answer of ${key.id}: ${record.slice(0, 80)}`);
    return { state: 'known', raw: record, value: { rc: Number(found[1]), stdout: utf8(found[2] ?? '') } };
  },
  absent: ({ rc }) => rc === 127,
  differs: (predicted, actual) => [
    ...(predicted.rc === actual.rc ? [] : [`exit code: expected ${predicted.rc}, is ${actual.rc}`]),
    ...(predicted.stdout === undefined || predicted.stdout === actual.stdout
      ? []
      : [`expected "${predicted.stdout}", is "${actual.stdout}"`]),
  ],
};

/** Record: the exit code, and on the next lines what it printed. Accounts of services often lack the sbin folders. */
const functions = `kf_tool() {
  PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
  if command -v "$1" >/dev/null 2>&1; then
    kf_o=$("$@" 2>/dev/null </dev/null); printf '%s\\n%s' $? "$kf_o"
  else printf 127
  fi
  kp_sep
}`;

function call(key: FactKey): string {
  const { argv, env = {} } = JSON.parse(key.id) as ToolQuery;
  const exports = Object.entries({ LC_ALL: 'C', ...env }).map(([name, value]) => `export ${name}=${quote(value)}; `);
  return `( ${exports.join('')}kf_tool ${quoteAll(argv)} )`;
}
