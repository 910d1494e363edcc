import { checkDifferences, differences } from './differences.ts';
import { byAnsible, byKpush, type Outcome } from './twin.ts';

/** Where a batch runs: the folder of its file, and the inventory of each tool's own host. */
export interface Batch {
  folder: string;
  ours: string;
  theirs: string;
}

/**
 * What the tools differ in, one line each: a first run, --check over what it left, and a second run. kpush's --check
 * plans over what earlier tasks would do, Ansible's looks at the disk as it is; so the former may say what Ansible's
 * --check says, or what Ansible then really does.
 */
export async function compareBatch(batch: Batch, playbook: string): Promise<string[]> {
  const first = await both(batch, playbook, false);
  const check = await both(batch, playbook, true);
  const second = await both(batch, playbook, false);
  return [
    ...named('first run', differences(first.ours, first.theirs)),
    ...named('--check', checkDifferences(check.ours, check.theirs, second.theirs)),
    ...named('second run', differences(second.ours, second.theirs)),
  ];
}

/** A first run alone. */
export async function compareOnce(batch: Batch, playbook: string): Promise<string[]> {
  const { ours, theirs } = await both(batch, playbook, false);
  return differences(ours, theirs);
}

function named(pass: string, lines: string[]): string[] {
  return lines.map((line) => `${pass}: ${line}`);
}

async function both({ folder, ours, theirs }: Batch, playbook: string, check: boolean) {
  const [mine, other]: [Outcome, Outcome] = await Promise.all([
    byKpush({ folder, playbook, check, inventory: ours }),
    byAnsible({ folder, playbook, check, inventory: theirs }),
  ]);
  return { ours: mine, theirs: other };
}
