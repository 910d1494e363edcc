import * as assert from 'uvu/assert';
import { compareOnce } from '../conformance/support/batch.ts';
import { inventoryOf } from '../conformance/support/twin.ts';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { tempFolder } from '../support/temp.ts';

/** The quick part of test/conformance: two files of small playbooks, run once by each tool. */
const folder = new URL('../conformance/playbooks/', import.meta.url).pathname;
const test = suite('a few playbooks as ansible-playbook runs them', { timeout: 280_000 });

test('blocks and handlers: statuses, results and exit codes', async () => {
  const dir = tempFolder('oracle');
  const lab = await Lab.up({ hosts: 0, twins: 2 });
  try {
    const [a, b] = lab.twins;
    const batch = { folder, theirs: inventoryOf(lab, a!, dir), ours: inventoryOf(lab, b!, dir) };
    assert.equal(await compareOnce(batch, 'blocks.yml'), []);
    assert.equal(await compareOnce(batch, 'handlers.yml'), []);
  } finally {
    await lab.down();
  }
});

test.run();
