import * as assert from 'uvu/assert';
import { compareFiles, type FileEntry } from '../lab-kit/files.ts';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { Cluster, materials, until } from './support/cluster.ts';
import { deployWeb, podAddresses } from './support/pods.ts';
import { untouched } from './support/roll.ts';

/** Machines without packages; h3 has things of the user's in the very places where kpush puts its own. */
const reset = suite('reset', { timeout: 900_000 });
let cluster: Cluster;
let before: { files: Map<string, FileEntry>; network: string; units: string };

const mine = `mkdir -p /etc/kubernetes /etc/containerd /etc/cni/net.d /opt/cni/bin /etc/systemd/system/containerd.service.d
echo mine >/etc/kubernetes/notes.txt; echo '# mine' >/etc/containerd/config.toml; echo '{}' >/etc/cni/net.d/99-mine.conflist
printf '[Service]\\n' >/etc/systemd/system/containerd.service.d/mine.conf; echo tool >/opt/cni/bin/mine
touch -d 2020-01-01 /etc/kubernetes/notes.txt /etc/containerd/config.toml
apt-get -qq update; apt-get -qq install socat >/dev/null; sysctl -qw net.ipv4.ip_forward=0
iptables -A INPUT -p tcp --dport 81 -m comment --comment mine -j DROP; iptables -t nat -A POSTROUTING -s 172.31.77.0/24 -j MASQUERADE
ip link add mine0 type bridge; ip addr add 172.31.77.1/24 dev mine0; ip link set mine0 up; ip route add 172.31.78.0/24 dev mine0`;

reset('a machine of the user’s becomes a node, with a pod on it', async () => {
  await materials();
  cluster = new Cluster(await Lab.up({ hosts: 3 }));
  await cluster.lab.sh('h3', mine, { timeoutMs: 120_000 });
  before = await stateOf('h3');
  await cluster.apply();
  await deployWeb(cluster, ['h2', 'h3']);
  await podAddresses(cluster, ['h2', 'h3']);
  assert.equal(await cluster.nodes(), { h2: true, h3: true });
  assert.match(await cluster.lab.sh('h3', 'cat /etc/containerd/config.toml'), /sandbox_image/);
});

reset('a dry run lists by name what goes and what is put back, and changes nothing', async () => {
  const plan = await cluster.kpush(['reset', 'h3', '--force', '--dry-run']);
  assert.is(plan.code, 0, plan.output.slice(-3000));
  for (const name of [
    '/usr/local/bin/kubelet',
    '/etc/systemd/system/kubelet.service',
    '/var/lib/kubelet',
    'containernetworking-plugins',
    'pod default/web-h3',
    'nodes of the cluster',
  ])
    assert.ok(plan.output.includes(name), `${name} is not in\n${plan.output.slice(-6000)}`);
  assert.match(plan.output, /\/etc\/containerd\/config\.toml.*as it was before/);
  assert.equal(await cluster.nodes(), { h2: true, h3: true });
});

reset('nobody is taken apart unasked, by a pattern, or with the certificate authority', async () => {
  const unasked = await cluster.kpush(['reset', 'h3']);
  assert.is(unasked.code, 1);
  assert.match(unasked.output, /--yes/);
  const pattern = await cluster.kpush(['reset', 'nodes', '--yes']);
  assert.is(pattern.code, 1);
  assert.match(pattern.output, /nodes is no machine of the cluster/);
  const root = await cluster.kpush(['reset', 'h1', '--yes']);
  assert.match(root.output, /h1 is the certificate authority/);
  assert.equal(await cluster.nodes(), { h2: true, h3: true });
});

reset('nothing of kpush is left, nothing of the user’s was touched, nor were the others', async () => {
  const others = await Promise.all(['h1', 'h2'].map((host) => untouched(cluster, host)));
  const done = await cluster.kpush(['reset', 'h3', '--force', '--yes']);
  assert.is(done.code, 0, done.output.slice(-5000));
  assert.equal(await cluster.nodes(), { h2: true });
  const after = await stateOf('h3');
  assert.equal(compareFiles(before.files, after.files, ignored), { added: [], removed: [], changed: {} });
  assert.is(after.network, before.network);
  assert.is(after.units, before.units);
  const left = cluster.lab
    .processes('h3')
    .filter(({ cmdline }) => /kube|containerd|etcd|pause/.test(cmdline.join(' ')));
  assert.equal(left, []);
  assert.equal(await Promise.all(['h1', 'h2'].map((host) => untouched(cluster, host))), others);
});

reset('a second reset has nothing to do, and the machine can be a node again', async () => {
  const again = await cluster.kpush(['reset', 'h3', '--yes']);
  assert.is(again.code, 0, again.output.slice(-3000));
  assert.match(again.output, /nothing changed/, again.output.slice(-3000));
  assert.is(await cluster.lab.sh('h3', 'cat /etc/containerd/config.toml'), '# mine');
  await cluster.apply();
  assert.equal(await cluster.nodes(), { h2: true, h3: true });
});

reset('the whole cluster goes at once', async () => {
  const done = await cluster.kpush(['reset', '--whole-cluster', '--yes']);
  assert.is(done.code, 0, done.output.slice(-5000));
  for (const host of ['h1', 'h2', 'h3']) {
    const left = await cluster.lab.sh(
      host,
      'find /etc/kubernetes /var/lib/kubernetes /var/lib/kpush /usr/local/bin /var/lib/cfssl /etc/systemd/system -name "*kube*" -o -name "*cfssl*" -o -name "*.pem" 2>/dev/null || :',
    );
    assert.is(left.trim(), host === 'h3' ? '/etc/kubernetes' : '', host);
  }
  await until(10, async () => ((await cluster.lab.exec('h1', 'pgrep -x etcd')).code === 0 ? 'etcd runs' : undefined));
  await cluster.lab.down();
});

/** What package managers keep for themselves, and what moves by itself. */
const ignored = [
  ...['/var/lib/dpkg', '/var/lib/apt', '/var/cache', '/tmp', '/var/tmp', '/root'],
  ...[
    '/etc/passwd-',
    '/etc/group-',
    '/etc/shadow-',
    '/etc/gshadow-',
    '/etc/ld.so.cache',
    '/var/lib/systemd',
    '/var/log',
  ],
  '.mtimeMs',
];

async function stateOf(host: string) {
  const network = await cluster.lab.sh(
    host,
    `ip -o link | sed 's/^[0-9]*: //; s/ .*//' | sort; ip route | sort; iptables-save | grep '^-A' | sort; cat /proc/sys/net/ipv4/ip_forward; cut -d' ' -f5 /proc/self/mountinfo | grep -E 'kubelet|netns|containerd' | sort`,
  );
  const units = await cluster.lab.sh(
    host,
    "systemctl list-unit-files --no-legend --no-pager | awk '{print $1, $2}' | sort; systemctl list-units --failed --no-legend",
  );
  return { files: await cluster.lab.snapshotFiles(host), network, units };
}

reset.run();
