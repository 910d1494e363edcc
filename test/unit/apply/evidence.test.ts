import * as assert from 'uvu/assert';
import { unitsOf, withEvidence } from '../../../src/apply/evidence.ts';
import type { FactKey } from '../../../src/core/facts.ts';
import { SessionError } from '../../../src/core/session.ts';
import type { PlannedStep, Run, StepOutcome } from '../../../src/core/steps.ts';
import type { Asker } from '../../../src/plan/asker.ts';
import { suite } from '../../support/harness.ts';

const test = suite('evidence of failed commands');
const open = new AbortController().signal;

const named: [string, string[]][] = [
  ['systemctl restart kubelet', ['kubelet']],
  ['systemctl daemon-reload && systemctl restart --quiet a.service b@1.service', ['a.service', 'b@1.service']],
  ['systemctl --no-block start etcd;true', ['etcd']],
  ['service ssh restart', ['ssh']],
  ['apt-get install -y x\n/usr/sbin/service cron reload', ['cron']],
  ['systemctl is-active kubelet', []],
  ['systemctl --user restart mine', []],
  ['echo restart kubelet', []],
];
for (const [script, units] of named)
  test(`units in: ${script.replace('\n', ' / ')}`, () => {
    assert.equal(unitsOf({ run: { kind: 'sh', script } }), units);
    assert.equal(unitsOf({ run: { kind: 'argv', argv: script.split(/\s+/) } }), units);
  });

test('only a command that failed is asked about, its units each once', async () => {
  const { asked, asker } = recorder(() => 'x kubelet.service');
  const [bad, good] = await withEvidence(need(), [outcome('1.0', 'failed'), outcome('2.0', 'ok')], {
    asker,
    stop: open,
  });
  assert.equal([bad?.evidence, good?.evidence], ['x kubelet.service', undefined]);
  assert.equal(asked, [['{"unit":"kubelet.service","lines":10}']]);
});

test('a host that does not answer leaves the failure as it is, and says so', async () => {
  const { asker } = recorder(() => {
    throw new SessionError('unreachable', 'ask', 'no route');
  });
  const [bad] = await withEvidence(need(), [outcome('1.0', 'timeout')], { asker, stop: open });
  assert.equal([bad?.status, bad?.evidence], ['timeout', '(not to be had: no route)']);
});

test('an interrupted run asks nothing more', async () => {
  const { asked, asker } = recorder(() => '');
  await withEvidence(need(), [outcome('1.0', 'failed')], { asker, stop: AbortSignal.abort() });
  assert.equal(asked, []);
});

test.run();

function recorder(answer: () => string) {
  const asked: string[][] = [];
  const ask = async (_host: string, [question]: { identity: object; keys: FactKey[] }[]) => {
    const keys = question?.keys ?? [];
    asked.push(keys.map(({ id }) => id));
    return keys.map((key) => ({ identity: {}, key, answer: { state: 'known' as const, raw: '', value: answer() } }));
  };
  return { asked, asker: { ask } as unknown as Asker };
}

function need() {
  const run: Run = { kind: 'argv', argv: ['systemctl', 'restart', 'kubelet'] };
  const steps = ['1.0', '2.0'].map((key) => ({ key, run, identity: {} }) as unknown as PlannedStep);
  return { kind: 'run' as const, on: 'h1', steps, next: [] };
}

function outcome(key: string, status: StepOutcome['status']): StepOutcome {
  return { key, status, rc: status === 'ok' ? 0 : 1, stdout: '', stderr: '', start: 0, end: 1 };
}
