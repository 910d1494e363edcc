import { readdirSync } from 'node:fs';
import type { Orders } from './child.ts';

/** What is fuzzed: a file each in test/fuzz/targets, and a folder of kept inputs in test/fuzz/corpus. */
export const targets: readonly string[] = readdirSync(new URL('../targets/', import.meta.url))
  .map((name) => name.replace(/\.ts$/, ''))
  .sort();

/** The same inputs each time, unless KPUSH_SEED, KPUSH_CASES and KPUSH_SECONDS say else (`npm run fuzz`). */
export const effort: Pick<Orders, 'seed' | 'cases' | 'seconds'> = {
  seed: Number(process.env.KPUSH_SEED ?? 2026),
  cases: Number(process.env.KPUSH_CASES ?? 2000),
  seconds: Number(process.env.KPUSH_SECONDS ?? 8),
};
