import { readFileSync, writeFileSync } from 'node:fs';
import { machineName } from './report.ts';
import type { Table } from './tables.ts';

const [begin, end] = ['<!-- benchmarks: written by npm run bench -->', '<!-- /benchmarks -->'];
const next = '## What it promises';

/** The README's table: seconds at no delay, nothing and everything to change, as they were measured. */
export function writeReadme(tables: readonly (Table | undefined)[], date: Date, path = 'README.md'): void {
  const text = readFileSync(path, 'utf8');
  const block = `${begin}\n${tableOf(tables, date)}\n${end}\n`;
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  const at = from < 0 ? text.indexOf(next) : from;
  if (at < 0) throw new Error(`${path} has no place for the benchmarks: neither ${begin} nor ${next}`);
  const rest = from < 0 ? `\n${text.slice(at)}` : text.slice(to + end.length + 1);
  writeFileSync(path, text.slice(0, at) + block + rest);
}

function tableOf(tables: readonly (Table | undefined)[], date: Date): string {
  const rows = tables.flatMap((table) => (table?.lines[0] ? [rowOf(table)] : []));
  const names = [...new Set(rows.flatMap(({ seconds }) => [...seconds.keys()]))];
  const lines = rows.map(
    ({ title, seconds }) => `| ${title} | ${names.map((name) => seconds.get(name) ?? '–').join(' | ')} |`,
  );
  return [
    `Seconds of the whole process, side by side on ${date.toISOString().slice(0, 10)}, ${machineName()}:`,
    '',
    `| | ${names.join(' | ')} |`,
    `|${'---|'.repeat(names.length + 1)}`,
    ...lines,
    '',
    'Medians (least–most); `*` computed from an earlier measurement. More in [docs/benchmarks.md](docs/benchmarks.md).',
  ].join('\n');
}

/** The first row of a table is that without delay; its last column has ratios. */
function rowOf({ title, head, lines }: Table) {
  const cells = lines[0]!.slice(1, -1);
  return { title, seconds: new Map(cells.map((cell, at) => [head[at + 1]!, cell])) };
}
