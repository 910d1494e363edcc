import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';

/** kube-wait looks for programs beside itself first: made-up ones answer. It gets a /run of its own. */
const waits = suite('kube-wait', { timeout: 20_000 });
const dir = tempFolder('kube-wait');
copyFileSync('playbooks/roles/units/files/kube-wait', join(dir, 'kube-wait'));
chmodSync(join(dir, 'kube-wait'), 0o755);

interface Look {
  /** Shell text that makes the world. */
  world?: string;
  programs?: Record<string, string>;
  env?: Record<string, string>;
}

/** One look without time to wait: exit code, and the last thing it says. */
function look(words: string[], { world = '', programs = {}, env = {} }: Look): Promise<{ code: number; said: string }> {
  for (const name of ['curl', 'kubectl', 'systemctl'])
    writeFileSync(join(dir, name), `#!/bin/sh\n${programs[name] ?? 'exit 127'}\n`, { mode: 0o755 });
  const script = `mount -t tmpfs tmpfs /run && mkdir -p /run/flannel /run/systemd/units\n${world}\nexec "$@"`;
  const argv = ['--mount', 'sh', '-c', script, 'sh', join(dir, 'kube-wait'), ...words];
  return new Promise((done) => {
    const child = execFile('unshare', argv, { env: { ...process.env, ...env } }, (error, _stdout, stderr) =>
      done({ code: child.exitCode ?? (error ? 1 : 0), said: stderr.trim().split('\n').at(-1) ?? '' }),
    );
  });
}

const flannel = ['node', 'flannel-docker', 'n1', '/kubeconfig', '0', '0'];
const docker = (state: string, id: string) => ({
  systemctl: `case "$*" in *InvocationID*) echo InvocationID=${id};; *ActiveState*) echo ActiveState=${state};; esac`,
});
/** Flannel's options written at second 1000; docker's start of which systemd noted at `started`. */
const written = (applied: string, started?: number) =>
  [
    'echo x >/run/flannel/docker && touch -d @1000 /run/flannel/docker',
    applied && `printf ${applied} >/run/flannel/docker.applied`,
    started !== undefined &&
      `ln -s id /run/systemd/units/invocation:docker.service && touch -h -d @${started} /run/systemd/units/invocation:docker.service`,
  ]
    .filter(Boolean)
    .join('\n');

const cases: [string, Look, number, RegExp][] = [
  ['nothing written by flannel', { programs: docker('active', 'a') }, 1, /flannel has not written/],
  [
    'docker is not running',
    { world: written('a', 2000), programs: docker('inactive', 'a') },
    1,
    /has not been started with/,
  ],
  ['restarted by kpush, in the same second', { world: written('a', 1000), programs: docker('active', 'a') }, 0, /^$/],
  [
    'started in the same second, but before the options',
    { world: written('a', 1000), programs: docker('active', 'b') },
    1,
    /has not been started with/,
  ],
  ['started by hand a second later', { world: written('a', 1001), programs: docker('active', 'b') }, 0, /^$/],
  [
    'started before the options',
    { world: written('a', 900), programs: docker('active', 'b') },
    1,
    /has not been started with/,
  ],
  ['no time of a start', { world: written('a'), programs: docker('active', 'b') }, 1, /has not been started with/],
  [
    'options that were never handed over',
    { world: written('', 2000), programs: docker('active', 'a') },
    1,
    /has not been started with/,
  ],
];
for (const [name, world, code, said] of cases)
  for (const TZ of ['UTC', 'Pacific/Kiritimati'])
    waits(`flannel and docker: ${name} (${TZ})`, async () => {
      const found = await look(flannel, { ...world, env: { TZ } });
      assert.is(found.code, code, found.said);
      assert.match(found.said, said);
    });

const healthy = { curl: 'printf ok' };
const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
const node = (answer: string) => ({ ...healthy, kubectl: `case "$*" in *'get node n1 '*) echo '${answer}';; esac` });
const ready = ['node', 'ready', 'n1', '/kubeconfig', '0', '0'];

waits('a node is ready once its kubelet of this boot says so', async () => {
  assert.is((await look(ready, { programs: node(`${boot} True kubelet is posting ready status`) })).code, 0);
  const stale = await look(ready, { programs: node('other-boot True kubelet is posting ready status') });
  assert.equal([stale.code, /since this boot/.test(stale.said)], [1, true]);
  const not = await look(ready, { programs: node(`${boot} False cni plugin not initialized`) });
  assert.equal([not.code, /node n1 is not Ready: cni plugin not initialized/.test(not.said)], [1, true]);
});

waits('a pod CIDR is that of this very node', async () => {
  const words = ['pod-cidr', 'n1', '/kubeconfig', '0', '0'];
  assert.is((await look(words, { programs: node('198.18.16.0/24') })).code, 0);
  const none = await look(words, { programs: node('') });
  assert.equal([none.code, /node n1 has no pod CIDR yet/.test(none.said)], [1, true]);
});

const url = ['url', 'https://h1:6443/healthz', '/ca.pem', '0', '0'];
const answers: [string, string, number, RegExp][] = [
  ['answers', "printf 'ok\\n200'", 0, /^$/],
  ['is refused', "echo 'curl: (7) refused'; exit 7", 1, /gave up after 0 s: curl: \(7\) refused/],
  ['answers 503', "printf 'no\\n503'", 1, /answers 503/],
  ['answers 403, for now', "printf 'no\\n403'", 1, /answers 403/],
  ['answers 401', "printf 'no\\n401'", 3, /answers 401/],
  ['is not trusted', "echo 'curl: (60) problem'; exit 60", 3, /not trusted: curl: \(60\) problem/],
  ['cannot be asked: no curl', 'exit 127', 3, /cannot ask/],
];
for (const [name, curl, code, said] of answers)
  waits(`an apiserver that ${name}`, async () => {
    const found = await look(url, { programs: { curl } });
    assert.is(found.code, code, found.said);
    assert.match(found.said, said);
  });

waits('what it cannot wait for is refused', async () => assert.is((await look(['nothing'], {})).code, 2));

waits.run();
