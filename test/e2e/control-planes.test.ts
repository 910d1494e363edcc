import * as assert from 'uvu/assert';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { Cluster, materials, until } from './support/cluster.ts';
import { deployWeb, podAddresses, servedBy } from './support/pods.ts';

const planes = suite('control planes', { timeout: 900_000 });
const all = ['h1', 'h2', 'h3'];
let three: Cluster;

planes('three machines that are everything become a Ready cluster with three apiservers and etcd members', async () => {
  await materials();
  const groups = { pki: ['h1'], etcd: all, control_plane: all, nodes: all };
  three = new Cluster(await Lab.up({ hosts: 3, base: 'kube' }), { groups });
  await three.apply();
  assert.equal(await three.nodes(), { h1: true, h2: true, h3: true });
  assert.is(await members(), '3');
  const again = await three.kpush(['apply', '--yes']);
  assert.match(again.output, /nothing changed/, again.output.slice(-3000));
});

planes('every machine reaches the control plane through its own haproxy', async () => {
  for (const host of all)
    assert.match(await three.lab.sh(host, 'grep server: /etc/kubernetes/kubelet.conf'), /https:\/\/127\.0\.0\.1:7443/);
});

planes('with one control plane powered off the cluster serves, and kpush applies to the others', async () => {
  await three.lab.poweroff('h1');
  await until(60, async () => ((await three.nodes('h2')).h1 ? 'h1 still counts as Ready' : undefined));
  await three.kubectl('create configmap written-without-h1 --from-literal=a=b', 'h2');
  assert.match(await three.lab.sh('h3', 'kubectl --kubeconfig /etc/kubernetes/kubelet.conf get node h3'), /Ready/);
  const vars = { kube_kubelet_flags: { v: 3 } };
  const applied = await three.kpush(['apply', '--yes', '-l', 'h2,h3'], { vars });
  assert.is(applied.code, 0, applied.output.slice(-4000));
  assert.match(applied.output, /h2: changed +Units/);
});

planes('the machine comes back and everything is Ready again', async () => {
  await three.lab.boot('h1');
  await three.untilReady(3, 120, 'h2');
  assert.match(await three.kubectl('get configmap written-without-h1 -o name', 'h1'), /written-without-h1/);
  await three.lab.down();
});

planes('one machine alone, by a user with sudo and with a read-only /usr, is a cluster', async () => {
  const groups = { pki: ['h1'], etcd: ['h1'], control_plane: ['h1'], nodes: ['h1'] };
  const one = new Cluster(await Lab.up({ hosts: 1, base: 'kube' }), { groups, vars: { ansible_user: 'deploy' } });
  await one.lab.sh('h1', 'mount --bind /usr /usr && mount -o remount,bind,ro /usr');
  await one.apply();
  assert.equal(await one.nodes(), { h1: true });
  assert.match(await one.lab.sh('h1', 'systemctl cat kubelet.service'), /ExecStart=\/opt\/bin\/kubelet/);
  assert.is((await one.lab.exec('h1', 'test -e /usr/local/bin/kubelet')).code, 1);
  await deployWeb(one, ['h1']);
  assert.ok((await podAddresses(one, ['h1'])).h1);
  assert.equal(await servedBy(one, 'h1'), ['web-h1']);
  const again = await one.kpush(['apply', '--yes']);
  assert.match(again.output, /nothing changed/, again.output.slice(-3000));
});

async function members(): Promise<string> {
  const pki = '/etc/kubernetes/pki';
  const tls = `--cacert=${pki}/ca.pem --cert=${pki}/etcd.pem --key=${pki}/etcd-key.pem --endpoints=https://127.0.0.1:2379`;
  return three.lab.sh('h1', `ETCDCTL_API=3 etcdctl ${tls} member list | grep -c started`);
}

planes.run();
