import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { yamlFile } from '../lab/support/inventory.ts';
import { type FileEntry, Lab, type LabHost } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { tempFolder } from '../support/temp.ts';
import { type Batch, compareBatch } from './support/batch.ts';
import { differingFiles } from './support/files.ts';
import { hostVars } from './support/twin.ts';

/**
 * Roles in the style of those that people have: containerd's, an etcd whose certificates cfssl signs, and a server with
 * an agent that joins it by its token. Both tools run them unmodified, each on two hosts of its own.
 */
const folder = new URL('./roles/', import.meta.url).pathname;
const test = suite('roles as ansible-playbook runs them', { timeout: 900_000 });
/** Keys, serial numbers, times and latencies are what commands print in these roles; that they ran, and how, counts. */
const momentary = /: (stdout|stderr|stdout_lines|size) is /;
const state: { lab?: Lab; batch?: Batch } = {};

test('four hosts that are alike boot', async () => {
  const lab = await Lab.up({ hosts: 0, twins: 4, base: 'kube' });
  const dir = tempFolder('roles');
  const [a, b, c, d] = lab.twins as [LabHost, LabHost, LabHost, LabHost];
  const inventories = { theirs: inventory(lab, join(dir), 'theirs', a, b), ours: inventory(lab, dir, 'ours', c, d) };
  Object.assign(state, { lab, batch: { folder, ...inventories } });
});

for (const name of ['containerd', 'etcd', 'k3s'])
  test(`${name}: first run, --check, second run`, async () => {
    assert.equal(
      (await compareBatch(state.batch!, `${name}.yml`)).filter((line) => !momentary.test(line)),
      [],
    );
  });

test('what the roles wrote is alike', async () => {
  const [a, b, c, d] = await Promise.all(state.lab!.twins.map((host) => state.lab!.snapshotFiles(host)));
  assert.equal([...differingFiles(of(c!), of(a!)), ...differingFiles(of(d!), of(b!))], []);
});

test('the hosts end', () => state.lab?.down());

test.run();

/** Below the folders that the roles write to, but for keys and certificates, which are made anew each time. */
function of(files: Map<string, FileEntry>): Map<string, FileEntry> {
  const written =
    /^\/(etc\/(containerd|kubernetes|systemd\/system|rancher)|root\/\.kube|usr\/local\/bin|var\/lib\/rancher)(\/|$)/;
  return new Map([...files].filter(([path]) => written.test(path) && !/\.(pem|csr)$/.test(path)));
}

function inventory(lab: Lab, dir: string, name: string, server: LabHost, agent: LabHost): string {
  const hosts = { one: hostVars(lab, server), two: hostVars(lab, agent) };
  const children = {
    server: { hosts: { one: {} } },
    etcd: { hosts: { one: {} } },
    agent: { hosts: { two: {} } },
  };
  return yamlFile(dir, `${name}.yaml`, { all: { hosts, children } });
}
