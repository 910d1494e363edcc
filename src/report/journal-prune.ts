import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, runIds } from './journal-read.ts';

/** So many runs are kept. */
export const keptRuns = 100;

/**
 * Removes the oldest records under `root` (`.kpush`) beyond `keep`: none of a run that still goes on, nor the last one
 * that can be resumed (`resumable`: the file that says so). Throws what the disk says.
 */
export function pruneRuns(root: string, resumable: string, keep = keptRuns): void {
  const dirs = runIds(root)
    .sort()
    .reverse()
    .map((id) => join(root, 'runs', id));
  const lastApply = dirs.find((dir) => existsSync(join(dir, resumable)));
  for (const dir of dirs.slice(keep))
    if (dir !== lastApply && !isRunning(dir)) rmSync(dir, { recursive: true, force: true });
}
