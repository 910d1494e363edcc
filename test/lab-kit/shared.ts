import { createHash } from 'node:crypto';
import type { Lab } from './lab.ts';
import { lockFile, withLock } from './lock.ts';
import { stampOf } from './proc.ts';

const prepared = 'prepared';

/** See Lab.shared. `find` returns the lab of an id that is up, `boot` boots one. */
export function shareLab(
  name: string,
  find: (id: string) => Lab | undefined,
  boot: (id: string, owner: number) => Promise<Lab>,
  prepare: (lab: Lab) => Promise<void>,
): Promise<Lab> {
  const id = `s${createHash('sha256')
    .update(`${name} ${stampOf(process.ppid)}`)
    .digest('hex')
    .slice(0, 7)}`;
  return withLock(lockFile('shared', id), async () => {
    const lab = find(id) ?? (await boot(id, process.ppid));
    if (lab.snapshots().includes(prepared)) await lab.restore(prepared);
    else await prepareOrEnd(lab, prepare);
    return lab;
  });
}

async function prepareOrEnd(lab: Lab, prepare: (lab: Lab) => Promise<void>) {
  try {
    await prepare(lab);
    await lab.snapshot(prepared);
  } catch (error) {
    // Half prepared, it is of no use to the next test file.
    await lab.down();
    throw error;
  }
}
