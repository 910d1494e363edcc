import * as assert from 'uvu/assert';
import { suite } from '../support/harness.ts';
import { type PaperPlan, planCluster } from './support/plan-cluster.ts';
import { textsOf } from './support/units.ts';

/** The story of the cluster, planned on two machines: h1 is its control plane, h2 a node. */
const waves = suite('waves on paper', { timeout: 120_000 });
const system = { hasPackages: true, units: ['containerd.service'] };
let plan: PaperPlan;

waves('come in the order of the story', async () => {
  plan = await planCluster({
    hosts: { h1: { ...system, machineId: 'a'.repeat(32) }, h2: { ...system, machineId: 'b'.repeat(32) } },
    groups: { pki: ['h1'], etcd: ['h1'], control_plane: ['h1'], nodes: ['h2'] },
    vars: { kube_cni_plugins: { url: 'https://example.net/cni.tgz', sha256: 'ab'.repeat(32) } },
  });
  assert.equal(
    plan.tasks.filter(({ status }) => status === 'failed').map(({ message }) => message),
    [],
  );
  assert.equal(plan.waves, [
    'Preflight',
    'Dependencies',
    'Binaries',
    'Units',
    'Certificate authority',
    'Certificates',
    'etcd',
    'Control plane',
    'Endpoint of the control plane',
    'RBAC bootstrap',
    'Nodes',
    "Pods' network",
    'Services and addons',
    'Ready',
  ]);
});

waves('end in gates that are asked from where it matters', () => {
  const everywhere = (gate: string) => ['h1', 'h2'].map((from) => `${gate}, from ${from}`);
  const found = new Set(plan.gates);
  for (const gate of [
    ...everywhere('Certificate authority: cfssl_online, on h1'),
    'etcd: etcd_healthy, on h1, from h1',
    'Control plane: kube_apiserver_online, on h1, from h1',
    'Endpoint of the control plane: kube_apiserver_online, on h2, from h2',
    'Nodes: node_registered, on h2, from h2',
    "Pods' network: node_online, on h2, from h2",
    'Ready: unit_online, on h1, from h1',
    'Ready: unit_online, on h2, from h2',
  ])
    assert.ok(found.has(gate), `${gate} is not among\n${plan.gates.join('\n')}`);
});

waves('let no control plane wait for a node, and no addon come before one', () => {
  const at = (name: string) => plan.waves.indexOf(name);
  const onNodes = plan.gates.filter((gate) => /node_(registered|online)/.test(gate));
  assert.ok(onNodes.length > 0 && onNodes.every((gate) => !gate.includes('on h1')));
  assert.ok(at('Control plane') < at('Nodes') && at("Pods' network") < at('Services and addons'));
  const addons = plan.tasks.findIndex(({ name }) => name === 'Manifests are applied');
  assert.ok(addons > plan.tasks.findLastIndex(({ name }) => name === 'The kubelet runs'));
});

waves('load kernel modules and set the kernel, now and at every boot', () => {
  const titles = plan.tasks.filter(({ host }) => host === 'h2').flatMap(({ steps }) => steps.map(({ title }) => title));
  assert.ok(titles.includes('load kernel module br_netfilter') && titles.includes('load kernel module overlay'));
  const texts = textsOf(plan.tasks, 'h2');
  assert.is(texts.get('/etc/modules-load.d/kubernetes.conf'), 'br_netfilter\noverlay\n');
  const sysctl = texts.get('/etc/sysctl.d/99-kubernetes.conf') ?? '';
  for (const name of [
    'net.ipv4.ip_forward',
    'net.bridge.bridge-nf-call-iptables',
    'net.bridge.bridge-nf-call-ip6tables',
  ])
    assert.match(sysctl, new RegExp(`^${name} ?= ?1$`, 'm'));
});

waves('unpack CNI plugins, once their checksum is right, for root below /opt/cni/bin', () => {
  const steps = plan.tasks.filter(({ host, origin }) => host === 'h2' && origin.file.endsWith('cni-plugins.yml'));
  assert.equal(
    steps.filter(({ status }) => status !== 'skipped').map(({ name, status }) => `${name}: ${status}`),
    ['Folder of CNI plugins: changed', 'CNI plugins from the net: changed', 'Unpacked: unknown'],
  );
});

waves.run();
