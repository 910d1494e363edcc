import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Lab } from '../../lab-kit/index.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';
import { type Batch, compareBatch } from './batch.ts';
import { diskDifferences, folderText } from './files.ts';
import { fetchedTo, inventoryOf } from './twin.ts';

const folder = new URL('../playbooks/', import.meta.url).pathname;

/**
 * Each file of test/conformance/playbooks is many small playbooks in one call. `ansible-playbook` runs it on one host
 * and kpush on another that is alike: a first time, under --check, and a second time. Statuses, results and exit codes
 * are compared task by task, and after all of them the disks, accounts and units of the hosts. A part is some of the
 * files, on two hosts of its own; it declares the tests, in order.
 */
export function part(title: string, names: readonly string[]): void {
  const test = suite(`playbooks as ansible-playbook runs them: ${title}`, { timeout: 1_200_000 });
  const state: { lab?: Lab; batch?: Batch } = {};

  test('two hosts that are alike boot', async () => {
    const dir = tempFolder('playbooks');
    const lab = await Lab.up({ hosts: 0, twins: 2 });
    const [theirs, ours] = lab.twins;
    mkdirSync(join(dir, 'inventory'));
    const inventories = { theirs: inventoryOf(lab, theirs!, dir), ours: inventoryOf(lab, ours!, dir) };
    Object.assign(state, { lab, batch: { folder, ...inventories } });
  });

  for (const name of names)
    test(name, async () => {
      assert.equal(await compareBatch(state.batch!, `${name}.yml`), []);
    });

  test('the disks are alike in the end', async () => {
    const [theirs, ours] = state.lab!.twins;
    assert.equal(await diskDifferences(state.lab!, ours!, theirs!), []);
    assert.equal(folderText(fetchedTo(ours!)), folderText(fetchedTo(theirs!)));
  });

  test('accounts and units are alike in the end', async () => {
    const [theirs, ours] = state.lab!.twins;
    for (const question of ['getent passwd; getent group; getent shadow', unitStates, packages])
      assert.is(await state.lab!.sh(ours!, question), await state.lab!.sh(theirs!, question), question);
  });

  test('the hosts end', async () => {
    for (const host of state.lab?.twins ?? []) rmSync(fetchedTo(host), { recursive: true, force: true });
    await state.lab?.down();
  });

  test.run();
}

const unitStates = `systemctl list-unit-files --plain --no-legend | grep -v '^session-' | sort; systemctl show -p ActiveState,SubState kt kt-web ssh`;
const packages = 'dpkg-query -W; dpkg --get-selections';
