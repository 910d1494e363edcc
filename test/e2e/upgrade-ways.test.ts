import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/harness.ts';
import type { Cluster } from './support/cluster.ts';
import { nodeStates, nodes, patchedVersion, rollCluster, upgrade, version } from './support/roll.ts';
import { setBudget } from './support/workload.ts';

const roll = suite('upgrade: ways back and around', { timeout: 1_500_000 });
let cluster: Cluster;
const all = (kubelet: string, cordoned = false) =>
  Object.fromEntries(nodes.map((name) => [name, { kubelet, cordoned }]));

roll('with --on-failure rollback the canary gets back what was there, and takes pods', async () => {
  cluster = await rollCluster();
  const before = await Promise.all(nodes.map((host) => programs(host)));
  const vars = ['-e', '{"kube_upgrade_gate_seconds": 15}'];
  const args = ['--on-failure', 'rollback', '--gate', 'test -e /no-such', '--yes'];
  const stopped = await upgrade(cluster, patchedVersion, [...args, ...vars]);
  assert.is(stopped.code, 5, stopped.output.slice(-3000));
  assert.match(stopped.output, /the gate did not pass: .*what was before is put back/);
  assert.equal(await nodeStates(cluster), all(version));
  assert.equal(await Promise.all(nodes.map((host) => programs(host))), before);
});

roll('a node that was cordoned by hand stays so', async () => {
  await cluster.kubectl('cordon h4');
  const done = await upgrade(cluster, patchedVersion, ['--yes']);
  assert.is(done.code, 0, done.output.slice(-3000));
  assert.equal(await nodeStates(cluster), { ...all(patchedVersion), h4: { kubelet: patchedVersion, cordoned: true } });
  await cluster.kubectl('uncordon h4');
});

roll('rollback puts back what was on a node, once', async () => {
  const back = await cluster.kpush(['rollback', 'h2', '--yes']);
  assert.is(back.code, 0, back.output.slice(-3000));
  assert.equal((await nodeStates(cluster)).h2, { kubelet: version, cordoned: false });
  const nothing = await cluster.kpush(['rollback', 'h2', '--yes']);
  assert.is(nothing.code, 2, nothing.output.slice(-3000));
  assert.match(nothing.output, /nothing is kept on this node from before an upgrade/);
  await settle();
});

roll('a saved plan is refused for the one host that was changed by hand, with the difference', async () => {
  const file = join(cluster.dir, 'plan.json');
  const plan = await upgrade(cluster, version, ['--allow-downgrade', '--dry-run', '-o', file]);
  assert.is(plan.code, 0, plan.output.slice(-3000));
  await cluster.lab.sh('h3', "sed -i 's/^maxPods: .*/maxPods: 42/' /etc/kubernetes/kubelet.yaml");
  const applied = await cluster.plain(['apply', file, '--allow-deferred', '--yes']);
  assert.is(applied.code === 0, false, applied.output.slice(-3000));
  assert.match(applied.output, /h3: .*\/etc\/kubernetes\/kubelet\.yaml/, applied.output.slice(-4000));
  const states = await nodeStates(cluster);
  assert.equal(states.h3, { kubelet: patchedVersion, cordoned: false });
  assert.equal([states.h2?.kubelet, states.h4?.kubelet], [version, version], applied.output.slice(-6000));
});

roll('a machine that does not answer is left out where that is allowed, and caught up by the next run', async () => {
  await settle();
  // What was on the machine that goes is not healthy any more, which leaves the others nothing of a budget of one.
  await setBudget(cluster, 3);
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
