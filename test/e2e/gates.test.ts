import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { Cluster, materials, type Run, until } from './support/cluster.ts';

const gates = suite('gates', { timeout: 900_000 });
const hosts = ['h1', 'h2', 'h3'];
let cluster: Cluster;

gates('with cfssl stopped no kubelet is ever started, and the same run goes on once cfssl is', async () => {
  await bare();
  // Held back until cfssl is stopped: kpush itself starts it, and would pass the gate at once.
  await refuse(8888);
  const run = cluster.kpush(['apply', '--yes']);
  await until(300, async () => ((await active('h1', 'cfssl.service')) ? undefined : 'cfssl does not run yet'));
  await cluster.lab.sh('h1', 'systemctl stop cfssl.service');
  await accept(8888);
  await pause(20);
  for (const host of ['h2', 'h3']) {
    assert.is(await cluster.lab.sh(host, 'test -x /usr/local/bin/kubelet && echo there'), 'there');
    assert.is(await cluster.lab.sh(host, 'test -e /etc/systemd/system/kubelet.service && echo there'), 'there');
    assert.is(await kubeletLines(host), '0', host);
  }
  await cluster.lab.sh('h1', 'systemctl start cfssl.service');
  const done = await run;
  assert.is(done.code, 0, done.output.slice(-4000));
  assert.match(done.output, /waits +gate the CA answers every machine/);
  assert.equal(await cluster.nodes(), { h2: true, h3: true });
});

gates('a CA with another fingerprint than the pinned one ends the run at once', async () => {
  const run = await cluster.kpush(['apply', '--yes'], { vars: { kube_ca_fingerprint: 'ab'.repeat(32) } });
  assert.is(run.code, 5, run.output.slice(-2000));
  assert.match(run.output, /has the fingerprint [0-9a-f]{64}, expected abab/);
  assert.match(run.output, /the CA answers every machine +failed for \d, passed for 0, 1 attempt/);
});

gates('an apiserver that is not trusted ends a gate at once, and a refused one is waited for', async () => {
  await cluster.lab.sh(
    'h2',
    'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout /dev/null -out /tmp/other.pem -days 2 -subj /CN=other',
  );
  const distrusted = await gateAlone({ url: await endpoint(6443), ca: '/tmp/other.pem' }, 60);
  assert.is(distrusted.code, 5, distrusted.output);
  assert.match(distrusted.output, /the certificate is not trusted/);
  assert.ok(distrusted.seconds < 20, `took ${distrusted.seconds} s`);
  const refused = await gateAlone({ url: await endpoint(6444), ca: '/etc/kubernetes/pki/ca.pem' }, 8);
  assert.is(refused.code, 5, refused.output);
  assert.match(refused.output, /not within 8 s/);
});

gates('nodes wait for an apiserver that is a minute late, and go on when it answers', async () => {
  await bare();
  await refuse(6443);
  const run = cluster.kpush(['apply', '--yes']);
  await until(300, async () => ((await active('h1', 'kube-apiserver.service')) ? undefined : 'no apiserver yet'));
  await pause(60);
  for (const host of ['h2', 'h3']) assert.is(await kubeletLines(host), '0', host);
  await accept(6443);
  const done = await run;
  assert.is(done.code, 0, done.output.slice(-4000));
  assert.match(done.output, /waits +gate the apiserver answers/);
  assert.equal(await cluster.nodes(), { h2: true, h3: true });
});

gates('without a network for pods the run ends at the deadline, with the reason', async () => {
  await bare();
  const vars = { kube_cni: 'none', kube_online_strategy: 'ready', kube_deadlines: { online: 30 } };
  const run = await cluster.kpush(['apply', '--yes'], { vars });
  assert.is(run.code, 5, run.output.slice(-4000));
  assert.match(run.output, /not within 30 s: node h[23] is not Ready: .*cni (plugin|config)/);
  assert.match(run.output, /kubelet\.service/);
  assert.not.match(run.output, /wave 13 of 14/);
});

async function bare() {
  await materials();
  if (cluster) await Promise.all(hosts.map((host) => cluster.lab.reset(host)));
  else cluster = new Cluster(await Lab.up({ hosts: 3, base: 'kube' }));
}

/** A port that is not open yet, as seen from everywhere. */
async function refuse(port: number) {
  await cluster.lab.sh('h1', `iptables -I INPUT -p tcp --dport ${port} -j REJECT --reject-with tcp-reset`);
}

async function accept(port: number) {
  await cluster.lab.sh('h1', `iptables -D INPUT -p tcp --dport ${port} -j REJECT --reject-with tcp-reset`);
}

async function active(host: string, unit: string): Promise<boolean> {
  return (await cluster.lab.exec(host, `systemctl is-active ${unit}`)).stdout.trim() === 'active';
}

async function kubeletLines(host: string): Promise<string> {
  return cluster.lab.sh(host, 'journalctl --quiet --no-pager -u kubelet.service | wc -l');
}

async function endpoint(port: number): Promise<string> {
  return `https://${cluster.lab.hosts[0]!.address}:${port}`;
}

/** A play on h2 that has nothing but the gate. */
async function gateAlone(params: { url: string; ca: string }, deadline: number): Promise<Run> {
  const playbook = join(cluster.dir, 'gate.yaml');
  const play = { hosts: 'h2', gather_facts: false, tasks: [], gates: [{ kube_apiserver_online: params, deadline }] };
  writeFileSync(playbook, JSON.stringify([play]));
  return cluster.kpush(['apply', '--yes', playbook]);
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

gates.run();
