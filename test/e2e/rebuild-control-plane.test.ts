import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { Cluster, materials, until } from './support/cluster.ts';
import { untouched } from './support/roll.ts';

/** Three machines that are everything: each is a member of etcd, an apiserver and a node. */
const rebuild = suite('rebuild of a control plane', { timeout: 900_000 });
const kit = join(import.meta.dirname, '../lab-kit/cli.ts');
const all = ['h1', 'h2', 'h3'];
let cluster: Cluster;

rebuild('three members of etcd hold what is written', async () => {
  await materials();
  const groups = { pki: ['h1'], etcd: all, control_plane: all, nodes: all };
  cluster = new Cluster(await Lab.up({ hosts: 3, base: 'kube' }), { groups });
  await cluster.apply();
  assert.equal(await states(), { h1: 'Ready', h2: 'Ready', h3: 'Ready' });
  assert.equal(Object.keys(await members()), all);
  await cluster.kubectl('create configmap before --from-literal=a=b');
  await cluster.kubectl('-n kube-system create serviceaccount long');
});

rebuild('with a member down the next one is refused, with the arithmetic, and nothing is begun', async () => {
  await cluster.lab.sh('h3', 'systemctl stop etcd');
  const before = [await members(), await Promise.all(['h1', 'h2'].map(left))];
  const run = await cluster.kpush(['rebuild', 'h2', '--yes']);
  assert.is(run.code, 2, run.output.slice(-4000));
  assert.match(
    run.output,
    'h2 of 3 members of etcd would leave: 2 would be left, 1 of them healthy, and the quorum of 3 is 2',
  );
  assert.equal([await members(), await Promise.all(['h1', 'h2'].map(left))], before);
  assert.equal((await states()).h2, 'Ready');
  await cluster.lab.sh('h3', 'systemctl start etcd');
  await healthy();
});

rebuild('two at once are taken one after the other or not at all: a reset of both is refused', async () => {
  const run = await cluster.kpush(['reset', 'h2', 'h3', '--yes']);
  assert.is(run.code, 2, run.output.slice(-4000));
  assert.match(
    run.output,
    /h2, h3 of 3 members of etcd would leave: 1 would be left, 1 of them healthy, and the quorum of 3 is 2/,
  );
  assert.equal(await states(), { h1: 'Ready', h2: 'Ready', h3: 'Ready' });
});

rebuild('the member leaves, its data goes, and it joins again as another one; every write is taken', async () => {
  const [before, others] = [await members(), await Promise.all(['h1', 'h3'].map(left))];
  const writes = writer();
  const run = await cluster.kpush(['rebuild', 'h2', '--yes']);
  const { tried, refused } = await writes.end();
  assert.is(run.code, 0, run.output.slice(-6000));
  console.error(`rebuild: ${tried} writes while h2 was built again, refused: ${refused.length}`);
  assert.ok(tried > 20, `${tried} writes`);
  assert.equal(refused, []);
  await whole(before, 'h2');
  assert.equal(await Promise.all(['h1', 'h3'].map(left)), others);
});

rebuild('the machine of another one is destroyed and booted bare in the middle: so does that', async () => {
  const [before, others] = [await members(), await Promise.all(['h1', 'h2'].map(left))];
  const command = `cd ${join(kit, '../../..')} && node --import tsx ${kit} replace --id ${cluster.lab.id} "$KPUSH_NODE"`;
  const run = await cluster.kpush(['rebuild', 'h3', '--reprovision', command, '--yes']);
  assert.is(run.code, 0, run.output.slice(-6000));
  await whole(before, 'h3');
  assert.equal(await Promise.all(['h1', 'h2'].map(left)), others);
  const again = await cluster.kpush(['apply', '--yes']);
  assert.match(again.output, /nothing changed/, again.output.slice(-3000));
  await cluster.lab.down();
});

rebuild.run();

/** Ready, three members of which the rebuilt one is new, the data on each of them, and apiservers that trust each other. */
async function whole(before: Record<string, string>, rebuilt: string) {
  assert.equal(await states(), { h1: 'Ready', h2: 'Ready', h3: 'Ready' });
  await healthy();
  const now = await members();
  for (const name of all)
    assert.is(now[name] === before[name], name !== rebuilt, `${name}: ${before[name]} → ${now[name]}`);
  const token = (await cluster.kubectl(`-n kube-system get secret -o jsonpath='${tokenOf}'`)).trim();
  for (const host of all) {
    const own = '--endpoints=https://127.0.0.1:2379';
    const keys = await etcdctl(host, own, 'get --keys-only --consistency=s /registry/configmaps/default/before');
    assert.match(keys, '/registry/configmaps/default/before', host);
    const api = `--kubeconfig /dev/null --server https://127.0.0.1:6443 --certificate-authority /etc/kubernetes/pki/ca.pem`;
    const taken = await cluster.lab.exec(host, `kubectl ${api} --token $(echo ${token} | base64 -d) get --raw /api`);
    assert.match(
      taken.stdout,
      /APIVersions/,
      `the apiserver of ${host} takes a service account of before: ${taken.stderr}`,
    );
  }
}

const tokenOf = '{.items[?(@.metadata.annotations.kubernetes\\.io/service-account\\.name=="long")].data.token}';

/** Writes to etcd twice a second, on a member that stays, until `end`. */
function writer() {
  const [stop, refused] = [new AbortController(), [] as string[]];
  let tried = 0;
  const writing = (async () => {
    while (!stop.signal.aborted) {
      tried++;
      const done = await etcdctl('h1', '--endpoints=https://127.0.0.1:2379', `put /kpush-test ${tried}`).catch(String);
      if (!done.includes('OK')) refused.push(`${tried}: ${done.slice(0, 300)}`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  })();
  return {
    async end() {
      stop.abort();
      await writing;
      return { tried, refused };
    },
  };
}

/** What must not move on a control plane that is left alone. */
async function left(host: string): Promise<string> {
  const starts =
    'systemctl show -p ExecMainStartTimestampMonotonic etcd kube-apiserver kube-controller-manager haproxy';
  return `${await untouched(cluster, host)}${await cluster.lab.sh(host, starts)}`;
}

function etcdctl(host: string, endpoints: string, words: string): Promise<string> {
  const pki = '/etc/kubernetes/pki';
  const tls = `--cacert=${pki}/ca.pem --cert=${pki}/etcd.pem --key=${pki}/etcd-key.pem`;
  return cluster.lab.sh(host, `ETCDCTL_API=3 etcdctl ${tls} ${endpoints} ${words}`, { timeoutMs: 30_000 });
}

/** Name → id, sorted by name. */
async function members(): Promise<Record<string, string>> {
  const text = await etcdctl('h1', '--endpoints=https://127.0.0.1:2379', 'member list');
  const rows = text
    .trim()
    .split('\n')
    .map((line) => line.split(', '));
  return Object.fromEntries(rows.map(([id, , name]) => [name!, id!] as const).sort());
}

/** Every member answers for itself. */
function healthy(): Promise<number> {
  return until(60, async () => {
    const said = await Promise.all(
      all.map((host) => etcdctl(host, '--endpoints=https://127.0.0.1:2379', 'endpoint health 2>&1').catch(String)),
    );
    return said.every((text) => /is healthy/.test(text)) ? undefined : said.join('\n');
  });
}

/** Name → Ready, and whether it takes pods. */
async function states(): Promise<Record<string, string>> {
  const text = await cluster.kubectl('get nodes --no-headers');
  const rows = text
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/).slice(0, 2) as [string, string]);
  return Object.fromEntries(rows);
}
