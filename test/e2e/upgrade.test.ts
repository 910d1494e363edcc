import { writeFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { RunEvent } from '../../src/core/events.ts';
import { suite } from '../support/harness.ts';
import type { Cluster } from './support/cluster.ts';
import {
  journal,
  nodeStates,
  nodes,
  patchedVersion,
  rollCluster,
  untouched,
  upgrade,
  version,
} from './support/roll.ts';
import { poll, type Request, setBudget } from './support/workload.ts';

const roll = suite('upgrade', { timeout: 1_500_000 });
let cluster: Cluster;
const all = (kubelet: string, cordoned = false) =>
  Object.fromEntries(nodes.map((name) => [name, { kubelet, cordoned }]));

roll('the dry run tells versions, certificates, skew, evictions, restarts and order, and changes nothing', async () => {
  cluster = await rollCluster();
  const before = await Promise.all(nodes.map((host) => untouched(cluster, host)));
  const plan = await upgrade(cluster, patchedVersion, ['--dry-run']);
  assert.is(plan.code, 0, plan.output.slice(-3000));
  for (const line of [
    `kubelet ${version} -> ${patchedVersion}`,
    `kube-apiserver ${version} -> ${patchedVersion}`,
    '6 moments judged, all within the version skew policy',
    /kubelet\.pem ends on 20\d\d-\d\d-\d\d, in \d+ days/,
    /[0-3] pods? (has|have) to go, and may/,
    /kubelet\.service[\s\S]*active → restarted/,
    'in batches h2 | h3 | h4; the run stops at the 1st failed host',
    /pod default\/web-\S+ +on h\d → evict; it has 15 s to end/,
  ])
    assert.match(plan.output, line);
  assert.equal(await nodeStates(cluster), all(version));
  assert.equal(await Promise.all(nodes.map((host) => untouched(cluster, host))), before);
});

roll('a budget that blocks is named in the plan, and an apply cordons nothing', async () => {
  await setBudget(cluster, 0);
  const plan = await upgrade(cluster, patchedVersion, ['--dry-run']);
  assert.match(plan.output, /cannot be drained now: pod default\/web-\S+: .*The disruption budget web needs/);
  const run = await upgrade(cluster, patchedVersion, ['--yes']);
  assert.is(run.code, 2, run.output.slice(-3000));
  assert.match(run.output, /cannot be drained now: pod default\/web-\S+: .*The disruption budget web needs/);
  assert.equal(await nodeStates(cluster), all(version));
  assert.is(await cluster.lab.sh('h1', 'ls -d /usr/local/bin/.kpush-v* 2>/dev/null | wc -l'), '0');
  await setBudget(cluster, 1);
});

roll('three nodes go to the second build one at a time, and every request is answered', async () => {
  const polling = poll(cluster, 'h5', nodes);
  await pause(3);
  const run = await upgrade(cluster, patchedVersion, ['--yes']);
  await pause(3);
  const requests = await polling.stop();
  assert.is(run.code, 0, run.output.slice(-5000));
  assert.equal(await nodeStates(cluster), all(patchedVersion));
  const events = journal(cluster);
  const counted = requests.filter((request) => !isDrained(request, events));
  keep(requests);
  const unanswered = counted.filter(({ status }) => status !== 200);
  console.error(
    `upgrade: ${counted.length} requests through nodes that were not drained, ${unanswered.length} unanswered`,
  );
  assert.ok(counted.length > 100, `only ${counted.length} requests`);
  assert.equal(unanswered, []);
});

roll('a second run changes nothing', async () => {
  const before = await Promise.all(nodes.map((host) => untouched(cluster, host)));
  const again = await upgrade(cluster, patchedVersion, ['--yes']);
  assert.is(again.code, 0, again.output.slice(-3000));
  assert.match(again.output, /nothing changed/);
  assert.equal(await Promise.all(nodes.map((host) => untouched(cluster, host))), before);
});

roll('nothing goes down unasked', async () => {
  const down = await upgrade(cluster, version, ['--yes']);
  assert.is(down.code, 2, down.output.slice(-3000));
  assert.match(down.output, new RegExp(`would go down from ${patchedVersion} to ${version} .*--allow-downgrade`));
});

roll('a gate that fails in the canary stops the roll there, says why, and leaves it cordoned', async () => {
  const before = await Promise.all(['h3', 'h4'].map((host) => untouched(cluster, host)));
  const vars = ['-e', '{"kube_upgrade_gate_seconds": 8}'];
  const stopped = await upgrade(cluster, version, [
    '--allow-downgrade',
    '--gate',
    'test -e /no-such',
    '--yes',
    ...vars,
  ]);
  assert.is(stopped.code, 5, stopped.output.slice(-3000));
  assert.match(stopped.output, /gate Your own command succeeds +h2/);
  assert.match(stopped.output, /not within 8 s: exit code 1/);
  assert.match(stopped.output, /unit status and journal[\s\S]*kubelet\.service[\s\S]*kubelet\[\d+\]/);
  assert.equal(await nodeStates(cluster), { ...all(patchedVersion), h2: { kubelet: version, cordoned: true } });
  assert.equal(await Promise.all(['h3', 'h4'].map((host) => untouched(cluster, host))), before);
});

roll('the next run takes it from there, and the canary takes pods again', async () => {
  const done = await upgrade(cluster, patchedVersion, ['--yes']);
  assert.is(done.code, 0, done.output.slice(-3000));
  assert.equal(await nodeStates(cluster), all(patchedVersion));
});

roll.run();

/** While a node's own batch is worked on its NodePort is not one that a client would be sent to. */
function isDrained({ time, node }: Request, events: RunEvent[]): boolean {
  const play = events.find((event) => event.type === 'play-start' && event.name === 'Nodes');
  const batches = events.filter((event) => event.type === 'batch-start' || event.type === 'batch-end');
  const own = batches.filter((event) => 'play' in event && event.play === (play as { play?: string })?.play);
  const start = own.find((event) => event.type === 'batch-start' && event.hosts.includes(node));
  const end = own[own.indexOf(start!) + 1];
  // A request that was under way as the batch began belongs to it.
  return start !== undefined && time >= start.time - 3000 && time <= (end?.time ?? Number.POSITIVE_INFINITY);
}

/** The log of every request, for whoever wants to see it. */
function keep(requests: Request[]) {
  const lines = requests.map((one) => `${new Date(one.time).toISOString()} ${one.node} ${one.status} ${one.seconds}`);
  writeFileSync('docs/results/upgrade-requests.log', `${lines.join('\n')}\n`);
}

function pause(seconds: number) {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
