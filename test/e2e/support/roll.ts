import { existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunEvent } from '../../../src/core/events.ts';
import { Lab } from '../../lab-kit/index.ts';
import { kubernetesBuild, patchedVersion, version } from '../../lab-kit/kubernetes/build.ts';
import { Cluster, materials, type Run, until } from './cluster.ts';
import { deployWorkload } from './workload.ts';

export { patchedVersion, version };
export const nodes = ['h2', 'h3', 'h4'];
export const groups = { pki: ['h1'], etcd: ['h1'], control_plane: ['h1'], nodes };

/** One control plane, three nodes with a workload, and h5 outside: shared by the files of a run, as it was at first. */
export async function rollCluster(): Promise<Cluster> {
  await materials();
  const prepare = async (lab: Lab) => void (await new Cluster(lab, { groups }).apply());
  const cluster = new Cluster(await Lab.shared('roll', { hosts: 5, base: 'kube' }, prepare), { groups });
  for (const host of ['h1', ...nodes]) await until(300, () => cluster.reached(host));
  await cluster.untilReady(3, 300);
  await deployWorkload(cluster);
  return cluster;
}

/** `kpush upgrade` to one of the two builds of the lab. */
export async function upgrade(cluster: Cluster, to: string, args: string[] = [], signal?: AbortSignal): Promise<Run> {
  const build = await kubernetesBuild((line) => console.error(`lab: ${line}`));
  const vars = { kube_binaries: { src: join(build.dir, to) } };
  return cluster.kpush(['upgrade', '--to', to, ...args], { vars, ...(signal ? { signal } : {}) });
}

/** Events of the newest run that the cluster's folder has a journal of. */
export function journal(cluster: Cluster): RunEvent[] {
  const newest = newestRun(cluster);
  return newest === undefined ? [] : eventsIn(readFileSync(join(newest, 'events.jsonl'), 'utf8'))[0];
}

/** Gives, each time it is called, the events that came since then to the journal of the run that began since. */
export function newLines(cluster: Cluster): () => RunEvent[] {
  const before = newestRun(cluster);
  let [file, rest]: [number | undefined, string] = [undefined, ''];
  return () => {
    const run = file === undefined ? newestRun(cluster) : undefined;
    if (run !== undefined && run !== before) file = openSync(join(run, 'events.jsonl'), 'r');
    if (file === undefined) return [];
    const [events, open] = eventsIn(rest + readFileSync(file, 'utf8'));
    rest = open;
    return events;
  };
}

function newestRun(cluster: Cluster): string | undefined {
  const runs = join(cluster.dir, '.kpush/runs');
  const names = existsSync(runs) ? readdirSync(runs) : [];
  const newest = names
    .filter((name) => existsSync(join(runs, name, 'events.jsonl')) && name !== 'latest')
    .sort()
    .at(-1);
  return newest === undefined ? undefined : join(runs, newest);
}

/** Whole lines as events, and what is written of the next one. */
function eventsIn(text: string): [RunEvent[], string] {
  const lines = text.split('\n');
  const rest = lines.pop()!;
  return [lines.map((line) => JSON.parse(line) as RunEvent), rest];
}

/** Name → version of its kubelet, whether it takes no new pods, and its annotations. */
export async function nodeStates(cluster: Cluster): Promise<Record<string, { kubelet: string; cordoned: boolean }>> {
  const { items } = JSON.parse(await cluster.kubectl('get nodes -o json')) as NodeList;
  return Object.fromEntries(
    items.map(({ metadata, spec, status }) => [
      metadata.name,
      { kubelet: status.nodeInfo.kubeletVersion, cordoned: spec.unschedulable === true },
    ]),
  );
}

interface NodeList {
  items: {
    metadata: { name: string };
    spec: { unschedulable?: boolean };
    status: { nodeInfo: { kubeletVersion: string } };
  }[];
}

/** What must not move on a machine that is left alone: its boot, its services' starts, and its programs. */
export async function untouched(cluster: Cluster, host: string): Promise<string> {
  const units = 'kubelet kube-proxy containerd';
  return cluster.lab.sh(
    host,
    `cat /proc/sys/kernel/random/boot_id; systemctl show -p ExecMainStartTimestampMonotonic ${units}; for f in /usr/local/bin/kube* /etc/systemd/system/kube*.service /etc/kubernetes/*.yaml; do [ ! -e $f ] || stat -c '%n %Y %i' $f; done`,
  );
}
