import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { FactKey } from '../../src/core/facts.ts';
import type { Diff } from '../../src/core/steps.ts';
import { suite } from '../support/harness.ts';
import { factOf } from '../unit/modules/world-words.ts';
import { type PaperPlan, planCluster } from './support/plan-cluster.ts';
import { textsOf } from './support/units.ts';

/** What `kpush upgrade --dry-run` tells, planned on paper: a control plane and two nodes that cluster.yaml made. */
const upgrade = suite('upgrade on paper', { timeout: 120_000 });
const [from, to] = ['v1.22.17', 'v1.23.17'];
const system = { hasPackages: true, units: ['containerd.service'] };
const hosts = Object.fromEntries(
  ['h1', 'h2', 'h3'].map((name, at) => [name, { ...system, machineId: String(at + 1).repeat(32) }]),
);
const groups = { pki: ['h1'], etcd: ['h1'], control_plane: ['h1'], nodes: ['h2', 'h3'] };
const before = {
  kube_binaries: { url: 'https://example.net/{name}' },
  kube_version: from,
  kube_kubelet_flags: { v: 2 },
};
const after = {
  ...{ ...before, kube_version: to, kube_kubelet_flags: { 'log-flush-frequency': '5s' } },
  ...{ kube_kubelet_config: { maxPods: 60 }, kube_pause_image: 'registry.k8s.io/pause:3.10' },
  ...{ kube_dns_image: 'registry.k8s.io/coredns/coredns:v1.8.6', kube_cni_conf_dir: '/etc/cni/other.d' },
};
let built: Record<string, Map<string, string>>;
let plan: PaperPlan;

upgrade('is planned over a cluster as cluster.yaml leaves it', async () => {
  const cluster = await planCluster({ hosts, groups, vars: before });
  built = Object.fromEntries(Object.keys(hosts).map((host) => [host, textsOf(cluster.tasks, host)]));
  plan = await planned({});
  assert.equal(
    plan.tasks.filter(({ status }) => status === 'failed').map(({ name, message }) => `${name}: ${message}`),
    [],
  );
});

upgrade('tells releases now and after, as what runs says it is', () => {
  assert.equal(notesOf('h1', 'What runs here'), [
    ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'].map(
      (name) => `${name} ${from} -> ${to}`,
    ),
  ]);
  assert.equal(
    notesOf('h2', 'What runs here'),
    ['kubelet', 'kube-proxy', 'kubectl'].map((name) => `${name} ${from} -> ${to}`),
  );
  const asked = plan.asked.filter(({ family }) => family === 'running-version').map(({ host, id }) => `${host} ${id}`);
  assert.ok(asked.includes('h2 kubelet.service') && asked.includes('h1 kube-apiserver.service'), asked.join());
});

upgrade('tells the verdict of the skew policy', () => {
  assert.match(
    notesOf('h1', 'Every moment of the roll')[0],
    /^\d+ moments judged, all within the version skew policy$/,
  );
});

upgrade('tells when each certificate ends, and which are due', () => {
  for (const host of ['h1', 'h2'])
    for (const note of notesOf(host, 'When certificates end')) assert.match(note, /\.pem ended on 2026-01-04: due$/);
  assert.ok(notesOf('h1', 'When certificates end').length > 5);
});

upgrade('tells which pods go, with the time they have, and what that disrupts', () => {
  assert.equal(notesOf('h2', 'Nothing would keep')[0], '2 pods have to go, and may');
  assert.match(
    notesOf('h2', 'Nothing would keep')[1],
    /^estimated disruption: 2 pods end .* in up to 30 s, or 45 s where/,
  );
  assert.match(notesOf('h3', 'Nothing would keep')[1], /^estimated disruption: no pod ends/);
  assert.equal(fieldsOf('h2', 'Its pods go elsewhere'), [
    'node h2: pod default/web-1: on h2 -> evict; it has 15 s to end',
    'node h2: pod default/web-2: on h2 -> evict; it has 30 s to end',
  ]);
});

