import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { scratch } from './support/inventory.ts';
import { complaints, kpush, runOptions } from './support/run.ts';

/** Names that only ssh_config knows: kpush connects where ssh does, and nowhere else. */
const test = suite('ssh_config on real hosts', { timeout: 240_000 });

test('kpush reaches, through a jump host too, what ssh reaches, and refuses what it refuses', async () => {
  const lab = await Lab.up({ hosts: 2 });
  const home = process.env.HOME;
  try {
    const dir = scratch('ssh-config');
    const config = writeConfig(dir, lab);
    process.env.HOME = dir;
    const names = ['door', 'inner', 'stranger', 'nobody'];
    const theirs = names.filter(
      (name) => spawnSync('ssh', ['-F', config, '-oBatchMode=yes', name, 'true']).status === 0,
    );
    assert.equal(theirs, ['door', 'inner']);
    const reached = async () => (await lab.sshdLog(lab.hosts[1]!)).connections;
    const before = await reached();
    for (const name of names) {
      const ran = await kpush(runOptions('apply', ping(dir), `${name},`));
      assert.is(ran.exit === 0, theirs.includes(name), `${name}: ${complaints(ran)}`);
    }
    assert.is(await reached(), before + 1);
  } finally {
    process.env.HOME = home;
    await lab.down();
  }
});
test.run();

function writeConfig(dir: string, lab: Lab): string {
  const [door, inner] = lab.hosts.map(({ address }) => address);
  const config = join(dir, '.ssh', 'config');
  mkdirSync(join(dir, '.ssh'), { mode: 0o700 });
  writeFileSync(
    config,
    `Host door
  HostName ${door}
Host inner
  HostName ${inner}
  ProxyJump door
Host stranger
  HostName ${door}
  UserKnownHostsFile /dev/null
Host nobody
  HostName ${door}
  User nobody
Host *
  User root
  IdentityAgent none
  IdentityFile ${lab.keyPath}
  UserKnownHostsFile ${lab.knownHostsPath}
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking yes
`,
    { mode: 0o600 },
  );
  return config;
}

function ping(dir: string): string {
  const path = join(dir, 'site.yml');
  writeFileSync(path, '- hosts: all\n  gather_facts: no\n  tasks:\n    - command: echo reached\n');
  return path;
}
