import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { tempFolder } from '../support/temp.ts';
import { splitFiles } from '../unit/load/support/memory-files.ts';

const badInput = suite('bad input on real hosts', { timeout: 120_000 });
const folder = 'test/unit/load/bad-input';

badInput('15 kinds: the golden place and words, exit 1, and no connection in the log of sshd', async () => {
  const lab = await Lab.up({ hosts: 1 });
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.txt'));
    assert.ok(names.length >= 15);
    for (const name of names) refused(name, lab);
    assert.is((await lab.sshdLog('h1')).connections, 0);
    const good = kpush(lab.dir, 'ping', '-i', lab.inventoryPath);
    assert.is(good.status, 0, good.stderr);
    assert.is((await lab.sshdLog('h1')).connections, 1, 'the log does show a connection when there is one');
  } finally {
    await lab.down();
  }
});

badInput.run();

function refused(name: string, lab: Lab) {
  const { EXPECTED = '', ...files } = splitFiles(readFileSync(join(folder, name), 'utf8'));
  const dir = tempFolder('bad');
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
  const inventory = ['inventory.yml', 'hosts', 'inventory.ini'].find((name) => name in files) ?? lab.inventoryPath;
  const { status, stderr, stdout } = kpush(dir, 'apply', '-i', inventory, 'site.yml', '--yes');
  assert.is(status, 1, `${name}: ${stdout}${stderr}`);
  const places = [...EXPECTED.matchAll(/^\S+:\d+:\d+: .*$/gm)].map(([line]) => line);
  assert.ok(places.length > 0, `${name} expects a place`);
  for (const line of places) assert.ok(stderr.includes(line), `${name}: expected ${line}, got ${stderr}`);
}

function kpush(cwd: string, ...args: string[]) {
  return spawnSync(resolve('bin/kpush'), args, { cwd, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
}
