import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { seedOrder, seedTree } from '../e2e/support/seed-tree.ts';
import { suite } from '../support/harness.ts';
import { tempFolder } from '../support/temp.ts';
import { planCluster } from './support/plan-cluster.ts';
import { cycleIn, textsOf, unitsOf, words } from './support/units.ts';

/** The units of one machine that is everything, with the seed's own runtime, network and extraction on the host. */
const units = suite('units on paper', { timeout: 120_000 });
const golden = new URL('golden/units.txt', import.meta.url);
const one = ['h1'];
let texts: Map<string, string>;
let found: Map<string, string>;

units('are planned, with docker, flannel and a hyperkube image on the host', async () => {
  const plan = await planCluster({
    hosts: { h1: { hasPackages: true, units: ['docker.service', 'containerd.service'] } },
    groups: { pki: one, etcd: one, control_plane: one, nodes: one },
    vars: {
      ...{
        kube_runtime: 'docker',
        kube_cni: 'flannel',
        kube_flannel: { url: 'https://example.net/flanneld', sha256: 'ab'.repeat(32) },
      },
      kube_hyperkube: { source: 'registry.example/hyperkube:v1.18.20', via: 'host' },
      kube_version: 'v1.18.20',
    },
  });
  [texts, found] = [textsOf(plan.tasks), unitsOf(plan.tasks)];
  assert.ok(found.size >= 25, [...found.keys()].join(' '));
});

units('are as reviewed', () => {
  const text = [...texts]
    .filter(([path]) => path.startsWith('/etc/systemd/system/'))
    .map(([path, unit]) => `=== ${path}\n${unit}`)
    .sort()
    .join('\n');
  if (process.env.KPUSH_GOLDEN === 'write') writeFileSync(golden, text);
  assert.is(text, readFileSync(golden, 'utf8'));
});

units('hang below the parents that they have in the seed', () => {
  for (const { unit, parent } of seedTree) {
    const text = found.get(unit);
    // What the distribution brings is enabled as it is.
    if (!text) assert.ok(['docker.service', 'network-online.target'].includes(unit), `${unit} is not written`);
    else
      assert.ok(
        words(text, 'WantedBy').includes(parent.replace('default.target', 'multi-user.target')),
        `${unit} below ${parent}`,
      );
  }
});

units('are ordered as in the seed', () => {
  for (const [earlier, later] of seedOrder) {
    const says =
      words(found.get(later) ?? '', 'After').includes(earlier) ||
      words(found.get(earlier) ?? '', 'Before').includes(later);
    const implied = later.endsWith('.target') && words(found.get(earlier) ?? '', 'WantedBy').includes(later);
    assert.ok(says || implied, `${later} after ${earlier}`);
  }
});

units('have no cycle, and a planted one is found', () => {
  assert.is(cycleIn(found), undefined);
  const planted = new Map(found).set(
    'cfssl-online.service',
    `${found.get('cfssl-online.service')}\nAfter=kubernetes.target\n`,
  );
  assert.ok((cycleIn(planted) ?? []).includes('kubernetes.target'));
});

units('extract when either program is missing: two conditions of which any is enough', () => {
  const unit = found.get('hyperkube-extract.service')!;
  assert.equal(words(unit, 'ConditionPathExists'), ['|!/usr/local/bin/kubelet', '|!/usr/local/bin/kubectl']);
});

units('start the kubelet after its runtime without requiring it, and do nothing else there', () => {
  const unit = found.get('kubelet.service')!;
  assert.ok(words(unit, 'Wants').includes('docker.service') && words(unit, 'After').includes('docker.service'));
  assert.not.match(unit, /^(Requires|BindsTo|ExecStartPre)=/m);
  assert.equal(words(unit, 'Restart'), ['on-failure']);
});

for (const name of [
  'cfssl-online',
  'kube-apiserver-online',
  'node-online',
  'kube-certmgr-bootstrap',
  'flannel-rbac-bootstrap',
  'kube-addon-manager',
])
  units(`${name} waits with a deadline, and stays reached`, () => {
    const unit = found.get(`${name}.service`)!;
    assert.equal([words(unit, 'Type'), words(unit, 'RemainAfterExit')], [['oneshot'], ['yes']]);
    assert.match(unit, /^TimeoutStartSec=[1-9]\d*$/m);
  });

units('give docker its options as several words', () => {
  const dropIn = texts.get('/etc/systemd/system/docker.service.d/kubernetes.conf')!;
  assert.match(dropIn, /^ExecStart=\/.* \$DOCKER_OPTS( |$)/m);
  assert.not.match(dropIn, /\$\{/);
});

units('run helpers that every shell can read', () => {
  const folder = 'playbooks/roles/units/files';
  for (const file of readdirSync(folder))
    for (const shell of ['sh', 'bash']) execFileSync(shell, ['-n', `${folder}/${file}`]);
});

units('leave renewal to certmgr where it is given, with a spec for each certificate that may be renewed', async () => {
  const program = join(tempFolder('certmgr'), 'certmgr');
  writeFileSync(program, 'not run here');
  const plan = await planCluster({
    hosts: { h1: { hasPackages: true, units: ['containerd.service'] } },
    groups: { pki: one, etcd: one, control_plane: one, nodes: one },
    vars: { kube_certmgr: program },
  });
  assert.equal(
    plan.tasks.filter(({ status }) => status === 'failed').map(({ message }) => message),
    [],
  );
  const written = textsOf(plan.tasks);
  assert.match(written.get('/etc/systemd/system/certmgr.service')!, /^ExecStart=\/usr\/local\/bin\/certmgr -f /m);
  assert.not.ok(written.has('/etc/systemd/system/certmgr.timer'));
  assert.is(parse(written.get('/etc/kubernetes/certmgr.yaml')!).before, '72h');
  const spec = JSON.parse(written.get('/etc/kubernetes/certmgr-specs/kubelet.json')!);
  assert.equal([spec.service, spec.action, spec.request.CN], ['kubelet', 'restart', 'system:node:h1']);
  assert.equal(spec.request.names, [{ O: 'system:nodes' }]);
  assert.is(spec.private_key.mode, '0600');
  assert.is(spec.authority.auth_key_file, '/var/lib/kubernetes/secrets/apitoken.secret');
  assert.not.ok(written.has('/etc/kubernetes/certmgr-specs/service-account.json'));
});

units.run();