upgrade('tells evictions that would be refused, with the budget, and ends there', async () => {
  const words = 'The disruption budget web needs 2 healthy pods and has 2 currently';
  const told = [{ pod: 'default/web-1', status: 429, message: words }];
  const blocked = await planned({ 'kube-evictions': (host) => ({ told: host === 'h2' ? told : [] }) });
  const failed = blocked.tasks.filter(({ status }) => status === 'failed');
  assert.equal(
    failed.map(({ host, message }) => `${host}: ${message}`),
    [`h2: h2 cannot be drained now: pod default/web-1: ${words}`],
  );
  assert.equal(blocked.waves, ['Checks']);
});

upgrade('tells flags that vanish and appear', () => {
  const kubelet = textDiff('h2', '/etc/systemd/system/kubelet.service');
  assert.ok(
    kubelet.gone.some((line) => line.includes('--v=2')),
    kubelet.gone.join('\n'),
  );
  assert.ok(
    kubelet.come.some((line) => line.includes('--log-flush-frequency=5s')),
    kubelet.come.join('\n'),
  );
  // 1.23 no longer serves without TLS.
  const manager = textDiff('h1', '/etc/systemd/system/kube-controller-manager.service');
  assert.ok(
    manager.gone.some((line) => line.includes('--port=0')),
    manager.gone.join('\n'),
  );
});

upgrade('tells keys of configuration that change', () => {
  const { gone, come } = textDiff('h2', '/etc/kubernetes/kubelet.yaml');
  assert.ok(gone.includes('maxPods: 110') && come.includes('maxPods: 60'), [...gone, ...come].join('\n'));
});

upgrade('tells images and the configuration of CNI that change', () => {
  const { gone, come } = textDiff('h2', '/etc/containerd/config.toml');
  assert.equal(
    [gone, come].map((lines) => lines.map((line) => line.trim())),
    [
      ['sandbox_image = "registry.k8s.io/pause:3.9"', 'conf_dir = "/etc/cni/net.d"'],
      ['sandbox_image = "registry.k8s.io/pause:3.10"', 'conf_dir = "/etc/cni/other.d"'],
    ],
  );
  assert.match(textsOf(plan.tasks, 'h1').get('/etc/kubernetes/addons/coredns.yaml') ?? '', /coredns:v1\.8\.6/);
});

upgrade('tells units that restart, and why', () => {
  const restarted = (host: string, unit: string, why: string[]) => {
    const fields = allFields(host).filter((line) => line.startsWith(`${unit}: `));
    assert.ok(fields.includes(`${unit}: state: active -> restarted`), fields.join('\n'));
    const newer = fields.find((line) => line.startsWith(`${unit}: newer than its start`)) ?? '';
    for (const path of why) assert.ok(newer.includes(path), newer);
  };
  restarted('h1', 'kube-apiserver.service', ['/usr/local/bin/kube-apiserver']);
  restarted('h1', 'kube-controller-manager.service', ['/etc/systemd/system/kube-controller-manager.service']);
  restarted('h2', 'containerd.service', ['/etc/containerd/config.toml']);
  restarted('h2', 'kubelet.service', ['/usr/local/bin/kubelet', '/etc/kubernetes/kubelet.yaml']);
  restarted('h2', 'kube-proxy.service', ['/usr/local/bin/kube-proxy']);
});

upgrade('tells the order of waves and batches, and where it stops', async () => {
  const starts = (found: PaperPlan) => found.events.flatMap((event) => (event.type === 'play-start' ? [event] : []));
  assert.equal(
    starts(plan).map(({ name, batches, stopsAt }) => [
      name,
      batches.map((batch) => batch.join(' ')).join(' | '),
      stopsAt,
    ]),
    [
      ['Checks', 'h1 h2 h3', 1],
      ['Download and verify', 'h1 h2 h3', 1],
      ['Control plane', 'h1', 1],
      ['Nodes', 'h2 | h3', 1],
      ['Ready', 'h1 h2 h3', undefined],
    ],
  );
  const patient = await planned({}, { kube_upgrade_max_failures: 1 });
  assert.is(starts(patient).find(({ name }) => name === 'Nodes')?.stopsAt, 2);
});

upgrade.run();

