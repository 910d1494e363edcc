import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { Cluster, materials } from './support/cluster.ts';
import { untouched } from './support/roll.ts';
import { deployWorkload } from './support/workload.ts';

/** h1 is everything but a node, h2 and h3 carry pods, h4 waits to be needed. */
const rebuild = suite('rebuild', { timeout: 900_000 });
const kit = join(import.meta.dirname, '../lab-kit/cli.ts');
let cluster: Cluster;

rebuild('a cluster with a workload behind a budget, and a machine to spare', async () => {
  await materials();
  const lab = await Lab.up({ hosts: 4, base: 'kube' });
  const groups = { pki: ['h1'], etcd: ['h1'], control_plane: ['h1'], nodes: ['h2', 'h3', 'h4'] };
  cluster = new Cluster(lab, { groups });
  const built = await cluster.kpush(['apply', '--yes', '-l', 'h1,h2,h3']);
  assert.is(built.code, 0, built.output.slice(-4000));
  assert.equal(await cluster.nodes(), { h2: true, h3: true });
  await deployWorkload(cluster, { endsAtOnce: true });
});

rebuild('a dry run says what leaves, what goes and what cannot be known yet, and changes nothing', async () => {
  const before = await states();
  const wiped = await cluster.kpush(['rebuild', 'h2', '--dry-run']);
  assert.is(wiped.code, 0, wiped.output.slice(-4000));
  for (const name of ['h2 (on h1)', '/usr/local/bin/kubelet', '/var/lib/kubelet', 'known'])
    assert.ok(wiped.output.includes(name), `${name} is not in\n${wiped.output.slice(0, 6000)}`);
  const anew = await cluster.kpush(['rebuild', 'h2', '--reprovision', 'true', '--dry-run']);
  assert.is(anew.code, 0, anew.output.slice(-4000));
  assert.match(anew.output, /made anew/);
  assert.equal(await states(), before);
});

rebuild(
  'a worker whose machine is destroyed and booted bare in the middle is Ready again; the others were never touched',
  async () => {
    const [others, old] = [await Promise.all(['h1', 'h3'].map((host) => untouched(cluster, host))), await identity()];
    const command = `node --import tsx ${kit} replace --id ${cluster.lab.id} "$KPUSH_NODE"`;
    const run = await cluster.kpush([
      'rebuild',
      'h2',
      '--reprovision',
      `cd ${join(kit, '../../..')} && ${command}`,
      '--yes',
    ]);
    assert.is(run.code, 0, run.output.slice(-6000));
    assert.equal(await states(), { h2: 'Ready', h3: 'Ready' });
    const now = await identity();
    for (const name of ['boot', 'key', 'uid', 'machine'] as const) assert.is.not(now[name], old[name], name);
    assert.ok(
      knownKeys('h2').includes(now.key) && !knownKeys('h2').includes(old.key),
      'known_hosts has the new key alone',
    );
    assert.equal(await Promise.all(['h1', 'h3'].map((host) => untouched(cluster, host))), others);
    assert.match((await cluster.kpush(['apply', '--yes', '-l', 'h1,h2,h3'])).output, /nothing changed/);
  },
);

rebuild('a spare joins before the first one is drained; what kpush put on that goes and is built again', async () => {
  const [others, uid] = [await Promise.all(['h1', 'h2'].map((host) => untouched(cluster, host))), await uidOf('h3')];
  await cluster.lab.sh('h3', 'mkdir -p /etc/kubernetes && echo mine >/etc/kubernetes/mine.txt');
  const run = await cluster.kpush(['rebuild', 'h3', '--add-first', 'h4', '--yes']);
  assert.is(run.code, 0, run.output.slice(-6000));
  assert.equal(await states(), { h2: 'Ready', h3: 'Ready', h4: 'Ready' });
  assert.is.not(await uidOf('h3'), uid);
  const since = async (node: string) =>
    Date.parse(await cluster.kubectl(`get node ${node} -o jsonpath='{.metadata.creationTimestamp}'`));
  assert.ok((await since('h4')) < (await since('h3')), 'h4 was there before h3 was built again');
  assert.is(await cluster.lab.sh('h3', 'cat /etc/kubernetes/mine.txt'), 'mine');
  assert.equal(await Promise.all(['h1', 'h2'].map((host) => untouched(cluster, host))), others);
});

rebuild('a machine that is not made anew in time stops it, and the same again brings it back', async () => {
  const run = await cluster.kpush(['rebuild', 'h4', 'h3', '--reprovision', 'true', '--wait', '5', '--yes']);
  assert.is(run.code, 2, run.output.slice(-4000));
  assert.match(run.output, /the old one answers: its boot id is the same/);
  assert.equal(await states(), { h2: 'Ready', h3: 'Ready' });
  const again = await cluster.kpush(['rebuild', 'h4', '--yes']);
  assert.is(again.code, 0, again.output.slice(-6000));
  assert.equal(await states(), { h2: 'Ready', h3: 'Ready', h4: 'Ready' });
});

rebuild('the only control plane is refused, with the arithmetic of etcd, and nothing is begun', async () => {
  const before = await states();
  const run = await cluster.kpush(['rebuild', 'h1', '--yes']);
  assert.is(run.code, 2);
  assert.match(run.output, /h1 is the certificate authority of the cluster/);
  assert.equal(await states(), before);
  await cluster.lab.down();
});

async function identity() {
  const [boot, machine, key] = (
    await cluster.lab.sh(
      'h2',
      "cat /proc/sys/kernel/random/boot_id /etc/machine-id; cut -d' ' -f2 /etc/ssh/ssh_host_ed25519_key.pub",
    )
  )
    .trim()
    .split('\n');
  return { boot: boot!, machine: machine!, key: key!, uid: await uidOf('h2') };
}

function uidOf(node: string): Promise<string> {
  return cluster.kubectl(`get node ${node} -o jsonpath='{.metadata.uid}'`);
}

function knownKeys(host: string): string[] {
  const { address } = cluster.lab.hosts.find(({ name }) => name === host)!;
  // New lines are hashed where the machine's ssh_config says so: ssh-keygen finds either kind.
  const found = spawnSync('ssh-keygen', ['-F', address, '-f', cluster.lab.knownHostsPath], { encoding: 'utf8' });
  return found.stdout.split('\n').flatMap((line) => (line.startsWith('#') ? [] : (line.split(' ')[2] ?? [])));
}

/** Name → Ready, and whether it takes pods. */
async function states(): Promise<Record<string, string>> {
  const text = await cluster.kubectl('get nodes --no-headers');
  return Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/).slice(0, 2) as [string, string]),
  );
}

rebuild.run();
