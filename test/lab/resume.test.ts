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

test('failures of the run before count, and the order is the same', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  yamlFile(dir, 'five.yaml', { all: { hosts: Object.fromEntries(names.map((name) => [name, local])) } });
  const bad = join(dir, 'bad-');
  yamlFile(dir, 'roll.yml', [
    {
      hosts: 'all',
      gather_facts: false,
      serial: [1, 2],
      max_failures: 1,
      tasks: [
        { name: 'obstacle', command: `test ! -e ${bad}{{ inventory_hostname }}`, changed_when: false },
        { name: 'note', shell: `echo {{ inventory_hostname }} >> ${log}`, throttle: 1 },
      ],
    },
  ]);
  rmSync(log);
  for (const name of ['b', 'd', 'e']) writeFileSync(bad + name, '');
  const first = kpush('apply', '-i', 'five.yaml', 'roll.yml');
  assert.is(first.status, 2, first.stdout + first.stderr);
  assert.match(first.stdout + first.stderr, /more than 1 of 5 hosts failed \(max_failures 1\)/);
  assert.is(readFileSync(log, 'utf8'), 'a\nc\n');
  for (const name of ['b', 'd']) rmSync(bad + name);
  const second = kpush('resume');
  assert.is(second.status, 2, second.stdout + second.stderr);
  assert.match(
    second.stdout + second.stderr,
    /more than 1 of 5 hosts failed \(max_failures 1\), with those of the runs before/,
  );
  assert.is(readFileSync(log, 'utf8'), 'a\nc\nb\nd\n');
  rmSync(`${bad}e`);
  const third = kpush('resume');
  assert.is(third.status, 0, third.stdout + third.stderr);
  assert.is(readFileSync(log, 'utf8'), 'a\nc\nb\nd\ne\n');
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
