import * as assert from 'uvu/assert';
import { outcomesIn } from '../../../src/apply/outcomes.ts';
import { type TripPlan, tripsOf } from '../../../src/apply/trips.ts';
import type { StepReply } from '../../../src/core/session.ts';
import type { PlannedStep, SystemdOp } from '../../../src/core/steps.ts';
import type { UnitFact } from '../../../src/world/unit.ts';
import { suite } from '../../support/harness.ts';

const test = suite('proof of joined systemd work');
const [enable, start] = [
  { op: 'enable', unit: 'a.service' },
  { op: 'start', unit: 'a.service' },
] as SystemdOp[];

test('one step enables, a later one starts: what is active now was not to be inactive for ever', () => {
  assert.equal(proven({ active: 'active', fileState: 'enabled' }), [undefined, undefined]);
});

test('what both steps expect is missed by both', () => {
  const missed = 'a.service: expected enabled, is disabled';
  assert.equal(proven({ active: 'active', fileState: 'disabled' }), [[missed], [missed]]);
});

test('what only the later expects is missed by the later alone', () => {
  assert.equal(proven({ active: 'inactive', fileState: 'enabled' }), [
    undefined,
    ['a.service: expected active, is inactive'],
  ]);
});

test('the time of one call is shared out, not counted for each of its steps', () => {
  const times = (spent: number, count: number) =>
    outcomesIn(joinedOf(Array.from({ length: count }, () => step(enable!, {}))), [
      { ...replyOf({ fileState: 'enabled' }), start: 5000, end: 5000 + spent },
    ]).map((outcome) => [outcome.start, outcome.end]);
  assert.equal(times(100, 3), [
    [5000, 5033],
    [5033, 5067],
    [5067, 5100],
  ]);
  assert.equal(times(1, 2), [
    [5000, 5001],
    [5001, 5001],
  ]);
  assert.equal(times(90_000, 1), [[5000, 95_000]]);
});

test.run();

/** What each of two joined steps misses when the unit is found so afterwards. */
function proven(found: Partial<UnitFact>): (string[] | undefined)[] {
  const steps = [
    step(enable!, { active: 'inactive', fileState: 'enabled' }),
    step(start!, { active: 'active', fileState: 'enabled' }),
  ];
  return outcomesIn(joinedOf(steps), [replyOf(found)]).map(({ unproven }) => unproven);
}

function joinedOf(planned: PlannedStep[]): TripPlan {
  const trip = tripsOf(planned)[0]!;
  assert.is(trip.steps.length, 1, 'they are joined');
  return trip;
}

function step(op: SystemdOp, expected: Partial<UnitFact>): PlannedStep {
  const key = { family: 'unit', id: 'a.service' };
  const run = { kind: 'systemd', ops: [op], scope: 'system' };
  const proves = [
    { key, expected: { names: ['a.service'], load: 'loaded', dropIns: [], properties: {}, ...expected } },
  ];
  return { key: op.op, identity: {}, run, proves, rests: [], effects: [] } as unknown as PlannedStep;
}

function replyOf({ active, fileState }: Partial<UnitFact>): StepReply {
  const lines = ['Id=a.service', 'Names=a.service', 'LoadState=loaded', `ActiveState=${active}`];
  const record = `s${[...lines, `UnitFileState=${fileState}`].join('\n')}\n`;
  return {
    key: 'enable',
    status: 'ok',
    rc: 0,
    proof: [[record]],
    stdout: Buffer.of(),
    stderr: Buffer.of(),
  } as unknown as StepReply;
}
