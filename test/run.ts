/**
 * The test runner. `run.ts` runs the unit tests; `--all` what `npm test` promises: units, then every suite of
 * test/suites.ts marked `inTest`, in order; `--suite NAME` one suite; further words select files by substring.
 * `--verbose` tells of each test as it ends: a file may take half an hour.
 * `--record` keeps the outcome in docs/results/<suite>.json, for promises that name its tests.
 * Ids of the tests that passed go to .kpush/test-results/<suite>.json; the last line is "N passed, N failed".
 */
import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { type Suite, suites } from './suites.ts';
import { checklists, judgeChecklist } from './support/checklist.ts';
import type { TestReport } from './support/harness.ts';
import { judgePromises, recordedIds } from './support/promises.ts';
import { keepResults } from './support/results.ts';
import { makeTempRoot, sweepTempRoots } from './support/temp.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean' },
    record: { type: 'boolean' },
    verbose: { type: 'boolean' },
    suite: { type: 'string', multiple: true },
  },
});
const chosen = suites.filter((suite) =>
  values.suite ? values.suite.includes(suite.name) : values.all ? suite.inTest : suite.name === 'unit',
);
sweepTempRoots();
const reports: TestReport[] = [];
for (const suite of chosen) reports.push(...(await runSuite(suite)));
if (values.all && positionals.length === 0) reports.push(...promiseReports(reports));
finish(reports);

async function runSuite(suite: Suite): Promise<TestReport[]> {
  const files = suite.dirs.flatMap(testFiles).filter(isWanted).sort();
  if (files.length === 0) return positionals.length ? [] : [missing(suite)];
  const groups = suite.oneProcess ? split(files, Math.min(cpus().length, files.length)) : files.map((file) => [file]);
  const found = suite.oneProcess
    ? (await Promise.all(groups.map((group) => runFiles(group, suite)))).flat()
    : await inTurn(groups, suite);
  save(suite, found);
  console.log(`${suite.name}: ${found.filter((r) => !r.error).length} of ${found.length} passed`);
  return found;
}

async function inTurn(groups: string[][], suite: Suite) {
  const all: TestReport[] = [];
  for (const group of groups) {
    const start = performance.now();
    const found = await runFiles(group, suite);
    const failed = found.filter((r) => r.error).length;
    console.log(
      `  ${group.join(' ')}: ${found.length - failed}/${found.length} in ${Math.round((performance.now() - start) / 1000)} s`,
    );
    all.push(...found);
    // A suite of an hour may be cut off: what it showed is kept.
    if (values.record) keepResults(suite.name, found, false);
  }
  return all;
}

function runFiles(files: string[], suite: Suite): Promise<TestReport[]> {
  return new Promise((resolve) => {
    const temp = makeTempRoot();
    const child = fork('test/support/worker.ts', files, {
      execArgv: ['--import', 'tsx'],
      silent: true,
      env: { ...process.env, ...temp.env, KPUSH_SUITE: suite.name, ...(values.verbose ? { KPUSH_VERBOSE: '1' } : {}) },
    });
    const got: TestReport[] = [];
    const left = new Set(files);
    let output = '';
    child.stdout?.on('data', (text) => (output = (output + text).slice(-200_000)));
    child.stderr?.on('data', (text) => (output = (output + text).slice(-200_000)));
    child.on('message', (message: { file: string; reports: TestReport[] } | { ended: TestReport }) => {
      if ('ended' in message) return tell(message.ended);
      left.delete(message.file);
      got.push(...message.reports);
    });
    const timer = setTimeout(() => child.kill('SIGTERM'), suite.fileTimeoutMs * files.length);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      temp.remove();
      for (const { id, note } of got) if (note) console.log(`  ${id}: ${note}`);
      for (const file of left)
        got.push({ id: `${file} › ends`, file, ms: 0, error: `worker ended early (${signal ?? `exit ${code}`})` });
      for (const report of got.filter((r) => r.error))
        console.log(`\nFAIL ${report.id}\n  ${report.file}\n${indent(report.error ?? '')}`);
      if (left.size) console.log(indent(output.slice(-4000)));
      resolve(got);
    });
  });
}

function tell({ id, ms, error }: TestReport) {
  if (values.verbose)
    console.log(`  ${error ? 'FAIL' : 'ok'} ${id} (${Math.round(ms / 1000)} s)${error ? `\n${indent(error)}` : ''}`);
}

function promiseReports(all: TestReport[]): TestReport[] {
  const ran = new Set([...recordedIds(), ...all.filter((report) => !report.error).map((report) => report.id)]);
  const judged = [
    ...judgePromises(readFileSync('docs/promises.yaml', 'utf8'), ran),
    ...checklists.flatMap((rules) => judgeChecklist(readFileSync(rules.file, 'utf8'), ran, rules)),
  ];
  for (const report of judged.filter((r) => r.error)) console.log(`FAIL ${report.id}: ${report.error}`);
  return judged;
}

function finish(all: TestReport[]) {
  const failed = all.filter((report) => report.error).length;
  console.log(`\n${all.length - failed} passed, ${failed} failed`);
  process.exit(failed || all.length === 0 ? 1 : 0);
}

function save(suite: Suite, found: TestReport[]) {
  if (values.record) keepResults(suite.name, found, positionals.length === 0);
  if (positionals.length) return;
  mkdirSync('.kpush/test-results', { recursive: true });
  writeFileSync(
    `.kpush/test-results/${suite.name}.json`,
    JSON.stringify(found.map(({ id, ms, error }) => ({ id, ms, ok: !error }))),
  );
}

function testFiles(dir: string): string[] {
  if (!existsSync(dir)) return [];
  const found = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  return found.filter((file) => file.endsWith('.test.ts')).map((file) => `${dir}/${file}`);
}

function isWanted(file: string): boolean {
  return positionals.length === 0 || positionals.some((word) => file.includes(word));
}

function missing(suite: Suite): TestReport {
  return { id: `${suite.name} › has files`, file: suite.dirs.join(' '), ms: 0, error: 'no file in this suite' };
}

function split(files: string[], n: number): string[][] {
  return Array.from({ length: n }, (_, i) => files.filter((_f, at) => at % n === i));
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
