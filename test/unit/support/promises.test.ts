import * as assert from 'uvu/assert';
import { suite } from '../../support/harness.ts';
import { judgePromises } from '../../support/promises.ts';

const promises = suite('promises check');

promises('a promise with a passed test holds', () => {
  const [report] = judgePromises('"2":\n  - { promise: p, tests: [a] }\n', new Set(['a']));
  assert.is(report?.error, undefined);
});

promises('a promise without a test fails', () => {
  const [report] = judgePromises('"2":\n  - { promise: p }\n', new Set(['a']));
  assert.is(report?.error, 'no test shows it');
});

promises('a promise whose test no suite passed fails', () => {
  const [report] = judgePromises('"2":\n  - { promise: p, tests: [a, b] }\n', new Set(['a']));
  assert.is(report?.error, 'no suite passed: b');
});

promises.run();
