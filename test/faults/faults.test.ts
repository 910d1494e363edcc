import { writeFileSync } from 'node:fs';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { rows } from './rows/index.ts';
import { type Held, reliabilityPage } from './support/page.ts';
import { Scene } from './support/scene.ts';

const test = suite('faults', { timeout: 240_000 });
const held: Held[] = [];
let lab: Lab;

test('the lab is up', async () => {
  lab = await Lab.up({ hosts: 1 });
});

for (const fault of rows)
  test(`${fault.fault}, ${fault.when}`, async () => {
    const exit = await new Scene(lab, 'h1', fault).play();
    held.push({ fault, exit });
  });

test('docs/reliability.md tells what was tried and held', () => {
  writeFileSync('docs/reliability.md', reliabilityPage(rows, held));
});

test('the lab is left', () => lab.down());
test.run();
