import { differences } from './differences.ts';
import { byAnsible, byKpush, type Outcome } from './twin.ts';

/** Where a batch runs: the folder of its file, and the inventory of each tool's own host. */
export interface Batch {
  folder: string;
  ours: string;
  theirs: string;
}

const passes = [
  { title: 'first run', check: false },
  { title: '--check', check: true },
  { title: 'second run', check: false },
];

/** What the tools differ in, over all passes; one line each. `only`: how many passes. */
export async function compareBatch(batch: Batch, playbook: string, only = passes.length): Promise<string[]> {
  const lines: string[] = [];
  for (const { title, check } of passes.slice(0, only)) {
    const [ours, theirs] = await both(batch, playbook, check);
    lines.push(...differences(ours, theirs, check).map((line) => `${title}: ${line}`));
  }
  return lines;
}

function both({ folder, ours, theirs }: Batch, playbook: string, check: boolean): Promise<[Outcome, Outcome]> {
  return Promise.all([
    byKpush({ folder, playbook, check, inventory: ours }),
    byAnsible({ folder, playbook, check, inventory: theirs }),
  ]);
}
