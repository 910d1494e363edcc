import * as assert from 'uvu/assert';
import { silenceDeadline } from '../../../src/run/silence.ts';
import { suite } from '../../support/harness.ts';

const test = suite('run/silence');
const of = (text?: string) => silenceDeadline({ KPUSH_DEADLINE: text });

test('seconds, or the default', () => {
  assert.equal([of(), of(''), of('5'), of('7.5'), of('120')], [undefined, undefined, 5, 7.5, 120]);
});

test('what is no number, and what is too short to be kept, is refused', () => {
  for (const text of ['4', '0', '-30', 'soon', '30s', 'Infinity', 'NaN'])
    assert.throws(() => of(text), /KPUSH_DEADLINE is a number of seconds, at least 5, not "/);
});

test.run();
