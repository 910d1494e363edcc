import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { checklistItems, checklists, judgeChecklist } from '../../support/checklist.ts';
import { suite } from '../../support/harness.ts';

/** Whether what they name has passed is judged by `npm test`, which has run it. */
const lists = suite('checklists in docs');

for (const rules of checklists)
  lists(`${rules.file} has all its items, each with a test of a suite`, () => {
    const text = readFileSync(rules.file, 'utf8');
    const named = new Set(checklistItems(text).flatMap(({ tests }) => tests));
    assert.equal(
      judgeChecklist(text, named, rules).flatMap(({ error }) => error ?? []),
      [],
    );
    for (const id of named) assert.match(id, /^\S.* › \S/, `${rules.file}: ${id}`);
  });

lists.run();
