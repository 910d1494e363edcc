import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { formatInputError } from '../../../src/core/error-frame.ts';
import { InputErrors, KpushError } from '../../../src/core/errors.ts';
import { loadPlaybook } from '../../../src/load/playbook.ts';
import { loadInventory } from '../../../src/resolve/inventory-load.ts';
import { suite } from '../../support/harness.ts';
import { memorySources, splitFiles } from './support/memory-files.ts';
import { modules } from './support/modules.ts';

const test = suite('load/fuzz', { timeout: 60_000 });
const folder = new URL('./bad-input/', import.meta.url).pathname;
const texts = readdirSync(folder).map((name) => splitFiles(readFileSync(folder + name, 'utf8')));
const seeds = texts.flatMap((files) =>
  Object.entries(files)
    .filter(([name]) => name !== 'EXPECTED')
    .map(([, text]) => text),
);
const odd = [
  '\t',
  '\n',
  ' ',
  '  ',
  ':',
  '- ',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '{{',
  '}}',
  '{%',
  '|',
  '>',
  '&a ',
  '*a',
  '!',
  '#',
  '<<: ',
  '\0',
  '\u0085',
  '\ufeff',
  '---',
  '%',
  '=',
  '\\',
  ',',
  '0644',
  '~',
];

/** A text of the goldens with a few places cut out, doubled or replaced. */
const mangled = fc
  .tuple(
    fc.constantFrom(...seeds),
    fc.array(fc.tuple(fc.nat(2000), fc.nat(12), fc.constantFrom(...odd, '')), { minLength: 1, maxLength: 6 }),
  )
  .map(([text, cuts]) =>
    cuts.reduce(
      (all, [at, length, put]) =>
        all.slice(0, at % (all.length + 1)) + put + all.slice((at % (all.length + 1)) + length),
      text,
    ),
  );

/** Whatever the text, the answer is a result or an input error that can be shown. */
function survives(read: () => unknown, text: string): void {
  try {
    read();
  } catch (error) {
    const errors = error instanceof InputErrors ? error.errors : [error];
    for (const each of errors) {
      if (!(each instanceof KpushError) || each.kind !== 'input') throw error;
      formatInputError(each, () => text);
    }
  }
}

test('no playbook makes the loader break', () =>
  fc.assert(
    fc.property(mangled, (text) =>
      survives(
        () => loadPlaybook('site.yml', { sources: memorySources({ 'site.yml': text }), modules, rolesPath: [] }),
        text,
      ),
    ),
    { numRuns: 1500 },
  ));
test('no inventory makes the loader break', () =>
  fc.assert(
    fc.property(mangled, fc.constantFrom('h.yml', 'h'), (text, name) =>
      survives(() => loadInventory([name], memorySources({ [name]: text })), text),
    ),
    { numRuns: 1500 },
  ));
test.run();