const pem = /-----BEGIN[\s\S]*?-----END CERTIFICATE-----/
  .exec(readFileSync('test/unit/modules/kube_expiry/kube_expiry.yaml', 'utf8'))![0]
  .replace(/^ +/gm, '');

type Answers = Record<string, (host: string) => unknown>;

function planned(own: Answers, vars: Record<string, unknown> = {}): Promise<PaperPlan> {
  const all = { ...answers(), ...own };
  const answer = (host: string, key: FactKey) => answerOf(host, key, built[host]!, all);
  return planCluster({ hosts, groups, vars: { ...after, ...vars }, playbook: 'upgrade.yaml', answer });
}

/** What the machines of the cluster say; undefined: as a bare one. */
function answerOf(host: string, { family, id }: FactKey, texts: Map<string, string>, all: Answers): unknown {
  const text = texts.get(id) ?? (id.endsWith('.pem') ? `${pem}\n` : undefined);
  const mtime = '50.000000000';
  if (family === 'content') return text === undefined ? undefined : factOf('content', id, text);
  if (family === 'unit' && (id === 'containerd.service' || texts.has(`/etc/systemd/system/${id}`))) return unit(id);
  if (family !== 'file') return all[family]?.(host);
  if (/^\/usr\/local\/bin\/kube/.test(id)) return factOf('file', id, { mode: '0755', mtime });
  if (/^\/run\/systemd\/units\//.test(id)) return factOf('file', id, { kind: 'link', mtime });
  return text === undefined ? undefined : factOf('file', id, { mtime });
}

function unit(id: string) {
  const paths = {
    fragment: `/etc/systemd/system/${id}`,
    dropIns: [],
    install: { wantedBy: [], requiredBy: [], alias: [], also: [] },
  };
  const state = {
    names: [id],
    load: 'loaded',
    active: 'active',
    fileState: 'enabled',
    type: 'simple',
    invocation: 'abc',
  };
  return { ...state, ...paths, properties: {} };
}

function answers(): Answers {
  const flags = { finished: false, leaving: false, mirror: false, localData: false };
  const web = (n: number) => ({
    namespace: 'default',
    name: `web-${n}`,
    uid: `u${n}`,
    controller: 'ReplicaSet',
    grace: 15 * n,
    ...flags,
  });
  const tried = [1, 2].map((n) => ({ pod: `default/web-${n}`, status: 201, message: '' }));
  return {
    'running-version': () => from,
    tree: () => ({ exists: false, entries: [], more: false }),
    'kube-node': () => ({ told: { cordoned: false, mark: '' } }),
    'kube-pods': (host) => ({ told: host === 'h2' ? [web(1), web(2)] : [] }),
    'kube-evictions': (host) => ({ told: host === 'h2' ? tried : [] }),
  };
}

function notesOf(host: string, name: string): [string, string, ...string[]] {
  const task = plan.tasks.find((one) => one.host === host && one.name.includes(name));
  return (task?.notes ?? ['', '']) as [string, string, ...string[]];
}

function diffsOf(host: string, name = ''): Diff[] {
  const tasks = plan.tasks.filter((one) => one.host === host && one.name.includes(name));
  return tasks.flatMap(({ steps }) => steps.flatMap(({ diff }) => diff ?? []));
}

function fieldsOf(host: string, name?: string): string[] {
  return diffsOf(host, name).flatMap((diff) =>
    diff.kind === 'fields'
      ? diff.fields.map((field) => `${diff.subject}: ${field.name}: ${field.before} -> ${field.after}`)
      : [],
  );
}

function allFields(host: string): string[] {
  return fieldsOf(host);
}

/** Lines that a text loses and gets. */
function textDiff(host: string, path: string): { gone: string[]; come: string[] } {
  const diff = diffsOf(host).find((one) => one.kind === 'text' && one.path === path);
  const [was, is] =
    diff?.kind === 'text' ? [diff.before ?? '', diff.after ?? ''].map((text) => text.split('\n')) : [[], []];
  return { gone: was!.filter((line) => !is!.includes(line)), come: is!.filter((line) => !was!.includes(line)) };
}
