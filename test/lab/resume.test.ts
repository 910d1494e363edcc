import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/harness.ts';
import { scratch, yamlFile } from './support/inventory.ts';

const test = suite('resume', { timeout: 60_000 });
const dir = scratch('resume');
const obstacle = join(dir, 'obstacle');
const log = join(dir, 'log');
const secret = 'tell-nobody-51';

const local = { ansible_connection: 'local' };
yamlFile(dir, 'hosts.yaml', { all: { hosts: { h1: local, h2: local } } });
yamlFile(dir, 'site.yml', [
  {
    hosts: 'all',
    gather_facts: false,
    tasks: [
      { name: 'obstacle', command: `test ! -e ${obstacle}`, changed_when: false, when: "inventory_hostname == 'h2'" },
      { name: 'write', shell: `echo {{ inventory_hostname }} {{ token | length }} >> ${log}` },
    ],
  },
]);

test('only the host that failed is applied again, with the same options', () => {
  writeFileSync(obstacle, '');
  assert.is(kpush('apply', '-i', 'hosts.yaml', 'site.yml', '-e', `token=${secret}`).status, 2);
  assert.is(readFileSync(log, 'utf8'), `h1 ${secret.length}\n`);
  rmSync(obstacle);
  const without = kpush('resume');
  assert.is(without.status, 1);
  assert.match(without.stderr, /may hold a secret/);
  const again = kpush('resume', '-e', `token=${secret}`);
  assert.is(again.status, 0, again.stdout + again.stderr);
  assert.is(readFileSync(log, 'utf8'), `h1 ${secret.length}\nh2 ${secret.length}\n`);
});

test('nothing is left over after that', () => {
  const { status, stderr } = kpush('resume', '-e', `token=${secret}`);
  assert.is(status, 0, stderr);
  assert.match(stderr, 'Nothing is left over');
});

test('the options that are kept hold no secret', () => {
  const { status, stdout } = spawnSync('grep', ['-rl', secret, join(dir, '.kpush')], { encoding: 'utf8' });
  assert.equal([status, stdout], [1, '']);
  assert.ok(existsSync(join(dir, '.kpush')));
});

test.run();

function kpush(...words: string[]) {
  const loader = resolve('node_modules/tsx/dist/loader.mjs');
  const main = resolve('src/cli/main.ts');
  return spawnSync(process.execPath, ['--import', loader, main, ...words], { cwd: dir, encoding: 'utf8' });
}
