import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { TestReport } from './harness.ts';

/** docs/promises.yaml: per issue, each thing it says it delivers and the ids of the tests that show it. */
type Promises = Record<string, { promise: string; tests?: string[] }[]>;

/** A report per promise that no passed test shows. `ran`: ids that passed now; long suites left theirs in docs/results. */
export function judgePromises(text: string, ran: ReadonlySet<string>): TestReport[] {
  const promises = (parse(text) ?? {}) as Promises;
  return Object.entries(promises).flatMap(([issue, entries]) =>
    (entries ?? []).map(({ promise, tests }) => {
      const report: TestReport = { id: `promises › ${issue}: ${promise}`, file: 'docs/promises.yaml', ms: 0 };
      const missing = (tests ?? []).filter((id) => !ran.has(id));
      if (!tests || tests.length === 0) return { ...report, error: 'no test shows it' };
      return missing.length === 0 ? report : { ...report, error: `no suite passed: ${missing.join(', ')}` };
    }),
  );
}

/** Ids that long suites passed when they last ran, as committed with their results. */
export function recordedIds(folder = 'docs/results'): Set<string> {
  if (!existsSync(folder)) return new Set();
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  const results = files.flatMap((file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')).passed as string[]);
  return new Set(results);
}
