import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { rows } from './rows/index.ts';
import type { Fault } from './support/fault.ts';
import { dealt, inLanes } from './support/lanes.ts';
import { type Held, reliabilityPage } from './support/page.ts';
import { Scene } from './support/scene.ts';

const test = suite('faults', { timeout: 3_000_000 });
const hosts = 3;
const held: Held[] = [];
let lab: Lab;
let outcome: (fault: Fault) => Promise<number | NodeJS.Signals>;

test('the lab is up', async () => {
  lab = await Lab.up({ hosts });
  outcome = inLanes(dealt(rows, hosts), (fault, n) => new Scene(lab, `h${n + 1}`, fault).play());
});

for (const fault of rows)
  test(`${fault.fault}, ${fault.when}`, async () => {
    held.push({ fault, exit: await outcome(fault) });
  });

test('docs/reliability.md tells what was tried and held', () => {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  writeFileSync('docs/reliability.md', reliabilityPage(rows, held, commit));
});

test('the lab is left', () => lab.down());
test.run();
