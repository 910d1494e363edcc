import * as assert from 'uvu/assert';
import { suite } from '../support/harness.ts';
import type { System } from './support/bare-host.ts';
import { type PaperPlan, planCluster } from './support/plan-cluster.ts';
import { textsOf, unitsOf, words } from './support/units.ts';

/** Operating systems that the lab cannot boot: planned from facts that such machines were recorded to have. */
const systems = suite('operating systems on paper', { timeout: 120_000 });

const one = ['h1'];
const sums = Object.fromEntries(
  ['kubelet', 'kubectl', 'kube-proxy', 'kube-apiserver', 'kube-scheduler', 'kube-controller-manager'].map((name) => [
    name,
    'ab'.repeat(32),
  ]),
);
const plans = new Map<string, Promise<PaperPlan>>();

/** One machine that is everything; a plan takes seconds, so equal ones are made once. */
function alone(system: System, vars: Record<string, unknown> = {}): Promise<PaperPlan> {
  const key = JSON.stringify([system, vars]);
  const groups = { pki: one, etcd: one, control_plane: one, nodes: one };
  const source = { url: 'https://example.net/{name}', sha256: sums };
  const plan =
    plans.get(key) ?? planCluster({ hosts: { h1: system }, groups, vars: { kube_binaries: source, ...vars } });
  plans.set(key, plan);
  return plan;
}

const failed = ({ tasks }: PaperPlan) =>
  tasks.filter(({ status }) => status === 'failed').map(({ message }) => message);
const titles = ({ tasks }: PaperPlan) => tasks.flatMap(({ steps }) => steps.map(({ title }) => title));
const tools = ({ asked }: PaperPlan) =>
  asked.filter(({ family }) => family === 'tool').map(({ id }) => JSON.parse(id).argv.join(' '));

for (const os of [undefined, 'ubuntu'])
  systems(`${os ?? 'debian'}: packages by apt, with the versions that the kubelet's own package asks for`, async () => {
    const plan = await alone({ os });
    assert.equal(failed(plan), []);
    const names = plan.asked.filter(({ family }) => family === 'package').map(({ id }) => id);
    for (const name of [
      'iptables',
      'iproute2',
      'socat',
      'util-linux',
      'mount',
      'ebtables',
      'ethtool',
      'init-system-helpers',
      'conntrack',
      'ipset',
    ])
      assert.ok(names.includes(name), name);
    assert.ok(
      titles(plan).some((title) => /install .*iptables/.test(title)),
      titles(plan).slice(0, 5).join('\n'),
    );
    assert.is(plan.waves.length, 14);
  });

systems('nothing missing: no call of apt, and what is there is not asked to be newer', async () => {
  const plan = await alone({ hasPackages: true, units: ['containerd.service'] });
  assert.equal(
    titles(plan).filter((title) => /install (?!kube)|apt|index/.test(title)),
    [],
  );
  assert.equal(failed(plan), []);
});

for (const os of ['rocky', 'rhel7', 'centos'])
  systems(`${os}: packages by dnf under their names there, asked of rpm first, and never apt`, async () => {
    const plan = await alone({ os });
    assert.equal(failed(plan), []);
    assert.is(plan.waves.length, 14);
    for (const name of ['iproute', 'conntrack-tools', 'etcd', 'containerd.io'])
      assert.ok(
        tools(plan).some((words) => words.includes('rpm -q') && words.endsWith(` ${name}`)),
        name,
      );
    assert.ok(
      titles(plan).some((title) => /^dnf install .*\biproute\b/.test(title)),
      titles(plan).slice(0, 9).join('\n'),
    );
    assert.equal(
      plan.asked.filter(({ family }) => /^(package|apt)/.test(family)),
      [],
    );
    const there = await alone({ os, hasPackages: true, units: ['containerd.service'] });
    assert.equal(
      titles(there).filter((title) => title.includes('dnf')),
      [],
    );
  });

systems(
  'flatcar: what the image brings is verified, nothing is installed, and all programs go below /opt/bin',
  async () => {
    const plan = await alone({
      os: 'flatcar',
      readOnlyUsr: true,
      units: ['containerd.service'],
      says: { 'command -v': true },
    });
    assert.equal(failed(plan), []);
    assert.is(plan.waves.length, 14);
    assert.equal(
      plan.asked.filter(({ family }) => /^(package|apt)/.test(family)),
      [],
    );
    assert.equal(
      titles(plan).filter((title) => /dnf|apt|^install (?!kube)/.test(title)),
      [],
    );
    const units = unitsOf(plan.tasks);
    assert.match(units.get('kubelet.service')!, /^ConditionPathExists=\/opt\/bin\/kubelet$/m);
    assert.match(units.get('kubelet.service')!, /^ExecStart=\/opt\/bin\/kubelet /m);
    for (const [path, text] of textsOf(plan.tasks)) assert.not.match(text, /\/usr\/local\/bin(?!:)/, path);
  },
);

