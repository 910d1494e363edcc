import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { formatInputError } from '../../../src/core/error-frame.ts';
import { InputErrors, KpushError } from '../../../src/core/errors.ts';
import { dynamicLoader } from '../../../src/load/dynamic.ts';
import { loadPlaybook } from '../../../src/load/playbook.ts';
import { createEvaluator } from '../../../src/resolve/evaluator.ts';
import { loadInventory } from '../../../src/resolve/inventory-load.ts';
import { reach } from '../../../src/resolve/reach.ts';
import { checkNames } from '../../../src/resolve/undefined-names.ts';
import { createWaves } from '../../../src/resolve/waves.ts';
import { suite } from '../../support/harness.ts';
import { memorySources, splitFiles } from './support/memory-files.ts';
import { modules } from './support/modules.ts';

const test = suite('bad input');
const folder = new URL('./bad-input/', import.meta.url).pathname;

// Each file: input files, then `=== EXPECTED`, what a person reads. KPUSH_GOLDEN=1 writes it anew: read the diff.
for (const name of readdirSync(folder).sort())
  test(name.replace(/\.txt$/, ''), () => {
    const { EXPECTED: expected = '', ...files } = splitFiles(readFileSync(folder + name, 'utf8'));
    const shown = `${report(files)}\n`;
    if (process.env.KPUSH_GOLDEN) write(name, shown);
    else assert.is(shown, expected);
  });
test.run();

function report(files: Record<string, string>): string {
  try {
    check(files);
    return 'no error';
  } catch (error) {
    const errors = error instanceof InputErrors ? error.errors : [error as KpushError];
    for (const each of errors) if (!(each instanceof KpushError) || each.kind !== 'input') throw each;
    return errors.map((each) => formatInputError(each, (file) => files[file])).join('\n\n');
  }
}

/** All that is looked at before the first connection. */
function check(files: Record<string, string>): void {
  const sources = memorySources({ 'inventory.yml': 'all: {hosts: {h1: }}\n', ...files });
  const inventory = loadInventory([files['inventory.ini'] ? 'inventory.ini' : 'inventory.yml'], sources);
  const { playbook, loading } = loadPlaybook('site.yml', { sources, modules, rolesPath: [] });
  const evaluator = createEvaluator({ inventory, sources });
  createWaves({ inventory, evaluator, playbook }).check();
  checkNames({ playbook, inventory, sources, found: reach(playbook, dynamicLoader(playbook, loading)) });
}

function write(name: string, shown: string): void {
  const text = readFileSync(folder + name, 'utf8').split(/^=== EXPECTED\n/m)[0];
  writeFileSync(folder + name, `${text}=== EXPECTED\n${shown}`);
}
