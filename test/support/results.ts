import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestReport } from './harness.ts';

/** docs/results/SUITE.json: what a long suite last showed, and at which commit. */
export interface Results {
  suite: string;
  commit: string;
  date: string;
  passed: string[];
  failed: string[];
}

/**
 * Keeps what a suite showed, for promises and checklists that name its tests. `whole`: all of its files ran; else what
 * other files showed before is kept.
 */
export function keepResults(
  suite: string,
  found: readonly TestReport[],
  whole: boolean,
  folder = 'docs/results',
): void {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${suite}.json`);
  const before: Results | undefined = !whole && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  const ids = (failed: boolean) => found.filter(({ error }) => (error !== undefined) === failed).map(({ id }) => id);
  const results = merged(before, { passed: ids(false), failed: ids(true) });
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(path, `${JSON.stringify({ suite, commit: commit(), date, ...results }, null, 2)}\n`);
}

/** Exported for its test: what ran now replaces what is known of it from before. */
export function merged(
  before: Pick<Results, 'passed' | 'failed'> | undefined,
  now: Pick<Results, 'passed' | 'failed'>,
) {
  const ran = new Set([...now.passed, ...now.failed]);
  const kept = (ids: string[] = []) => ids.filter((id) => !ran.has(id));
  return {
    passed: [...kept(before?.passed), ...now.passed].sort(),
    failed: [...kept(before?.failed), ...now.failed].sort(),
  };
}

function commit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
}
