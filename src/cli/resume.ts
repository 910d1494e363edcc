import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inputError } from '../core/errors.ts';
import type { RunOptions } from '../core/options.ts';
import { findRun, listRuns, type RunInfo, readJournal } from '../report/journal-read.ts';
import { earlierPlays, remainingHosts } from '../report/remaining.ts';
import { readSavedPlan } from '../run/saved-plan.ts';
import { optionsOfPlan, type SavedOptions, savedOptions } from '../run/saved-plan-options.ts';
import { sealWith } from '../run/saved-plan-seal.ts';
import { version } from './version.ts';

/** Beside the journal of an apply. */
export const optionsFile = 'options.json';

interface Kept {
  /** Base64: what extra variables that may hold a secret are sealed with. */
  key: string;
  options: SavedOptions;
}

/** Beside the journal of a run in `dir`: what a later `kpush resume` needs to apply the same again. */
export function keepOptions(dir: string, options: RunOptions): void {
  const key = randomBytes(32);
  const kept: Kept = { key: key.toString('base64'), options: savedOptions(options, sealWith(key)) };
  writeFileSync(join(dir, optionsFile), `${JSON.stringify(kept)}\n`, { mode: 0o600, flag: 'wx' });
}

/**
 * The options of an apply of what a recorded one left over; undefined: it left nothing. `word` names the run; absent:
 * the last apply. Throws an input error.
 */
export function resumed(root: string, word: string | undefined, given: RunOptions): RunOptions | undefined {
  const run = word === undefined ? lastApply(root) : findRun(root, word);
  const { options, key } = keptOptions(run);
  const again = optionsOfPlan(options, given, sealWith(Buffer.from(key, 'base64')), `run ${run.id}`);
  if (again.playbooks.some((path) => readSavedPlan(path, version)))
    throw inputError(`run ${run.id} applied a saved plan`, { hint: 'plan again for what is left' });
  const { events } = readJournal(run.dir);
  const hosts = remainingHosts(events);
  if (hosts.length === 0) return undefined;
  return { ...again, limit: [...again.limit, hosts.join(',')], earlier: earlierPlays(events, again.earlier) };
}

function lastApply(root: string): RunInfo {
  const found = listRuns(root).find(({ start }) => start?.verb === 'apply' && !start.check);
  if (!found) throw inputError(`no apply is recorded in ${join(root, 'runs')}`);
  return found;
}

function keptOptions(run: RunInfo): Kept {
  const { id, state, start } = run;
  if (state === 'running') throw inputError(`run ${id} still runs`);
  if (start?.verb !== 'apply' || start.check)
    throw inputError(`run ${id} is not an apply, there is nothing to go on with`);
  try {
    return JSON.parse(readFileSync(join(run.dir, optionsFile), 'utf8')) as Kept;
  } catch (error) {
    throw inputError(`the options of run ${id} cannot be read: ${(error as Error).message}`);
  }
}
