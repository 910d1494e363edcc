import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { actions } from '../../../src/actions/registry.ts';
import { type Wait, waits } from '../../../src/core/waits.ts';
import { gates } from '../../../src/gates/registry.ts';
import { modules } from '../../../src/modules/registry.ts';
import { suite } from '../../support/harness.ts';

const test = suite('docs/waits.md');
const root = fileURLToPath(new URL('../../../', import.meta.url));

test('is the table of all waits', () => {
  const path = `${root}docs/waits.md`;
  if (process.env.KPUSH_GOLDEN === 'write') writeFileSync(path, page());
  assert.is(readFileSync(path, 'utf8'), page(), 'KPUSH_GOLDEN=write makes it anew');
});

test('every gate has an interval, a time for one look and a deadline, in this order of size', () => {
  for (const { name, interval, timeout, deadline } of gates) {
    assert.ok(interval > 0 && timeout > 0 && deadline > 0, name);
    assert.ok(deadline >= timeout && deadline >= interval, name);
  }
});

const blank = (value: number | undefined) => (value === undefined ? '' : `${value}`);
const row = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

function page(): string {
  return `# Every wait

What kpush waits for, and how long at most. All times are in seconds; a wait has an interval between two looks or tries, a time for one of
them and a deadline for all, as far as it has such. No number for a timer is anywhere else in the code: a test looks.

## Of kpush itself

Each cell can be set for a run by the environment: \`KPUSH_WAITS=lock.deadline=60,exit.deadline=5\`; some by more.

${table(
  ['name', 'for', 'interval', 'one try', 'deadline', 'set also by'],
  Object.entries(waits).map(([name, wait]) => [name, wait.what, ...times(wait), wait.by ?? '']),
)}

A step of a task has no limit but its own: \`timeout:\` of the task, or what its module says below. Two waits have no
deadline, since only who waits can tell: a command without a \`timeout:\`, and a step that must finish and is cut off
(\`finish\`). The display says what is waited for; the first interrupt ends the second of them, the second one both.

## Gates

Set where the gate is used: \`interval\`, \`timeout\`, \`deadline\`.

${table(
  ['gate', 'interval', 'one look', 'deadline'],
  gates.map((gate) => [gate.name, ...times(gate)]),
)}

## Parameters of modules and actions

${table(
  ['module', 'parameter', 'default', 'for'],
  [...actions, ...modules].flatMap(({ name, params }) =>
    Object.entries(params)
      .filter(([param, { doc }]) => isTime(param) && !/^Accepted/.test(doc))
      .map(([param, spec]) => [name, param, 'default' in spec ? `${spec.default}` : '', spec.doc]),
  ),
)}

## Steps of modules

Set by \`timeout:\` of the task.

${table(['source', 'deadline'], stepTimes())}
`;
}

function isTime(param: string): boolean {
  return /(?:^|_)(?:timeout|delay|sleep|interval|deadline|max_delay)$/.test(param);
}

function times({ interval, timeout, deadline }: Pick<Wait, 'interval' | 'timeout' | 'deadline'>): string[] {
  return [interval, timeout, deadline].map(blank);
}

function table(head: string[], rows: string[][]): string {
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}

/** As the sources of modules have them. */
function stepTimes(): string[][] {
  const files = readdirSync(`${root}src/modules`, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  return files
    .sort()
    .flatMap((file) =>
      [...readFileSync(`${root}src/modules/${file}`, 'utf8').matchAll(/^\s*timeout: ([\d_]+),$/gm)].map(
        ([, seconds]) => [`\`src/modules/${file}\``, seconds!],
      ),
    );
}

test.run();
