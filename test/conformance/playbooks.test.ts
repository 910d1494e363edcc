import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { tempFolder } from '../support/temp.ts';
import { type Batch, compareBatch } from './support/batch.ts';
import { diskDifferences, folderText } from './support/files.ts';
import { fetchedTo, inventoryOf } from './support/twin.ts';

/**
 * Each file is many small playbooks in one call. `ansible-playbook` runs it on one host and kpush on another that is
 * alike: a first time, under --check, and a second time. Statuses, results and exit codes are compared task by task, and
 * after all of them the disks, accounts and units of the hosts.
 */
const folder = new URL('./playbooks/', import.meta.url).pathname;
const test = suite('playbooks as ansible-playbook runs them', { timeout: 1_200_000 });
const names = readdirSync(folder).filter((name) => name.endsWith('.yml') && name !== 'imported.yml');
const state: { lab?: Lab; batch?: Batch } = {};

test('two hosts that are alike boot', async () => {
  const dir = tempFolder('playbooks');
  const lab = await Lab.up({ hosts: 0, twins: 2 });
  const [theirs, ours] = lab.twins;
  mkdirSync(join(dir, 'inventory'));
  const inventories = { theirs: inventoryOf(lab, theirs!, dir), ours: inventoryOf(lab, ours!, dir) };
  Object.assign(state, { lab, batch: { folder, ...inventories } });
});

/** The end of keywords.yml is a failure, so it comes last. */
for (const name of [...names.filter((one) => one !== 'keywords.yml').sort(), 'keywords.yml'])
  test(name.replace(/\.yml$/, ''), async () => {
    assert.equal(await compareBatch(state.batch!, name), []);
  });

test('the disks are alike in the end', async () => {
  const [theirs, ours] = state.lab!.twins;
  assert.equal(await diskDifferences(state.lab!, ours!, theirs!), []);
});

test('what was fetched is alike in the end', () => {
  const [theirs, ours] = state.lab!.twins;
  assert.ok(folderText(fetchedTo(theirs!)).length > 2);
  assert.equal(folderText(fetchedTo(ours!)), folderText(fetchedTo(theirs!)));
});

test('accounts and units are alike in the end', async () => {
  const [theirs, ours] = state.lab!.twins;
  const questions = ['getent passwd; getent group; getent shadow', unitStates, 'dpkg-query -W; dpkg --get-selections'];
  for (const question of questions)
    assert.is(await state.lab!.sh(ours!, question), await state.lab!.sh(theirs!, question), question);
});

const unitStates = `systemctl list-unit-files --plain --no-legend | grep -v '^session-' | sort; systemctl show -p ActiveState,SubState kt kt-web ssh`;

test('the hosts end', async () => {
  await state.lab?.down();
  rmSync('/tmp/kpush-fetched', { recursive: true, force: true });
});

test.run();
