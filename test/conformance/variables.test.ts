import { readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../support/harness.ts';
import { splitFiles } from '../unit/load/support/memory-files.ts';
import { ansibleSays, inFolder, kpushSays } from './support/both.ts';

const test = suite('variables as ansible-playbook sees them', { timeout: 120_000 });
const folder = new URL('./variables/', import.meta.url).pathname;

// Each file is a tree of playbooks that only decide and print; both tools must print the same, task by task.
for (const name of readdirSync(folder).sort())
  test(name.replace(/\.txt$/, ''), async () => {
    const { ARGS = '', ...files } = splitFiles(readFileSync(folder + name, 'utf8'));
    const [ours, theirs] = await inFolder(
      files,
      async (root) => [await kpushSays(ARGS), ansibleSays(ARGS, root)] as const,
    );
    assert.is(ours.join('\n'), theirs.join('\n'));
  });
test.run();
