import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import { readKnown } from './read.ts';

/** A command of the user's own that a plan runs to decide (`unless`, `only_if`); listed at the head of the plan. */
export interface Probe {
  /** Text for `sh -c`. */
  command: string;
  cwd?: string;
  env?: Record<string, string>;
  /** Seconds, where the host has `timeout`; default 60. */
  timeout?: number;
}

export interface ProbeFact {
  rc: number;
  /** At most 64 KiB; standard error is dropped. */
  stdout: string;
}

export function probe(world: WorldView, wanted: Probe): ProbeFact {
  return readKnown<ProbeFact>(world, 'probe', probeKey(wanted).id);
}

/** The id is the probe itself, so that equal ones run once. */
export function probeKey({ command, cwd, env, timeout }: Probe): FactKey {
  return { family: 'probe', id: JSON.stringify({ command, cwd, env, timeout }) };
}

/** The command behind a key, to be listed. */
export function probeCommand(key: FactKey): string {
  return (JSON.parse(key.id) as Probe).command;
}

/** Not guarded: the user's commands are run to decide, and again only when steps have run since. */
export const probeFamily: FactFamily<ProbeFact> = {
  name: 'probe',
  refreshed: true,
  guarded: false,
  library: () => functions,
  script: (keys) => keys.map((key) => call(JSON.parse(key.id) as Probe)).join('\n'),
  parse: (record, key) => {
    const found = /^([\s\S]*)\n(\d+)$/.exec(record);
    if (!found) throw new Error(`unreadable answer of ${probeCommand(key)}: ${record.slice(0, 80)}`);
    return { state: 'known', raw: record, value: { rc: Number(found[2]), stdout: utf8(found[1]!) } };
  },
};

/** Arguments: seconds, text. The output goes straight out (fd 3), so that the capture holds the exit code alone. */
const functions = `kf_probe() {
  kf_t=; ! command -v timeout >/dev/null 2>&1 || kf_t="timeout $1"
  { kf_r=$({ { $kf_t sh -c "$2" </dev/null 2>/dev/null 3>&- 4>&-; printf %s $? >&4; } | { head -c 65536; cat >/dev/null; } >&3; } 4>&1); } 3>&1
  printf '\\n%s' "$kf_r"; kp_sep
}`;

function call({ command, cwd, env = {}, timeout = 60 }: Probe): string {
  const exports = Object.entries(env).map(([name, value]) => `export ${name}=${quote(value)}; `);
  const enter = cwd === undefined ? '' : `cd -- ${quote(cwd)} 2>/dev/null || { printf '\\n127'; kp_sep; exit; }; `;
  return `( ${enter}${exports.join('')}kf_probe ${timeout} ${quote(command)} )`;
}
