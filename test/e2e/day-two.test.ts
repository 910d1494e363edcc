import { X509Certificate } from 'node:crypto';
import * as assert from 'uvu/assert';
import { suite } from '../support/harness.ts';
import { type Cluster, readyCluster, until } from './support/cluster.ts';

/** What is true of a cluster that runs, and stays true when it is touched again. */
const dayTwo = suite('day two', { timeout: 600_000 });
const hosts = ['h1', 'h2', 'h3'];
const token = '/var/lib/kubernetes/secrets/apitoken.secret';
const pki = '/etc/kubernetes/pki';
let cluster: Cluster;

dayTwo('every machine has the one token, for root alone, and keeps it', async () => {
  cluster = await readyCluster();
  const before = await tokens();
  assert.match(before[0]!, /^[0-9a-f]{32}$/);
  assert.equal(before, Array(3).fill(before[0]));
  for (const host of hosts) assert.is(await cluster.lab.sh(host, `stat -c '%a %U' ${token}`), '600 root');
  const run = await cluster.kpush(['apply', '--yes', '-v']);
  assert.match(run.output, /nothing changed/);
  assert.not.match(run.output, new RegExp(before[0]!));
  assert.equal(await tokens(), before);
});

dayTwo('a new token is made when it is asked for, on every machine, and certificates stay', async () => {
  const [before, certificate] = [await tokens(), await cluster.lab.sh('h2', `cat ${pki}/kubelet.pem`)];
  const run = await cluster.kpush(['apply', '--yes'], { vars: { join_token_rotate: true } });
  assert.is(run.code, 0, run.output.slice(-3000));
  const after = await tokens();
  assert.is.not(after[0], before[0]);
  assert.equal(after, Array(3).fill(after[0]));
  assert.is(await cluster.lab.sh('h2', `cat ${pki}/kubelet.pem`), certificate);
  assert.match((await cluster.kpush(['apply', '--yes'])).output, /nothing changed/);
});

dayTwo(
  'keys are born where they are used: no two machines have one in common, and all are for their owner alone',
  async () => {
    const keys = `find ${pki} -name '*-key.pem' -exec sha256sum {} + | cut -d' ' -f1 | sort -u`;
    const all = (await Promise.all(hosts.map((host) => cluster.lab.sh(host, keys)))).flatMap((text) =>
      text.split('\n'),
    );
    assert.is(new Set(all).size, all.length);
    for (const host of hosts)
      assert.is(
        await cluster.lab.sh(host, `find ${pki} -name '*-key.pem' -perm /077`),
        '',
        `${host}: readable by others`,
      );
  },
);

dayTwo('certificates name what they are for, and end when they were asked to', async () => {
  const certificate = new X509Certificate(await cluster.lab.sh('h1', `cat ${pki}/kube-apiserver.pem`));
  for (const name of [
    'DNS:kubernetes.default.svc',
    'DNS:localhost',
    'IP Address:127.0.0.1',
    `IP Address:${cluster.lab.hosts[0]!.address}`,
  ])
    assert.match(certificate.subjectAltName ?? '', new RegExp(name.replaceAll('.', '\\.')));
  const hours = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 3_600_000;
  assert.ok(Math.abs(hours - 720) < 1, `${hours} hours`);
});

dayTwo('the timer renews a certificate that ends soon, and restarts who uses it', async () => {
  const serial = () => cluster.lab.sh('h2', `openssl x509 -in ${pki}/kubelet.pem -noout -serial`);
  const [before, started] = [await serial(), await startOf('kubelet')];
  await cluster.lab.sh('h2', 'systemctl start certmgr.service');
  assert.is(await serial(), before, 'there is time left');
  await cluster.lab.sh('h2', "sed -i 's/^renew=.*/renew=3600000/' /etc/kubernetes/certmgr.conf");
  await cluster.lab.sh('h2', 'systemctl start certmgr.service');
  assert.is.not(await serial(), before);
  await until(60, async () => ((await startOf('kubelet')) === started ? 'the kubelet is not started anew' : undefined));
  await cluster.untilReady(2, 60);
  await cluster.apply();
});

dayTwo('a machine whose packages ask for a reboot gets it where that is wanted, else the run says so', async () => {
  await cluster.lab.sh('h3', 'touch /run/reboot-required');
  const before = await cluster.lab.sh('h3', 'cat /proc/sys/kernel/random/boot_id');
  const told = await cluster.kpush(['apply', '--yes', '-v']);
  assert.is(told.code, 0, told.output.slice(-3000));
  assert.match(told.output, /h3 asks for a reboot/);
  assert.is(await cluster.lab.sh('h3', 'cat /proc/sys/kernel/random/boot_id'), before);
  const done = await cluster.kpush(['apply', '--yes'], { vars: { kube_reboot: true } });
  assert.is(done.code, 0, done.output.slice(-3000));
  assert.is.not(await cluster.lab.sh('h3', 'cat /proc/sys/kernel/random/boot_id'), before);
  assert.equal(await cluster.nodes(), { h2: true, h3: true });
});

function tokens(): Promise<string[]> {
  return Promise.all(hosts.map((host) => cluster.lab.sh(host, `cat ${token}`)));
}

function startOf(unit: string): Promise<string> {
  return cluster.lab.sh('h2', `systemctl show -p InvocationID ${unit}.service`);
}

dayTwo.run();
