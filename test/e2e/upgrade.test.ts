import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { RunEvent } from '../../src/core/events.ts';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { Cluster, materials } from './support/cluster.ts';
import { groups, journal, nodeStates, nodes, patchedVersion, untouched, upgrade, version } from './support/roll.ts';
import { deployWorkload, poll, type Request, setBudget } from './support/workload.ts';

const roll = suite('upgrade', { timeout: 1_500_000 });
let cluster: Cluster;
const all = (kubelet: string, cordoned = false) =>
  Object.fromEntries(nodes.map((name) => [name, { kubelet, cordoned }]));

roll('the dry run tells versions, certificates, skew, evictions, restarts and order, and changes nothing', async () => {
  await materials();
  cluster = new Cluster(await Lab.up({ hosts: 5, base: 'kube' }), { groups });
  await cluster.apply();
  await deployWorkload(cluster);
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

roll('with --on-failure rollback the canary gets back what was there, and takes pods', async () => {
  const before = await Promise.all(nodes.map((host) => programs(host)));
  const vars = ['-e', '{"kube_upgrade_gate_seconds": 15}'];
  const args = ['--allow-downgrade', '--on-failure', 'rollback', '--gate', 'test -e /no-such', '--yes'];
  const stopped = await upgrade(cluster, version, [...args, ...vars]);
  assert.is(stopped.code, 5, stopped.output.slice(-3000));
  assert.match(stopped.output, /the gate did not pass: .*what was before is put back/);
  assert.equal(await nodeStates(cluster), all(patchedVersion));
  assert.equal(await Promise.all(nodes.map((host) => programs(host))), before);
});

roll('a node that was cordoned by hand stays so', async () => {
  await cluster.kubectl('cordon h4');
  const done = await upgrade(cluster, version, ['--allow-downgrade', '--yes']);
  assert.is(done.code, 0, done.output.slice(-3000));
  assert.equal(await nodeStates(cluster), { ...all(version), h4: { kubelet: version, cordoned: true } });
  await cluster.kubectl('uncordon h4');
});

roll('rollback puts back what was on a node, once', async () => {
  const back = await cluster.kpush(['rollback', 'h2', '--yes']);
  assert.is(back.code, 0, back.output.slice(-3000));
  assert.equal((await nodeStates(cluster)).h2, { kubelet: patchedVersion, cordoned: false });
  const nothing = await cluster.kpush(['rollback', 'h2', '--yes']);
  assert.is(nothing.code, 2, nothing.output.slice(-3000));
  assert.match(nothing.output, /nothing is kept on this node from before an upgrade/);
  const forth = await upgrade(cluster, version, ['--allow-downgrade', '--yes']);
  assert.is(forth.code, 0, forth.output.slice(-3000));
});

roll('a saved plan is refused for the one host that was changed by hand, with the difference', async () => {
  const file = join(cluster.dir, 'plan.json');
  const plan = await upgrade(cluster, patchedVersion, ['--dry-run', '-o', file]);
  assert.is(plan.code, 0, plan.output.slice(-3000));
  await cluster.lab.sh('h3', "sed -i 's/^maxPods: .*/maxPods: 42/' /etc/kubernetes/kubelet.yaml");
  const applied = await cluster.plain(['apply', file, '--allow-deferred', '--yes']);
  assert.is(applied.code === 0, false, applied.output.slice(-3000));
  assert.match(applied.output, /h3: .*\/etc\/kubernetes\/kubelet\.yaml/, applied.output.slice(-4000));
  const states = await nodeStates(cluster);
  assert.equal(states.h3, { kubelet: version, cordoned: false });
  assert.equal([states.h2?.kubelet, states.h4?.kubelet], [patchedVersion, patchedVersion]);
});

roll('a machine that does not answer is left out where that is allowed, and caught up by the next run', async () => {
  await settle();
  await cluster.lab.poweroff('h4');
  const strict = await upgrade(cluster, version, ['--allow-downgrade', '--yes']);
  assert.is(strict.code, 4, strict.output.slice(-3000));
  const other = await upgrade(cluster, version, ['--allow-downgrade', '--allow-unreachable', 'h3', '--yes']);
  assert.is(other.code, 1, other.output.slice(-3000));
  assert.match(other.output, /h4 cannot be reached either/);
  assert.equal(await nodeStates(cluster), all(patchedVersion));
  const done = await upgrade(cluster, version, ['--allow-downgrade', '--allow-unreachable', '1', '--yes']);
  assert.is(done.code, 0, done.output.slice(-3000));
  assert.match(done.output, /Left out, for they did not answer: h4\. The next run takes them along\./);
  assert.equal(await nodeStates(cluster), { ...all(version), h4: { kubelet: patchedVersion, cordoned: false } });
  await cluster.lab.boot('h4');
  await cluster.untilReady(3, 180);
  const next = await upgrade(cluster, version, ['--allow-downgrade', '--yes']);
  assert.is(next.code, 0, next.output.slice(-3000));
  assert.equal(await nodeStates(cluster), all(version));
});

roll('without the quorum of etcd nothing is begun, whatever is allowed', async () => {
  await cluster.lab.poweroff('h1');
  const refused = await upgrade(cluster, patchedVersion, ['--allow-unreachable', '--yes']);
  assert.is(refused.code, 1, refused.output.slice(-3000));
  assert.match(
    refused.output,
    /1 of 1 members of etcd cannot be reached \(h1\): 0 would be left, and the quorum of 1 is 1/,
  );
  await cluster.lab.boot('h1');
});

roll.run();

/** Every node at the second build, whatever the test before left. */
async function settle() {
  const done = await upgrade(cluster, patchedVersion, ['--yes']);
  assert.is(done.code, 0, done.output.slice(-3000));
}

function programs(host: string): Promise<string> {
  return cluster.lab.sh(
    host,
    'sha256sum /usr/local/bin/kube* /etc/systemd/system/kube*.service /etc/kubernetes/*.yaml',
  );
}

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
