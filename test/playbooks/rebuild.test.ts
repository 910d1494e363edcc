import * as assert from 'uvu/assert';
import type { FactKey } from '../../src/core/facts.ts';
import { suite } from '../support/harness.ts';
import { type PaperPlan, planCluster } from './support/plan-cluster.ts';

/** Three control planes, two workers, of which one is dead: what a plan of a rebuild or a reset says of them. */
const paper = suite('leaving on paper', { timeout: 120_000 });

const system = { hasPackages: true, units: ['containerd.service', 'etcd.service', 'haproxy.service'] };
const names = ['c1', 'c2', 'c3', 'w1', 'w2'];
const hosts = Object.fromEntries(names.map((name, at) => [name, { ...system, machineId: String(at).repeat(32) }]));
const planes = ['c1', 'c2', 'c3'];
const found = {
  noted: true,
  files: ['/usr/local/bin/kubelet'],
  trees: ['/var/lib/kubelet'],
  folders: [],
  others: [],
  mounts: [],
  users: [],
  packages: ['conntrack'],
  packagesStay: '',
  units: [{ name: 'kubelet.service', active: 'active', enabled: 'enabled' }],
  was: { files: [], folders: [], users: [], units: [], sysctls: [] },
};

/** Of nobody: only its fingerprint is asked for. */
const pem = `-----BEGIN CERTIFICATE-----
MIH+MIGmAgEBMAoGCCqGSM49BAMCMAwxCjAIBgNVBAMMAWEwHhcNMjYwMTAxMDAw
MDAwWhcNMjYwMTA0MTUwNDA1WjAMMQowCAYDVQQDDAFhMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAErHKgOxG9AjZ4IQyhCYwFk17Pvf1Ld6BQmRKUzWprV7gahaAs
wrc4n6PaaOVa8fDXzTGF6w2LUbWo+sBoJiyG6jAKBggqhkjOPQQDAgNHADBEAiBp
aaCVP87a7k28joFglq0+8f1Tut5POnIVgUt5jT+EjwIgWqF8VuoBeqWLeKepOs2E
WdzFCJusPTYHhjH4Q9mTggU=
-----END CERTIFICATE-----
`;

const healthy = (...well: string[]) =>
  planes.map((name, at) => ({
    id: `9${at}`,
    name,
    peers: [`https://198.18.0.${11 + at}:2380`],
    healthy: well.includes(name),
  }));

interface Case {
  playbook: string;
  vars: Record<string, unknown>;
  members?: ReturnType<typeof healthy>;
  dead?: string[];
}

async function planned({ playbook, vars, members = healthy(...planes), dead = [] }: Case): Promise<PaperPlan> {
  const told: Record<string, unknown> = {
    'kube-nodes': { told: names.map((name) => ({ name, ready: true })) },
    'kube-node': { told: { cordoned: false, mark: '' } },
    'kube-pods': { told: [] },
    'kube-evictions': { told: [] },
    'etcd-members': members,
    tree: { exists: false, entries: [], more: false },
    footprint: found,
    'kube-leftovers': { containers: ['a'], mounts: [], links: ['cni0'], routes: [], rules: 3 },
  };
  const bytes = (text: string) => ({ state: 'bytes', base64: Buffer.from(text).toString('base64') });
  const answer = (host: string, { family, id }: FactKey) => {
    if (dead.includes(host)) throw new Error(`${host} is dead, and was asked for ${family}`);
    if (family === 'bytes') return bytes(id.endsWith('secret') ? 'ab'.repeat(16) : pem);
    return told[family];
  };
  const groups = { pki: ['w2'], etcd: planes, control_plane: planes, nodes: names };
  return planCluster({
    hosts,
    groups,
    playbook,
    answer,
    vars: { kube_rebuild_add_first: [], ...vars },
  });
}

const failures = (plan: PaperPlan) =>
  plan.tasks
    .filter(({ status }) => status === 'failed')
    .map(({ name, host, message }) => `${host}: ${name}: ${message}`);

/** Titles of steps, in order, with the host they are of. */
const titles = (plan: PaperPlan) =>
  plan.tasks.flatMap(({ host, steps }) => steps.map(({ title }) => `${host}: ${title}`));

paper('a worker: drained, forgotten, bare, built again', async () => {
  const plan = await planned({ playbook: 'rebuild.yaml', vars: { kube_rebuild_hosts: ['w1'] } });
  assert.equal(failures(plan), []);
  const all = titles(plan);
  const order = [
    'cordon w1',
    'remove node w1 from the cluster',
    'stop 1 unit',
    "end what is left of the node's pods",
    'remove 2 files and folders',
  ].map((title) => all.indexOf(`w1: ${title}`));
  assert.equal(
    order,
    [...order].sort((a, b) => a - b),
  );
  assert.not.ok(order.includes(-1), all.join('\n'));
  assert.ok(!all.some((title) => /remove \d+ packages/.test(title)));
  for (const gate of ['node_online', 'node_upgraded'])
    assert.ok(
      plan.gates.some((name) => name.includes(`${gate}, on w1`)),
      plan.gates.join(', '),
    );
});

paper('a control plane: its member of etcd leaves first, with the arithmetic, and joins again', async () => {
  const plan = await planned({ playbook: 'rebuild.yaml', vars: { kube_rebuild_hosts: ['c2'] } });
  assert.equal(failures(plan), []);
  const notes = plan.tasks.flatMap(({ notes = [] }) => notes);
  assert.ok(
    notes.includes('c2 of 3 members of etcd would leave: 2 would be left, 2 of them healthy, and the quorum of 3 is 2'),
    notes.join('\n'),
  );
  const all = titles(plan);
  assert.ok(all.findIndex((title) => /c2: remove c2 from etcd/.test(title)) < all.indexOf('c2: stop 1 unit'));
});

paper('below the quorum nothing is begun, with the arithmetic', async () => {
  const members = healthy('c1', 'c2');
  const plan = await planned({ playbook: 'rebuild.yaml', vars: { kube_rebuild_hosts: ['c2'] }, members });
  assert.equal(failures(plan), [
    'c2: etcd keeps its quorum: c2 of 3 members of etcd would leave: 2 would be left, 1 of them healthy, and the quorum of 3 is 2',
  ]);
  assert.equal(titles(plan), []);
});

paper('two of three members at once are not reset', async () => {
  const plan = await planned({ playbook: 'reset.yaml', vars: { kube_leaving_hosts: ['c1', 'c2'], kube_left_out: [] } });
  assert.ok(failures(plan).length > 0);
  assert.equal(titles(plan), []);
});

paper('a machine that is made anew may be dead: it is not asked before', async () => {
  const vars = { kube_rebuild_hosts: ['w1'], kube_rebuild_command: 'true' };
  const plan = await planned({ playbook: 'rebuild.yaml', vars, dead: ['w1'] });
  assert.equal(failures(plan), []);
  const open = plan.tasks.filter(({ host, status }) => host === 'w1' && status === 'unknown');
  assert.ok(open.length > 20, `${open.length} tasks are open`);
  assert.ok(
    open.every(({ why }) => /made anew/.test(why ?? '')),
    JSON.stringify(open.find(({ why }) => !/made anew/.test(why ?? ''))),
  );
});

paper('the certificate authority is neither rebuilt nor reset alone', async () => {
  for (const playbook of ['rebuild.yaml', 'reset.yaml']) {
    const plan = await planned({ playbook, vars: { kube_rebuild_hosts: ['w2'] } });
    assert.match(failures(plan).join('\n'), /w2 is the certificate authority/);
    assert.equal(titles(plan), []);
  }
});

paper.run();
