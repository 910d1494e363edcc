import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { rows } from '../../faults/rows/index.ts';
import { lineStart, reliabilityPage } from '../../faults/support/page.ts';
import { suite } from '../../support/harness.ts';

const test = suite('docs/reliability.md');
const page = readFileSync(fileURLToPath(new URL('../../../docs/reliability.md', import.meta.url)), 'utf8');
const listed = (text: string) => text.split('\n').filter((line) => /^\| (?!fault \||---)/.test(line));

test('lists every fault that is tried, and no other', () => {
  const lines = listed(page);
  for (const row of rows) assert.is(lines.filter((line) => line.startsWith(lineStart(row))).length, 1, row.fault);
  assert.is(lines.length, rows.length);
});

test('tells of at least 70 faults, all of them held, as they are expected to end', () => {
  const [, tried, held, lost] = /\*\*(\d+) faults tried, (\d+) held, (\d+) lost\*\*, at commit [0-9a-f]{7,}/.exec(
    page,
  )!;
  assert.equal([Number(tried), Number(held), Number(lost)], [rows.length, rows.length, 0]);
  assert.ok(rows.length >= 70);
  for (const row of rows)
    assert.ok(
      listed(page).some((line) => line.startsWith(`${lineStart(row)}${row.exit} |`)),
      row.fault,
    );
});

test('a fault that does not hold is lost on the page', () => {
  const [first, ...others] = rows;
  const text = reliabilityPage(
    rows,
    others.map((fault) => ({ fault, exit: fault.exit })),
    '0123456',
  );
  assert.match(text, new RegExp(`${rows.length} faults tried, ${rows.length - 1} held, 1 lost`));
  assert.ok(text.includes(`${lineStart(first!)}lost |`));
});

test('no two rows have the same name', () => {
  const names = rows.map(({ fault, when }) => `${fault}, ${when}`);
  assert.equal(names, [...new Set(names)]);
});

test.run();
