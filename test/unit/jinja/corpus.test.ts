import * as assert from 'uvu/assert';
import {
  methods,
  parseExpression,
  parseYamlString,
  standardEnvironment,
  standardLookups,
  type UsedName,
  usedNames,
} from '../../../src/jinja/index.ts';
import { describe, sameAnswer } from '../../conformance/expressions/compare.ts';
import { type Case, corpus, corpusVars } from '../../conformance/expressions/corpus.ts';
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
test('every filter, test and method stands in the corpus at least three times', () => {
  const { filters, tests } = standardEnvironment();
  const counts = new Map<string, number>();
  for (const name of corpus().flatMap(namesIn)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const wanted = [
    ...[...filters.keys()].map((name) => `filter ${name}`),
    ...[...tests.keys()].filter((name) => /\w/.test(name)).map((name) => `test ${name}`),
    ...Object.values(methods).flatMap((table) => [...table.keys()].map((name) => `method ${name}`)),
    ...Object.keys(standardLookups).map((name) => `lookup ${name}`),
  ];
  assert.equal(
    wanted.filter((name) => (counts.get(name) ?? 0) < 3),
    [],
  );
});

test.run();

function namesIn({ source }: Case): string[] {
  try {
    const used = usedNames(/\{[{%]/.test(source) ? parseYamlString(source) : parseExpression(source));
    const short = (what: string, names: UsedName[]) => names.map(({ name }) => `${what} ${name.replace(/^.*\./, '')}`);
    return [
      ...short('filter', used.filters),
      ...short('test', used.tests),
      ...short('method', used.methods),
      ...short('lookup', used.lookups),
    ];
  } catch {
    return []; // the corpus has wrong expressions too
  }
}
