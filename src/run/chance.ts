import { randomBytes } from 'node:crypto';

/**
 * What differs from run to run: with the same chance, the same input renders the same bytes. `now` in milliseconds
 * since the epoch; `runId` as modules see it.
 */
export interface Chance {
  runId: string;
  now: number;
  seed: Uint8Array;
}

export function freshChance(runId: string): Chance {
  return { runId, now: Date.now(), seed: randomBytes(32) };
}
