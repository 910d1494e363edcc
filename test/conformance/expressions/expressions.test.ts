import * as assert from 'uvu/assert';
import { suite } from '../../support/harness.ts';
import { describe, differences, question } from './compare.ts';
import { corpus, corpusVars } from './corpus.ts';
import { generate } from './generate.ts';
import { type Answer, ensureAnsible, Oracle } from './oracle.ts';
import { recordedAnswers, withoutText } from './recorded.ts';
import { compareRegexes } from './regexes.ts';

const test = suite('expressions against Ansible', { timeout: 900_000 });
const seeds = (process.env.KPUSH_SEEDS ?? '11,12,13,14').split(',').map(Number);

test('Ansible is there', () => ensureAnsible());

for (const file of [...new Set(corpus().map((item) => item.file))]) {
  test(`corpus ${file}: same values, same types, same errors`, () =>
    withOracle(async (oracle) => {
      const items = corpus().filter((item) => item.file === file);
      assert.ok(items.length > 50);
      const found = await differences(
        oracle,
        items.map((item) => ({ ...item, vars: corpusVars() })),
      );
      assert.is(found.map(describe).join('\n'), '');
    }));
}

test('the recorded answers are those of this Ansible', () =>
  withOracle(async (oracle) => {
    const cases = recordedAnswers(corpus());
    const fresh = await oracle.askAll(cases.map(({ item }) => question({ ...item, vars: corpusVars() })));
    const stale = cases.filter(({ answer }, i) => !same(answer, fresh[i]!));
    assert.equal(
      stale.map(({ item }) => item.source),
      [],
      'run test/conformance/expressions/record.ts',
    );
  }));

for (const seed of seeds) {
  test(`5,000 random expressions, seed ${seed}`, () =>
    withOracle(async (oracle) => {
      const found = await differences(oracle, generate(seed, 5000));
      assert.is(found.map(describe).join('\n'), '');
    }));
}

for (const seed of seeds) {
  test(`5,000 random regular expressions, seed ${seed}`, () => assert.equal(compareRegexes(seed, 5000), []));
}

test.run();

async function withOracle(run: (oracle: Oracle) => Promise<void>): Promise<void> {
  const oracle = new Oracle();
  try {
    await run(oracle);
  } finally {
    oracle.close();
  }
}

/** Objects print at their addresses: those answers change with every run. */
function same(known: Answer | undefined, fresh: Answer): boolean {
  const text = JSON.stringify(withoutText(fresh));
  return text.includes(' at 0x') || JSON.stringify(known) === text;
}
