// Runs the test files named in argv, one after another, and sends each file's reports to the runner by IPC.
import { resolve } from 'node:path';
import type { TestReport } from './harness.ts';
import { useTempRoot } from './temp.ts';

const globals = globalThis as unknown as { UVU_DEFER: number; UVU_QUEUE: unknown[][]; UVU_INDEX: number };
globals.UVU_DEFER = 1; // before uvu is loaded, by the harness: it reads this once, else it also runs by a timer of its own
globals.UVU_INDEX = 0;
globals.UVU_QUEUE = [];
useTempRoot();
// Who is left alone by a killed runner holds hosts that nobody waits for: leaving clears them.
process.once('disconnect', () => process.exit(1));
const { state } = await import('./harness.ts');
if (process.env.KPUSH_VERBOSE) state().ended = (ended) => process.send?.({ ended });

for (const file of process.argv.slice(2)) await send(file, await runFile(file));
process.exit(0);

async function runFile(file: string): Promise<TestReport[]> {
  Object.assign(state(), { file, declared: [], reports: [] });
  globals.UVU_QUEUE = [[file]];
  try {
    await import(resolve(file));
    const { exec } = await import('uvu');
    await exec(false);
  } catch (error) {
    fault(file, 'loads', error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  judgeSilence(file);
  return state().reports;
}

/** What uvu would let pass: a test that was declared but never ran, a file without any. */
function judgeSilence(file: string) {
  const { declared, reports } = state();
  const ran = new Set(reports.map((report) => report.id));
  for (const id of declared)
    if (!ran.has(id))
      reports.push({ id, file, ms: 0, error: 'declared but never ran (is .run() missing, or did a hook throw?)' });
  if (reports.length === 0) fault(file, 'has tests', 'this file declares no test');
}

function fault(file: string, what: string, error: string) {
  state().reports.push({ id: `${file} › ${what}`, file, ms: 0, error });
}

function send(file: string, reports: TestReport[]) {
  return new Promise((sent) => process.send?.({ file, reports }, undefined, undefined, sent));
}
