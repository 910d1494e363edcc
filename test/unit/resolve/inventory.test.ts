import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { loadInventory } from '../../../src/resolve/inventory-load.ts';
import { suite } from '../../support/harness.ts';
import { cpuMs } from '../load/support/cpu.ts';
import { memorySources, splitFiles } from '../load/support/memory-files.ts';
import { inventoryJson } from './support/inventory-json.ts';

const test = suite('resolve/inventory');
const folder = new URL('./inventories/', import.meta.url).pathname;

// Files, ARGS, and EXPECTED: what `ansible-inventory` of ansible-core 2.14 says (test/conformance/inventory.test.ts keeps it true).
for (const name of readdirSync(folder).sort())
  test(name.replace(/\.txt$/, ''), () => {
    const text = readFileSync(folder + name, 'utf8');
    const { ARGS = '', EXPECTED = '{}', ...files } = splitFiles(text);
    const shown = JSON.stringify(inventoryJson(files, ARGS), null, 1);
    if (process.env.KPUSH_GOLDEN)
      writeFileSync(folder + name, `${text.split(/^=== EXPECTED\n/m)[0]}=== EXPECTED\n${shown}\n`);
    else assert.is(shown, EXPECTED.trimEnd());
  });

test('hostile keys pollute nothing', () => {
  loadInventory(
    ['h.yml'],
    memorySources({ 'h.yml': 'all: {hosts: {__proto__: {polluted: yes}}, vars: {__proto__: {polluted: yes}}}\n' }),
  );
  assert.is(({} as { polluted?: unknown }).polluted, undefined);
});

test(
  '60,000 hosts are read in seconds',
  () => {
    const hosts = Array.from(
      { length: 60_000 },
      (_, i) => `        node${i}: {ansible_host: 10.0.0.1, zone: z${i % 10}}\n`,
    );
    const text = `all:\n  children:\n    nodes:\n      hosts:\n${hosts.join('')}`;
    const taken = cpuMs(() => {
      const inventory = loadInventory(['h.yml'], memorySources({ 'h.yml': text }));
      assert.is(inventory.hostsOf('nodes').length, 60_000);
    });
    assert.ok(taken < 5000, `${taken} ms`);
  },
  { timeout: 30_000 },
);

test(
  'an INI file of 10 MB is read in seconds',
  () => {
    const line = (i: number) => `node${i} ansible_host=10.0.0.1 zone=z${i % 10} note="${'x'.repeat(110)}"\n`;
    const text = `[nodes]\n${Array.from({ length: 70_000 }, (_, i) => line(i)).join('')}`;
    assert.ok(text.length > 10_000_000);
    const taken = cpuMs(() => {
      assert.is(loadInventory(['h'], memorySources({ h: text })).hostsOf('nodes').length, 70_000);
    });
    assert.ok(taken < 10_000, `${taken} ms`);
  },
  { timeout: 60_000 },
);

test('a name that two lines give two ports is warned of, at the second', () => {
  const files = {
    'h.ini': 'localhost:2222\nlocalhost:29007\nsame:1\nsame:1\nlocalhost ansible_port=29007\n',
    'h.yml': 'all: {hosts: {"a:1": }, children: {g: {hosts: {"a:2": }}}}\n',
  };
  const said = Object.keys(files).flatMap((name) => {
    const warnings: string[] = [];
    loadInventory([name], memorySources(files), ({ message, facts }) =>
      warnings.push(`${facts.origin?.file}:${facts.origin?.line} ${message}`),
    );
    return warnings;
  });
  assert.equal(said, [
    'h.ini:2 localhost has port 2222 (line 1) and 29007: the last one counts',
    'h.yml:1 a has port 1 (line 1) and 2: the last one counts',
  ]);
});

test('names of digits, and such as YAML reads as numbers, are texts', () => {
  const files = { 'h.yml': 'all: {hosts: {12345: , 1e5: , 0o17: }}\n', 'h.ini': '12345\n1e5\n' };
  for (const [file, names] of [
    ['h.yml', ['12345', '1e5', '0o17']],
    ['h.ini', ['12345', '1e5']],
  ] as const)
    assert.equal([...loadInventory([file], memorySources(files)).hosts.keys()], names);
});

test('a range makes hosts without a copy of the text each', () => {
  const inventory = loadInventory(
    ['h.yml'],
    memorySources({ 'h.yml': 'all: {hosts: {"n[00001:60000]": {zone: a}}}\n' }),
  );
  assert.is(inventory.hosts.size, 60_000);
  assert.is(inventory.hosts.get('n00042')?.vars, inventory.hosts.get('n59999')?.vars);
});
test.run();
