import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { parse, stringify } from 'yaml';
import type { TaskEvent } from '../../src/core/events.ts';
import { htmlReport } from '../../src/report/html.ts';
import { Cluster, materials, type Run } from '../e2e/support/cluster.ts';
import { deployWeb, podAddresses, servedBy } from '../e2e/support/pods.ts';
import { Lab } from '../lab-kit/index.ts';
import { kubernetesBuild } from '../lab-kit/kubernetes/build.ts';
import { note, suite } from '../support/harness.ts';
import { lastRun, surprises, tasksOf } from './support/plan-and-apply.ts';

const bringUp = suite('cluster', { timeout: 900_000 });
const workers = ['h2', 'h3'];
let cluster: Cluster;
let first: Run;
let planned: TaskEvent[];

bringUp('a plan on bare hosts goes to the end, with every unknown named', async () => {
  await materials();
  cluster = new Cluster(await Lab.up({ hosts: 3, base: 'kube' }));
  const plan = await cluster.kpush(['plan']);
  assert.is(plan.code, 0, plan.output.slice(-3000));
  assert.not.match(plan.output, /would fail/);
  assert.match(plan.output, /Wave 14 of 14/);
  planned = tasksOf(lastRun(cluster.dir));
  for (const { host, name, status, why } of planned)
    if (status === 'unknown') assert.match(why ?? '', /\S/, `${host}: ${name} does not say what it waits for`);
});

bringUp('apply makes bare hosts a Ready cluster', async () => {
  const start = performance.now();
  first = await cluster.kpush(['apply', '--yes']);
  note(`hosts with packages and binaries at hand were Ready after ${Math.round((performance.now() - start) / 1000)} s`);
  assert.is(first.code, 0, first.output.slice(-5000));
  assert.equal(await cluster.nodes(), { h2: true, h3: true });
  for (const gate of ['the CA answers', 'every member of etcd', 'the node is online', 'kubernetes.target is reached'])
    assert.match(first.output, new RegExp(`${gate}.*passed for`));
});

bringUp('the report of the run tells the time of each wave', () => {
  const page = htmlReport(lastRun(cluster.dir));
  for (const wave of ['wave 1: Preflight', 'wave 8: Control plane', 'wave 14: Ready'])
    assert.match(page, new RegExp(`${wave}, [0-9.]+ (s|m \\d\\d s)`));
});

bringUp('what the apply changed was shown in the plan, or unknown there', () => {
  const applied = tasksOf(lastRun(cluster.dir));
  assert.ok(applied.filter(({ status }) => status === 'changed').length > 50, 'bare hosts have much to change');
  assert.equal(surprises(planned, applied), []);
});

bringUp('the time of each wave is told', () => {
  for (const wave of ['Preflight', 'Certificates', 'Control plane', 'Nodes'])
    assert.match(first.output, new RegExp(`[0-9.]+ s  wave \\d+: ${wave}`));
});

bringUp('a second apply changes nothing on any host', async () => {
  const second = await cluster.kpush(['apply', '--yes']);
  assert.is(second.code, 0, second.output.slice(-3000));
  assert.match(second.output, /nothing changed/);
});

bringUp('status asks every gate once: all pass, and one that does not is told with its reason', async () => {
  const fine = await cluster.kpush(['status']);
  assert.is(fine.code, 0, fine.output);
  const [, passed, all] = /(\d+) of (\d+) gates passed/.exec(fine.output)!;
  assert.ok(passed === all && Number(all) > 20, fine.output);
  await cluster.lab.sh('h3', 'systemctl stop kube-proxy.service');
  const bad = await cluster.kpush(['status']);
  assert.is(bad.code, 5, bad.output);
  assert.match(bad.output, /h3 {2}kubernetes\.target is reached.*: kube-proxy\.service is inactive/);
  assert.is((await cluster.lab.exec('h3', 'systemctl is-active kube-proxy.service')).stdout.trim(), 'inactive');
  await cluster.lab.sh('h3', 'systemctl start kube-proxy.service');
});

bringUp('kubeconfig fetches a way in for the user alone, and keeps other clusters when merged', async () => {
  const file = join(cluster.dir, 'kubeconfig');
  const other = { name: 'elsewhere', cluster: { server: 'https://192.0.2.1:6443' } };
  writeFileSync(file, stringify({ clusters: [other], contexts: [], 'current-context': 'elsewhere' }));
  const run = await cluster.kpush(['kubeconfig', '--merge', file]);
  assert.is(run.code, 0, run.output);
  assert.not.match(run.output, /PRIVATE KEY|client-key-data/);
  assert.is(statSync(file).mode & 0o777, 0o600);
  const merged = parse(readFileSync(file, 'utf8'));
  assert.equal(merged.clusters[0], other);
  assert.is(merged['current-context'], 'elsewhere');
  const kubectl = (await kubernetesBuild(() => {})).program('kubectl');
  const words = ['--kubeconfig', file, '--context', 'kubernetes', 'get', 'nodes', '-o', 'name'];
  assert.is(execFileSync(kubectl, words, { encoding: 'utf8' }), 'node/h2\nnode/h3\n');
  const again = await cluster.kpush(['kubeconfig', '--merge', file]);
  assert.match(again.output, /nothing changed/);
});

bringUp('pods run on both nodes and reach each other, and the service reaches both', async () => {
  await deployWeb(cluster, workers);
  const addresses = await podAddresses(cluster, workers);
  for (const [from, to] of [
    ['h2', 'h3'],
    ['h3', 'h2'],
  ] as const) {
    const answer = await cluster.lab.sh(from, `curl -s -m 5 http://${addresses[to]}:8080/`);
    assert.is(answer, `web-${to}`);
  }
  assert.equal(await servedBy(cluster, 'h2'), ['web-h2', 'web-h3']);
});

bringUp('a plan of a flag of the kubelet shows just its diff', async () => {
  const plan = await cluster.kpush(['plan'], { vars: { kube_kubelet_flags: { v: 3 } } });
  assert.is(plan.code, 0, plan.output.slice(-3000));
  const lines = plan.output.split('\n').filter((line) => /^ +[+-] /.test(line));
  assert.equal([...new Set(lines.map((line) => line.trim().replace(/ +/, ' ')))], ['- --v=2', '+ --v=3']);
  assert.match(plan.output, /kubelet\.service\s+state +active → restarted/);
  assert.not.match(plan.output, /kube-apiserver/);
});

bringUp.run();
