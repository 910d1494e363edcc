import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/harness.ts';
import { tempFolder } from '../support/temp.ts';
import { splitFiles } from '../unit/load/support/memory-files.ts';
import { type InventoryJson, inventoryJson } from '../unit/resolve/support/inventory-json.ts';

const test = suite('inventories as ansible-inventory reads them', { timeout: 60_000 });
const folder = new URL('../unit/resolve/inventories/', import.meta.url).pathname;

for (const name of readdirSync(folder).sort())
  test(name.replace(/\.txt$/, ''), () => {
    const { ARGS = '', EXPECTED: _expected, ...files } = splitFiles(readFileSync(folder + name, 'utf8'));
    const root = tempFolder('inventory');
    try {
      for (const [file, text] of Object.entries(files)) write(join(root, file), text);
      const [ours, theirs] = [inventoryJson(files, ARGS), oracle(ARGS, root)];
      assert.is(sorted(ours), sorted(theirs));
      assert.equal(Object.keys(ours.groups), Object.keys(theirs.groups));
    } finally {
      rmSync(root, { recursive: true });
    }
  });
test.run();

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** JSON with keys in order: the assertions of uvu stumble over keys such as hasOwnProperty. */
function sorted(value: InventoryJson): string {
  const byName = (_key: string, item: unknown) =>
    item && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item;
  return JSON.stringify(value, byName, 1);
}

const env = {
  ...process.env,
  ANSIBLE_DEPRECATION_WARNINGS: '0',
  ANSIBLE_LOCALHOST_WARNING: '0',
  ANSIBLE_LOAD_CALLBACK_PLUGINS: '1',
  ANSIBLE_STDOUT_CALLBACK: 'json',
};

/** `--list` merges the variables, a debug task shows `groups` with its order. */
function oracle(args: string, cwd: string): InventoryJson {
  const words = args.trim().split(/\s+/);
  const run = (command: string, more: string[]) =>
    JSON.parse(execFileSync(command, [...words, ...more], { cwd, encoding: 'utf8', env }));
  const { _meta } = run('ansible-inventory', ['--list']) as { _meta: { hostvars: InventoryJson['hosts'] } };
  const output = run('ansible', ['localhost', '-c', 'local', '-m', 'debug', '-a', 'msg={{ groups | to_json }}']);
  const groups = JSON.parse(
    Object.values<{ msg: string }>(output.plays[0].tasks[0].hosts)[0]?.msg ?? '',
  ) as InventoryJson['groups'];
  const varsOf = (host: string) => (Object.hasOwn(_meta.hostvars, host) ? _meta.hostvars[host] : undefined) ?? {};
  return { groups, hosts: Object.fromEntries((groups.all ?? []).map((host) => [host, varsOf(host)])) };
}
