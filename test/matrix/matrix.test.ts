import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import type { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { loginShells, product, ways, whole } from './support/cells.ts';
import { Judge, matrixLab, nameOf } from './support/check.ts';
import { rows } from './support/rows.ts';
import { matrixText } from './support/table.ts';

const test = suite('matrix', { timeout: 300_000 });
const doc = fileURLToPath(new URL('../../docs/matrix.md', import.meta.url));
let lab: Lab;
let judge: Judge;

test(
  'the lab is up',
  async () => {
    lab = await matrixLab();
    judge = new Judge(lab);
  },
  { timeout: 900_000 },
);

for (const shell of loginShells)
  for (const { name } of ways)
    test(`${shell}, ${name}: GNU, busybox and uutils`, async () => {
      const cells = product.filter((cell) => cell.login === shell && cell.way === name);
      assert.is(cells.length, 3);
      for (const cell of cells) await judge.cell(cell);
    });

for (const cell of whole) test(`all of site.yml: ${nameOf(cell)}`, () => judge.whole(cell));

for (const row of rows) test(`${row.group}: ${row.name}`, () => judge.row(row));

test('docs/matrix.md is what was proved', () => {
  writeFileSync(doc, matrixText());
  assert.is(readFileSync(doc, 'utf8'), matrixText());
});

test('the lab is left', () => lab.down());
test.run();
