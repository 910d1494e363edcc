import * as assert from 'uvu/assert';
import type { StepOutcome } from '../../../src/core/steps.ts';
import type { Value } from '../../../src/jinja/values.ts';
import { failureOf, hintOf } from '../../../src/plan/failure.ts';
import type { Outcome } from '../../../src/plan/outcome.ts';
import { suite } from '../../support/harness.ts';

const test = suite('what is told of a failed step');

test('the command as it was, not the short title', () => {
  assert.is(failureOf(failed({}, { cmd: ['printf', 'a b'] }))?.command, "printf 'a b'");
  assert.is(failureOf(failed({}, { cmd: 'a | b' }))?.command, 'a | b');
  assert.is(failureOf(failed({}, {}))?.command, 'write /etc/x');
  assert.is(failureOf(failed({}, { cmd: 'x'.repeat(5000) }))?.command?.length, 1001);
});

test('the last twenty lines, the exit code, the units', () => {
  const stderr = Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n');
  const told = failureOf(failed({ stderr, rc: 7, evidence: 'x a.service' }, {}));
  assert.equal([told?.rc, told?.evidence, told?.stderr?.split('\n').length], [7, 'x a.service', 20]);
});

const hints: [string, RegExp][] = [
  ['cannot write /etc/x: no space left on /srv', /df -h \/srv and du -xh \/srv/],
  ['cannot write /etc/x: no inodes left on /', /df -i \/ shows/],
  ['tar: x: Cannot write: No space left on device', /df -h/],
  ['mkdir: x: Read-only file system', /dmesg/],
  ['touch: x: Permission denied', /become: true/],
  ['sh: 1: kubectl: not found', /PATH/],
  ['Temporary failure in name resolution', /resolv\.conf/],
];
for (const [said, hint] of hints)
  test(`a hint for: ${said}`, () => assert.match(hintOf(failed({ stderr: said }, {})) ?? 'none', hint));

test('no hint where none fits, nor to become who one is already', () => {
  assert.is(hintOf(failed({ stderr: 'no such option' }, {})), undefined);
  const other = failed({ stderr: 'Permission denied' }, {});
  for (const step of other.steps) step.identity.become = { method: 'sudo', user: 'root' };
  assert.is(hintOf(other), undefined);
  assert.is(hintOf({ ...other, status: 'ok' }), undefined);
});

test.run();

function failed(step: Partial<StepOutcome>, values: Record<string, Value>): Outcome {
  const ran = { key: '1.0', status: 'failed', rc: 1, stdout: '', stderr: '', start: 0, end: 1, ...step };
  return {
    status: 'failed',
    result: { changed: false, failed: true, values: new Map(Object.entries(values)) },
    steps: [{ key: '1.0', title: 'write /etc/x', identity: {} }],
    ran: [ran],
  } as unknown as Outcome;
}
