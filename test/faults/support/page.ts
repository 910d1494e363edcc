import { groups } from '../rows/index.ts';
import { cuts } from './cuts.ts';
import type { Fault } from './fault.ts';
import { steps } from './held.ts';

/** A row that held, and how kpush ended in it. */
export interface Held {
  fault: Fault;
  exit: number | NodeJS.Signals;
}

/** docs/reliability.md: every fault of the table, with what was seen at `commit`. */
export function reliabilityPage(tried: readonly Fault[], held: readonly Held[], commit: string): string {
  const of = new Map(held.map((one) => [one.fault, one]));
  const boundary = cuts.length * steps.length;
  return `# Reliability

Faults that are injected on real hosts of the lab, one row each. After every one: no process of kpush is left on the
host, every file is the old or the new one, the next run succeeds without force, a third changes nothing, and no
temporary file, record or lock is left. Made by \`npm run faults\`; the rows are in \`test/faults/rows\`. That they can
fail is shown by faults put into kpush itself (\`test/faults/proof.test.ts\`).

**${tried.length} faults tried, ${held.length} held, ${tried.length - held.length} lost**, at commit ${commit}.

Besides, ${cuts.map(({ name }) => name).join(', ')},
each in every kind of step (${steps.join(', ')}): ${boundary} cuts (\`test/faults/boundaries.test.ts\`).

${groups.map(({ title, rows }) => `## ${title}\n\n${table(rows, of)}`).join('\n\n')}
`;
}

/** The first three cells of a row's line: by them the line is found again. */
export function lineStart(row: Fault): string {
  return `| ${[row.fault, row.when, row.seen].map(cell).join(' | ')} | `;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function table(rows: readonly Fault[], held: ReadonlyMap<Fault, Held>): string {
  const lines = rows.map((row) => {
    const found = held.get(row);
    const says = row.says ? `\`${row.says.source}\`` : '';
    return `| ${[row.fault, row.when, row.seen, found ? `${found.exit}` : 'lost', says].map(cell).join(' | ')} |`;
  });
  return ['| fault | when | seen afterwards | exit | kpush says |', '| --- | --- | --- | --- | --- |', ...lines].join(
    '\n',
  );
}
