import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { parse, stringify } from 'yaml';
import { materials } from '../e2e/support/cluster.ts';
import { Lab } from '../lab-kit/index.ts';
import { kubernetesBuild } from '../lab-kit/kubernetes/build.ts';
import { Reader } from '../support/guide.ts';
import { suite } from '../support/harness.ts';
import { tempFolder } from '../support/temp.ts';

const guide = suite('a walk through the guide, with a cluster', { timeout: 900_000 });
let lab: Lab;
let reader: Reader;

guide('the first cluster', async () => {
  await materials();
  lab = await Lab.up({ hosts: 3, base: 'kube' });
  const dir = tempFolder('guide');
  mkdirSync(join(dir, 'group_vars'));
  writeFileSync(join(dir, 'group_vars/all.yml'), await labVariables());
  const adapt = (text: string) => text.replaceAll(/192\.0\.2\.1(\d)/g, (_, nth) => lab.hosts[Number(nth) - 1]!.address);
  reader = new Reader(dir, {}, adapt);
  await reader.read('docs/guide/first-cluster.md');
  assert.equal(await versions(), { h2: 'v1.20.2', h3: 'v1.20.2' });
});

guide('upgrade night', async () => {
  await reader.read('docs/guide/upgrade-night.md');
  assert.equal(await versions(), { h2: 'v1.20.5', h3: 'v1.20.5' });
});

guide.run();

/** What the guide leaves to its reader: where this lab's programs and keys are. */
async function labVariables(): Promise<string> {
  const { dir } = await kubernetesBuild((line) => console.error(`lab: ${line}`));
  const { kube_version: _, ...vars } = parse(readFileSync(lab.inventoryPath, 'utf8')).all.vars as Record<
    string,
    unknown
  >;
  return stringify({ ...vars, kube_binaries: { src: join(dir, '{{ kube_version }}') } }, { lineWidth: 0 });
}

/** Node → the version of its kubelet, of those that are Ready. */
async function versions(): Promise<Record<string, string>> {
  const path = `{range .items[*]}{.metadata.name}={.status.nodeInfo.kubeletVersion} {end}`;
  const command = `kubectl --kubeconfig /etc/kubernetes/admin.conf get nodes -o 'jsonpath=${path}'`;
  const text = await lab.sh('h1', `PATH=/usr/local/bin:$PATH ${command}`);
  return Object.fromEntries(
    text
      .trim()
      .split(' ')
      .map((pair) => pair.split('=')),
  );
}