systems(
  'flatcar without one of the commands: the plan says that it cannot know, so an apply fails before the binaries',
  async () => {
    const plan = await alone({ os: 'flatcar', readOnlyUsr: true, units: ['containerd.service'] });
    const check = plan.tasks.find(({ name }) => name === 'Nothing is missing');
    assert.is(check?.status, 'unknown');
    assert.match(check?.why ?? '', /The image has what is needed/);
  },
);

systems('a system that kpush does not know fails before anything is changed', async () => {
  const plan = await alone({ os: 'alpine' });
  assert.match(failed(plan).join(), /Alpine .* is not supported/);
  assert.equal([plan.waves, titles(plan)], [['Preflight'], []]);
});

systems('an old systemd gets the words it knows, a new one the new ones', async () => {
  const old = unitsOf((await alone({ hasPackages: true, units: ['containerd.service'], systemd: 229 })).tasks);
  const now = unitsOf((await alone({ hasPackages: true, units: ['containerd.service'], systemd: 252 })).tasks);
  assert.ok(old.size > 15 && old.size === now.size);
  for (const [name, text] of old) {
    assert.not.match(text, /StartLimitIntervalSec/, name);
    if (/Type=oneshot/.test(text)) assert.not.match(text, /^Restart=/m, name);
  }
  assert.match(old.get('kubelet.service')!, /\[Service\][\s\S]*^StartLimitInterval=0$/m);
  assert.match(now.get('kubelet.service')!, /^StartLimitIntervalSec=0$[\s\S]*\[Service\]/m);
  assert.equal(words(now.get('node-online.service')!, 'Restart'), ['on-failure']);
});

systems('a wrong clock ends the run in the first wave, with the seconds', async () => {
  const plan = await alone({ clockAhead: 90 });
  assert.match(failed(plan).join(), /The clock is (89|90|91) s off/);
  assert.equal(plan.waves, ['Preflight']);
});

systems('machines that were cloned with their machine-id are told so', async () => {
  const plan = await planCluster({
    hosts: { h1: { machineId: 'a'.repeat(32) }, h2: { machineId: 'a'.repeat(32) } },
    groups: { pki: one, etcd: one, control_plane: one, nodes: ['h2'] },
  });
  assert.match(failed(plan).join(), /Two machines share a machine id/);
  assert.equal(titles(plan), []);
});

systems('a variable of the wrong kind ends the run in the first wave, with its name', async () => {
  const plan = await alone({}, { kube_max_pods: 'many', kube_runtime: 'rkt' });
  assert.match(failed(plan).join(), /kube_max_pods/);
  assert.match(failed(plan).join(), /kube_runtime/);
  assert.equal(titles(plan), []);
});

systems('an inventory that cannot carry a cluster is refused before anything is changed', async () => {
  const groups = { pki: one, etcd: ['h1', 'h2'], control_plane: one, nodes: one };
  const plan = await planCluster({ hosts: { h1: {}, h2: { machineId: 'b'.repeat(32) } }, groups });
  assert.match(failed(plan).join(), /an odd number of etcd machines/);
  assert.equal(titles(plan), []);
});

systems('a host whose name has capitals is a node in lower case, everywhere', async () => {
  const [host, name] = ['Node-A.Example', 'node-a.example'];
  const machine = [host];
  const plan = await planCluster({
    hosts: { [host]: {} },
    groups: { pki: machine, etcd: machine, control_plane: machine, nodes: machine },
    vars: { kube_binaries: { url: 'https://example.net/{name}', sha256: sums } },
  });
  assert.equal(failed(plan), []);
  const texts = JSON.stringify(plan.tasks);
  assert.match(texts, `system:node:${name}`);
  assert.match(texts, new RegExp(`--hostname-override=${name}`));
  assert.not.match(texts, new RegExp(`(system:node:|hostname-override=)${host}`));
});

systems('a name of a node that Kubernetes would refuse is refused first', async () => {
  const plan = await alone({ os: 'ubuntu' }, { kube_node_name: 'Node_A' });
  assert.match(failed(plan).join(), 'in lower case, as Kubernetes has them');
});

systems.run();
