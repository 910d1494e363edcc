import { readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { Sources } from '../../../src/load/sources.ts';
import { configKeys } from '../../../src/resolve/ansible-cfg.ts';
import { loadInventory } from '../../../src/resolve/inventory-load.ts';
import { lookupNames } from '../../../src/resolve/lookups/index.ts';
import { magicNames } from '../../../src/resolve/magic.ts';
import { connectionVars } from '../../../src/resolve/names.ts';
import { suite } from '../../support/harness.ts';

const test = suite('shipped inventories and docs/variables.md');
const root = new URL('../../../', import.meta.url).pathname;

for (const name of readdirSync(`${root}inventory`).filter((file) => file !== 'lab.yaml'))
  test(`inventory/${name} has every part of a cluster`, () => {
    const inventory = loadInventory([`inventory/${name}`], new Sources({ cwd: root }));
    for (const group of ['pki', 'etcd', 'control_plane', 'nodes'])
      assert.ok(inventory.hostsOf(group).length > 0, group);
    assert.equal(inventory.hostsOf('ungrouped'), []);
  });

const page = readFileSync(`${root}docs/variables.md`, 'utf8');
const named = new Set(page.match(/`[a-z_]+`/g)?.map((word) => word.slice(1, -1)));
for (const [what, names] of [
  ['magic variables', magicNames],
  ['connection variables', connectionVars],
  ['lookups', lookupNames],
  ['keys of ansible.cfg', configKeys],
] as const)
  test(`docs/variables.md names all ${what}`, () =>
    assert.equal(
      [...names].filter((name) => !named.has(name)),
      [],
    ));
test.run();
