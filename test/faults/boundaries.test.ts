import * as assert from 'uvu/assert';
import { suite } from '../support/harness.ts';
import { CutLab, cuts } from './support/cuts.ts';
import { steps } from './support/held.ts';

const test = suite('cut off in every step', { timeout: 1_200_000 });

let lab: CutLab;
let boundaries: { key: string; name: string }[];

test('an uninterrupted run tells its steps, one of each kind', async () => {
  lab = await CutLab.up();
  boundaries = await lab.boundaries();
  assert.equal(
    boundaries.map(({ name }) => name),
    steps,
  );
});

for (const [n, cut] of cuts.entries())
  for (const step of steps)
    test(`${cut.name} in "${step}": nothing runs on, nothing is half-written, the next run ends it`, () =>
      lab.cutAt(cut, `h${n + 1}`, boundaries.find(({ name }) => name === step)!));

test('the lab is left', () => lab.lab.down());
test.run();
