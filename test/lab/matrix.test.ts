import * as assert from 'uvu/assert';
import type { Lab } from '../lab-kit/index.ts';
import { type Cell, fast } from '../matrix/support/cells.ts';
import { Judge, matrixLab, nameOf } from '../matrix/support/check.ts';
import { rows } from '../matrix/support/rows.ts';
import { suite } from '../support/harness.ts';

/** What `npm test` runs of the matrix: each login shell, way and flavour once, and all that hosts are known for. */
const test = suite('the fast part of the matrix', { timeout: 120_000 });
let lab: Lab;
let judge: Judge;

test(
  'the lab is up',
  async () => {
    lab = await matrixLab();
    judge = new Judge(lab);
  },
  { timeout: 600_000 },
);

for (const cell of fast) test(nameOf(cell), () => judge.cell(cell));

for (const row of rows.filter(({ slow }) => !slow)) test(`${row.group}: ${row.name}`, () => judge.row(row));

test('a cell that did or left anything else is caught', async () => {
  const ran = { first: { a: 'ok' }, second: { ok: 1, changed: 0 }, left: 'x' };
  const judged = new Judge(lab);
  judged.same('short', ran, 'the first');
  for (const other of [
    { ...ran, first: { a: 'changed' } },
    { ...ran, left: 'y' },
    { ...ran, second: { ok: 1, changed: 1 } },
    'an error',
  ])
    assert.ok(
      isCaught(() => judged.same('short', other, 'another')),
      JSON.stringify(other),
    );
  const cell = fast.find(({ way }) => way === 'sudo') as Cell;
  const stranger = { ...cell, vars: { ...cell.vars, ansible_user: 'stranger' } };
  assert.ok(
    await judge.cell(stranger).then(
      () => false,
      () => true,
    ),
    'who may not become root is no cell that works',
  );
});

test('the lab is left', () => lab.down());
test.run();

/** uvu's own `throws` hands on what its assertions throw. */
function isCaught(body: () => void): boolean {
  try {
    body();
    return false;
  } catch {
    return true;
  }
}
