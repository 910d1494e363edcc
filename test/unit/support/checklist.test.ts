import * as assert from 'uvu/assert';
import { judgeChecklist } from '../../support/checklist.ts';
import { suite } from '../../support/harness.ts';

const checklist = suite('checklists');
const rules = { file: 'docs/list.md', items: 1, exempt: 0 };
const errors = (text: string, ran: string[], more = {}) =>
  judgeChecklist(text, new Set(ran), { ...rules, ...more }).flatMap(({ error }) => error ?? []);

checklist('an item whose tests passed holds, its ids broken over lines', () => {
  assert.equal(
    errors('# T\n\n- `a#1`: words.\n  Shown by `s › one\n  test`; `s › two`.\n', ['s › one test', 's › two']),
    [],
  );
});

checklist('an item whose test no suite passed, or without a test, fails', () => {
  assert.equal(errors('- `a#1`: words.\n  Shown by `s › one`.\n', []), ['no suite passed: s › one']);
  assert.equal(errors('- `a#1`: words.\n', []), ['no test shows it']);
});

checklist('what cannot apply says why, and is counted', () => {
  const text = '- `a#1`: words.\n  Cannot apply: there is no such thing here.\n';
  assert.equal(errors(text, [], { exempt: 1 }), []);
  assert.equal(errors(text, []), ['1 items are said not to apply']);
});

checklist('a list that lacks an item or has one twice fails', () => {
  assert.equal(errors('# nothing\n', []), ['0 different items of 0']);
  const twice = '- `a#1`: w.\n  Shown by `t`.\n- `a#1`: w.\n  Shown by `t`.\n';
  assert.equal(errors(twice, ['t'], { items: 2 }), ['1 different items of 2']);
});

checklist.run();
