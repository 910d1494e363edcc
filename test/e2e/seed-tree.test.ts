import * as assert from 'uvu/assert';
import { suite } from '../support/harness.ts';
import { type Cluster, readyCluster } from './support/cluster.ts';
import { flannelOnDocker } from './support/flannel.ts';
import { deployWeb, podAddresses, servedBy } from './support/pods.ts';
import { type Role, seedOrder, seedTree } from './support/seed-tree.ts';

const tree = suite('seed tree', { timeout: 900_000 });
const machines: Record<string, Role[]> = {
  h1: ['every', 'pki', 'etcd', 'control_plane'],
  h2: ['every', 'nodes'],
  h3: ['every', 'nodes'],
};
let cluster: Cluster;

tree('a cluster with docker and flannel (a stand-in) becomes Ready', async () => {
  cluster = await readyCluster('flannel', flannelOnDocker);
  assert.equal(await cluster.nodes(), { h2: true, h3: true });
});

tree('every unit of the seed hangs below its parent, on the machines where it belongs', async () => {
  for (const [host, roles] of Object.entries(machines)) {
    const links = await wantsOf(host);
    for (const { unit, parent, on } of seedTree)
      if (roles.includes(on)) assert.ok(links.get(parent)?.includes(unit), `${host}: ${unit} below ${parent}`);
  }
});

tree('units are ordered as in the seed', async () => {
  for (const host of Object.keys(machines)) {
    const known = await loaded(host);
    for (const [earlier, later] of seedOrder) {
      if (!known.has(earlier) || !known.has(later)) continue;
      const after = await cluster.lab.sh(host, `systemctl show -p After --value ${later}`);
      assert.ok(after.split(' ').includes(earlier), `${host}: ${later} after ${earlier}`);
    }
  }
});

tree('there is no ordering cycle, and systemd finds nothing wrong', async () => {
  for (const host of Object.keys(machines)) {
    const said = await cluster.lab.sh(
      host,
      'cd /etc/systemd/system && systemd-analyze verify --man=no *.service *.target *.timer *.path default.target 2>&1 || true',
    );
    const about = said
      .split('\n')
      .filter((line) => /kube|cfssl|certmgr|etcd|flannel|docker|node-online|cycle/i.test(line));
    assert.equal(about, [], host);
    assert.is(await cluster.lab.sh(host, 'journalctl -b | grep -ci "ordering cycle" || true'), '0');
  }
});

tree('pods on both nodes reach each other through docker and flannel', async () => {
  await deployWeb(cluster, ['h2', 'h3']);
  const addresses = await podAddresses(cluster, ['h2', 'h3']);
  assert.is(await cluster.lab.sh('h2', `curl -s -m 5 http://${addresses.h3}:8080/`), 'web-h3');
  assert.is(await cluster.lab.sh('h3', `curl -s -m 5 http://${addresses.h2}:8080/`), 'web-h2');
  assert.equal(await servedBy(cluster, 'h2'), ['web-h2', 'web-h3']);
});

tree('docker runs with the addresses that flannel wrote', async () => {
  const bridge = await cluster.lab.sh('h2', '. /run/flannel/subnet.env; ip -o address show docker0 to $FLANNEL_SUBNET');
  assert.match(bridge, /docker0/);
});

tree('kubelet and kube-proxy take every field of their files', async () => {
  const said = await cluster.lab.sh(
    'h2',
    'journalctl -b -u kubelet -u kube-proxy | grep -ciE "lenient|unknown field|strict decod" || true',
  );
  assert.is(said, '0');
});

tree('a second apply changes nothing', async () => {
  const second = await cluster.kpush(['apply', '--yes']);
  assert.is(second.code, 0, second.output.slice(-3000));
  assert.match(second.output, /nothing changed/);
});

/** What each unit pulls in; default.target stands for the targets it is an alias of or requires. */
async function wantsOf(host: string): Promise<Map<string, string[]>> {
  const parents = [...new Set(seedTree.map(({ parent }) => parent)), 'multi-user.target', 'graphical.target'];
  const text = await cluster.lab.sh(host, `systemctl show -p Id -p Wants -p Requires ${parents.join(' ')}`);
  const found = new Map<string, string[]>();
  for (const block of text.split('\n\n')) {
    const field = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(block)?.[1]?.split(' ') ?? [];
    found.set(field('Id')[0]!, [...field('Wants'), ...field('Requires')]);
  }
  found.set('default.target', [...(found.get('graphical.target') ?? []), ...(found.get('multi-user.target') ?? [])]);
  return found;
}

async function loaded(host: string): Promise<Set<string>> {
  const units = await cluster.lab.sh(
    host,
    'systemctl list-units --all --no-legend --plain | awk \'$2 == "loaded" { print $1 }\'',
  );
  return new Set(units.split('\n'));
}

tree.run();
