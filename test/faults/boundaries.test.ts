import * as assert from 'uvu/assert';
import { suite } from '../support/harness.ts';
import { type Cut, CutLab, cuts } from './support/cuts.ts';
import { steps } from './support/held.ts';
import { inLanes } from './support/lanes.ts';

const test = suite('cut off in every step', { timeout: 1_200_000 });

let lab: CutLab;
let outcome: (field: Field) => Promise<void>;

interface Field {
  cut: Cut;
  step: string;
}
/** Each cut has a host of its own. */
const table = cuts.map((cut) => steps.map((step): Field => ({ cut, step })));

test('an uninterrupted run tells its steps, one of each kind', async () => {
  lab = await CutLab.up();
  const boundaries = await lab.boundaries();
  assert.equal(
    boundaries.map(({ name }) => name),
    steps,
  );
  outcome = inLanes(table, ({ cut, step }, n) =>
    lab.cutAt(cut, `h${n + 1}`, boundaries.find(({ name }) => name === step)!),
  );
});

for (const field of table.flat())
  test(`${field.cut.name} in "${field.step}": nothing runs on, nothing is half-written, the next run ends it`, () =>
    outcome(field));

test('the lab is left', () => lab.lab.down());
test.run();
