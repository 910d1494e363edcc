import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../support/harness.ts';
import { keepResults, merged } from '../../support/results.ts';
import { tempFolder } from '../../support/temp.ts';

const results = suite('results of long suites');

results('of a part of the files keep what the others showed, and replace what ran again', () => {
  const before = { passed: ['a', 'b'], failed: ['c', 'd'] };
  assert.equal(merged(before, { passed: ['c'], failed: ['a'] }), { passed: ['b', 'c'], failed: ['a', 'd'] });
});

results('of all files forget tests that there are no longer', () => {
  const folder = join(tempFolder('results'), 'new');
  mkdirSync(folder);
  const report = (id: string, error?: string) => ({ id, file: 'x', ms: 1, ...(error ? { error } : {}) });
  keepResults('s', [report('old')], true, folder);
  keepResults('s', [report('new'), report('bad', 'why')], true, folder);
  const kept = JSON.parse(readFileSync(join(folder, 's.json'), 'utf8'));
  assert.equal([kept.suite, kept.passed, kept.failed], ['s', ['new'], ['bad']]);
  assert.match(kept.commit, /^[0-9a-f]{7,}$/);
  assert.match(kept.date, /^\d{4}-\d\d-\d\d$/);
});

results.run();
