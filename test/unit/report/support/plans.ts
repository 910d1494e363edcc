import type { Diff } from '../../../../src/core/steps.ts';
import { names, Scenario } from './scenario.ts';

const config = (address: string): Diff[] => [
  {
    kind: 'text',
    path: '/etc/kubelet.conf',
    before: 'address: 0.0.0.0\nport: 10250\nreadOnlyPort: 10255\n',
    after: `address: ${address}\nport: 10250\nreadOnlyPort: 0\n`,
  },
  {
    kind: 'fields',
    subject: '/etc/kubelet.conf',
    fields: [
      { name: 'mode', before: '0640', after: '0644' },
      { name: 'owner', before: 'nobody', after: 'root' },
    ],
  },
];

const step = (title: string, diff?: Diff[], always?: boolean) => [{ key: 'k', title, diff, always }];

/** Three hosts, everything a plan can say at least once. */
export function fullPlan(): Scenario {
  const s = new Scenario(names('h', 3), { verb: 'plan' });
  for (const host of s.hosts)
    s.emit({ type: 'probe', host, task: 't', origin: s.origin('Format'), command: 'test -e /var/lib/x\nand more' });
  s.emit({
    type: 'warning',
    message: 'group `nodes` is empty',
    origin: { file: 'inventory/lab.yaml', line: 4, column: 3 },
  });
  s.play(1, 2, 'Prepare nodes', s.hosts, [['h1'], ['h2', 'h3']], 2);
  for (const host of s.hosts) {
    s.task(host, 'Look around', 'ok');
    const mode: Diff = {
      kind: 'fields',
      subject: '/etc/hello',
      fields: [{ name: 'mode', before: null, after: '0644' }],
    };
    const made: Diff = { kind: 'text', path: '/etc/hello', before: null, after: 'hello\n\x1b]0;evil\x07world' };
    s.task(host, 'Say hello', 'changed', { module: 'copy', steps: step('write /etc/hello', [made, mode]) });
    s.task(host, 'Write kubelet config', 'changed', {
      module: 'template',
      steps: step('write /etc/kubelet.conf', config(host === 'h3' ? '10.0.0.3' : '10.0.0.1')),
    });
    const key: Diff = { kind: 'text', path: '/etc/pki/ca-key.pem', before: 'old', after: 'new secret' };
    s.task(host, 'Write the key', 'changed', { steps: step('write key', [key]) });
    s.task(host, 'Big blob', 'changed', {
      steps: step('put', [{ kind: 'bytes', path: '/usr/bin/hyperkube', before: null, after: 'sha256:0011, 430 MiB' }]),
    });
  }
  for (const host of ['h1', 'h2']) {
    s.task(host, 'Install etcd', 'unknown', { module: 'apt', why: 'known after get_url: fetch list', steps: [] });
    s.task(host, 'Format', 'changed', { always: true, steps: step('run mkfs /dev/vdb', undefined, true) });
  }
  s.task('h3', 'Remove the old', 'changed', {
    items: [
      { label: 'a', status: 'changed' },
      { label: 'b', status: 'ok' },
      { label: 'c', status: 'changed' },
    ],
    steps: step('remove', [{ kind: 'text', path: '/etc/old', before: 'x\n', after: null }]),
  });
  s.task('h1', 'Check disk', 'failed', {
    module: 'assert',
    message: 'less than 10 GiB free',
    hint: 'make room on /var',
  });
  s.task('h2', 'Guess', 'changed', { provisional: 'if "Format" leaves it alone', steps: step('guess it') });
  for (const host of s.hosts) s.gate(host, 'apiserver online', 'planned', { from: host });
  s.playEnd(1);
  s.play(2, 2, 'Start', s.hosts);
  s.task('h2', 'restart kubelet', 'changed', {
    play: 'p2',
    handler: true,
    role: 'kubelet',
    because: ['Write kubelet config'],
    steps: step('restart', [
      { kind: 'fields', subject: 'unit kubelet', fields: [{ name: 'state', before: 'active', after: 'restarted' }] },
    ]),
  });
  for (const host of s.hosts) s.gate(host, 'cfssl online', 'planned', { play: 'p2', host: 'h1', from: host });
  s.emit({
    type: 'host-lost',
    host: 'h3',
    kind: 'unreachable',
    message: 'connection refused',
    facts: { hint: 'is sshd up?' },
  });
  return s.playEnd(2).end(4, 'unreachable', 3.2);
}

/** 200 hosts that change alike but for a few. */
export function widePlan(): Scenario {
  const s = new Scenario(names('node', 200), { verb: 'plan' });
  s.play(1, 1, 'Everywhere', s.hosts, [s.hosts.slice(0, 1), s.hosts.slice(1, 50), s.hosts.slice(50)]);
  s.hosts.forEach((host, i) => {
    const address = i % 97 === 5 ? '10.9.9.9' : '10.0.0.1';
    s.task(host, 'Write kubelet config', 'changed', { steps: step('write', config(address)) });
    if (i > 189) s.task(host, 'Only the last', 'changed', { steps: step(`do ${i}`) });
  });
  return s.playEnd(1).end(0, 'ok', 9);
}

export function emptyPlan(): Scenario {
  const s = new Scenario(names('h', 3), { verb: 'plan' });
  s.play(1, 1, 'Prepare nodes');
  for (const host of s.hosts) s.task(host, 'Look around', 'ok').task(host, 'Not here', 'skipped');
  return s.playEnd(1).end(0, 'ok', 0.4);
}
