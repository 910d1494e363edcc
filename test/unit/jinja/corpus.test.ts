import * as assert from 'uvu/assert';
import { describe, sameAnswer } from '../../conformance/expressions/compare.ts';
import { corpus, corpusVars } from '../../conformance/expressions/corpus.ts';
import { answer } from '../../conformance/expressions/kpush.ts';
import { recordedAnswers } from '../../conformance/expressions/recorded.ts';
import { suite } from '../../support/harness.ts';

const test = suite('jinja/corpus', { timeout: 60_000 });
const cases = recordedAnswers(corpus());

test('the corpus is large, and every case of it is recorded', () => {
  assert.ok(cases.length > 1600);
  assert.equal(
    cases.filter((known) => !known.answer).map(({ item }) => item.source),
    [],
  );
});

for (const file of [...new Set(cases.map(({ item }) => item.file))]) {
  test(`${file}: what Ansible answered`, () => {
    const wrong = cases.flatMap(({ item, answer: theirs }) => {
      if (item.file !== file || !theirs) return [];
      const ours = answer(item.kind, item.source, corpusVars());
      return sameAnswer(theirs, ours, item.source) ? [] : [describe({ ...item, theirs, ours })];
    });
    assert.is(wrong.join('\n'), '');
  });
}
test.run();
