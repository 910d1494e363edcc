import type { RunEvent, TaskEvent } from '../core/events.ts';
import type { Fold } from './fold.ts';

/** A host's line in the recap, counted as Ansible counts: `ok` holds the changed, a loop is one task. */
export interface HostCounts {
  ok: number;
  changed: number;
  skipped: number;
  failed: number;
  unreachable: number;
  rescued: number;
  ignored: number;
  unknown: number;
}

/** Counts per host, hosts in the order the run names them. Predictions before an apply's question are not counted. */
export function hostCounts(): Fold<ReadonlyMap<string, HostCounts>> {
  const hosts = new Map<string, HostCounts>();
  const of = (host: string) => {
    const counts = hosts.get(host) ?? noCounts();
    hosts.set(host, counts);
    return counts;
  };
  let isPlanning = false;
  return {
    add: (event) => {
      if (event.type === 'phase') isPlanning = event.phase === 'plan';
      count(event, of, hosts);
    },
    value: () => (isPlanning ? nothingChanged(hosts) : hosts),
  };
}

function count(event: RunEvent, of: (host: string) => HostCounts, hosts: Map<string, HostCounts>) {
  if (event.type === 'run-start') event.hosts.forEach(of);
  if (event.type === 'phase' && event.phase !== 'plan') forgetPredictions(hosts);
  if (event.type === 'task') countTask(of(event.host), event);
  if (event.type === 'gate' && event.state === 'failed') of(event.host).failed++;
  if (event.type === 'host-lost') countLost(of(event.host), event.kind === 'unreachable' || event.kind === 'auth');
}

/** An apply that ended in its plan. */
function nothingChanged(hosts: ReadonlyMap<string, HostCounts>): ReadonlyMap<string, HostCounts> {
  return new Map([...hosts].map(([host, counts]) => [host, { ...counts, ok: counts.ok - counts.changed, changed: 0 }]));
}

/** A host that could not be reached while planning stays so. */
function forgetPredictions(hosts: Map<string, HostCounts>) {
  for (const [host, { unreachable }] of hosts) hosts.set(host, { ...noCounts(), unreachable });
}

function countTask(counts: HostCounts, event: TaskEvent) {
  if (event.ignored && (event.status === 'failed' || event.status === 'unreachable')) countIgnored(counts, event);
  else if (event.status === 'unreachable') countLost(counts, true);
  else if (event.status === 'failed' && event.rescued) counts.rescued++;
  else if (event.status === 'ok') counts.ok += inclusions(event);
  else counts[event.status]++;
  if (event.status === 'changed') counts.ok++;
}

/** Ansible: a file or role that is included in a loop counts each time, all other loops once. */
function inclusions({ module, items }: TaskEvent): number {
  if (!items || (module !== 'include_tasks' && module !== 'include_role')) return 1;
  return items.filter(({ status }) => status === 'ok').length;
}

/** Ansible: an ignored failure is ok and ignored, and changed if the module said so. */
function countIgnored(counts: HostCounts, event: TaskEvent) {
  counts.ok++;
  counts.ignored++;
  const result = event.result as { changed?: unknown } | null | undefined;
  if (event.status === 'failed' && result?.changed === true) counts.changed++;
}

/** Once a host: the task that met the loss and the loss itself may both be told. */
function countLost(counts: HostCounts, isUnreachable: boolean) {
  if (isUnreachable) counts.unreachable = 1;
  else if (counts.failed === 0) counts.failed = 1;
}

function noCounts(): HostCounts {
  return { ok: 0, changed: 0, skipped: 0, failed: 0, unreachable: 0, rescued: 0, ignored: 0, unknown: 0 };
}
