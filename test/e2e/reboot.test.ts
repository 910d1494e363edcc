import * as assert from 'uvu/assert';
import { suite } from '../support/harness.ts';
import { type Cluster, readyCluster, until } from './support/cluster.ts';

const reboot = suite('reboot', { timeout: 900_000 });
const hosts = ['h1', 'h2', 'h3'];
const orders = hosts.flatMap((a) =>
  hosts.filter((b) => b !== a).map((b) => [a, b, hosts.find((c) => c !== a && c !== b)!]),
);
const waiters: Record<string, string[]> = {
  h1: ['cfssl-online', 'kube-certmgr-bootstrap', 'kube-apiserver-online', 'kube-addon-manager'],
  h2: ['cfssl-online', 'kube-certmgr-bootstrap', 'kube-apiserver-online', 'node-online'],
  h3: ['cfssl-online', 'kube-certmgr-bootstrap', 'kube-apiserver-online', 'node-online'],
};
let cluster: Cluster;

for (const order of orders)
  reboot(`all machines powered off and booted as ${order.join(', ')}: the cluster comes up by itself`, async () => {
    cluster ??= await readyCluster();
    await Promise.all(hosts.map((host) => cluster.lab.poweroff(host)));
    for (const host of order) {
      await cluster.lab.boot(host);
      // Apart, so that each is a while alone with what it waits for.
      await new Promise((resolve) => setTimeout(resolve, 5000));
    }
    for (const host of hosts) await until(300, () => cluster.reached(host));
    assert.equal(await cluster.nodes(), { h2: true, h3: true });
    for (const [host, units] of Object.entries(waiters))
      assert.equal(await results(host, units), Array(units.length).fill('success'), host);
  });

reboot('kpush finds nothing to change afterwards', async () => {
  const after = await cluster.kpush(['apply', '--yes']);
  assert.is(after.code, 0, after.output.slice(-3000));
  assert.match(after.output, /nothing changed/);
});

async function results(host: string, units: string[]): Promise<string[]> {
  const text = await cluster.lab.sh(host, `systemctl show -p Result --value ${units.join(' ')}`);
  return text.split('\n').filter(Boolean);
}

reboot.run();
