import { rows } from '../faults/rows/index.ts';
import { Scene } from '../faults/support/scene.ts';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';

/** The rows of the table of faults (test/faults/rows) that take little time. */
const test = suite('some faults', { timeout: 120_000 });
let lab: Lab;

test(
  'the lab is up',
  async () => {
    lab = await Lab.up({ hosts: 1 });
  },
  { timeout: 300_000 },
);

for (const fault of rows.filter(({ fast }) => fast))
  test(`${fault.fault}, ${fault.when}`, () => new Scene(lab, 'h1', fault).play());

test('the lab is left', () => lab.down());
test.run();
