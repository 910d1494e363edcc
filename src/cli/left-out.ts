import { inputError } from '../core/errors.ts';
import type { RunEvent } from '../core/events.ts';
import type { RunControl, RunOptions } from '../core/options.ts';
import { quorumProblem } from '../kubernetes/quorum.ts';
import { selectHosts } from '../resolve/patterns.ts';
import type { Io } from './io.ts';
import { readOffline } from './offline.ts';
import { askLine, askSecret } from './prompt.ts';

const groups = 'etcd:control_plane:nodes';

/**
 * Machines of the cluster that do not answer, asked before anything else. `allowed` is how many may be left out, or a
 * pattern of those that may; true: any. Throws an input error where others do not answer, or too many for a quorum.
 */
export async function leftOut(options: RunOptions, io: Io, allowed: string | true): Promise<string[]> {
  const lost = await unreachable(options, io);
  if (lost.length === 0) return [];
  const { inventories, extraVars } = options;
  const { inventory } = readOffline({ inventories, extraVars, cwd: io.cwd });
  const of = (name: string) => [...(inventory.groups.get(name)?.hosts ?? [])];
  const named =
    allowed === true || /^\d+$/.test(allowed)
      ? undefined
      : selectHosts([allowed], inventory, { what: '--allow-unreachable' });
  const most = typeof allowed === 'string' && !named ? Number(allowed) : Number.POSITIVE_INFINITY;
  const others = named ? lost.filter((host) => !named.includes(host)) : [];
  const problem =
    quorumProblem({ etcd: of('etcd'), controlPlane: of('control_plane'), absent: new Set(lost) }) ??
    (others.length > 0 ? `${others.join(', ')} cannot be reached either` : undefined) ??
    (lost.length > most ? `${lost.length} machines cannot be reached (${lost.join(', ')}), not ${most}` : undefined);
  if (problem !== undefined) throw inputError(problem, { hint: 'nothing was changed' });
  return lost;
}

/** The options of a run without them. */
export function without(options: RunOptions, lost: readonly string[]): RunOptions {
  if (lost.length === 0) return options;
  const limit = [...options.limit, `all:${lost.map((host) => `!${host}`).join(':')}`];
  return { ...options, limit, extraVars: [...options.extraVars, JSON.stringify({ kube_left_out: lost })] };
}

async function unreachable(options: RunOptions, io: Io): Promise<string[]> {
  const lost: string[] = [];
  const see = (event: RunEvent) => {
    if (event.type === 'host-end' && event.state === 'unreachable') lost.push(event.host);
  };
  const ping: RunOptions = {
    ...options,
    verb: 'ping',
    pattern: groups,
    limit: [],
    playbooks: [],
    planOut: undefined,
    become: false,
  };
  const run = await io.loadRun();
  await run(ping, see, controlOf(io));
  return [...new Set(lost)];
}

function controlOf(io: Io): RunControl {
  const { signal } = new AbortController();
  return {
    stop: signal,
    close: signal,
    conceal: () => undefined,
    prompt: async (text, { secret }) =>
      (await (secret ? askSecret(io, text, signal, () => undefined) : askLine(io, text, signal))) ?? '',
  };
}
