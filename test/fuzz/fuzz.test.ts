/** Readers of text and bytes that others write, under mutations of kept inputs. `npm run fuzz` tries new ones, and longer. */
import { readdirSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { note, suite } from '../support/harness.ts';
import { effort, targets } from './support/efforts.ts';
import { faults } from './support/faults.ts';
import { corpusOf, hunt, keep } from './support/hunt.ts';

const test = suite('fuzz', { timeout: (effort.seconds + 90) * 1000 });

for (const target of targets)
  test(`${target}: the kept inputs, and many made of them`, async () => {
    const { cases, outcomes, failure } = await hunt(target, effort);
    note(`${cases} cases, ${outcomes} outcomes`);
    const kept = failure && process.env.KPUSH_KEEP ? ` (kept as ${keep(target, failure.input)})` : '';
    const shown = failure && JSON.stringify(Buffer.from(failure.input, 'base64').toString('latin1').slice(0, 1000));
    assert.not.ok(failure, `KPUSH_SEED=${effort.seed}${kept}: ${failure?.message}\ninput: ${shown}`);
    assert.ok(cases >= 300, `only ${cases} cases`);
    assert.ok(outcomes >= 5, `only ${outcomes} outcomes: nothing but refusals`);
  });

for (const [name, { target, ...fault }] of Object.entries(faults))
  test(`found when planted: ${name}`, async () => {
    const { failure } = await hunt(target, { ...effort, seconds: 20, cases: 20_000 }, fault);
    assert.ok(failure, `${name}: not found`);
  });

test('each target has kept inputs, and a fault that it finds', () => {
  const found = new Set(Object.values(faults).map(({ target }) => target));
  for (const target of targets) {
    assert.ok(readdirSync(corpusOf(target)).length >= 3, target);
    assert.ok(found.has(target), target);
  }
});

test.run();
