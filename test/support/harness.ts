import { suite as uvuSuite } from 'uvu';

/** What one test said: `id` is "suite › test"; `error` is absent when it passed. */
export interface TestReport {
  id: string;
  file: string;
  ms: number;
  error?: string;
  /** What a person wants to know of it even when it passed: a seed, counts. */
  note?: string;
}

type Body = () => unknown | Promise<unknown>;
interface Suite {
  (name: string, body: Body, options?: { timeout?: number }): void;
  run(): void;
}

const defaultTimeoutMs = 10_000;

/**
 * A uvu suite whose tests have names that promises.yaml can cite, a timeout each, and a report that counts.
 * uvu alone passes files that forget `.run()` and hooks that throw, and lets a test hang for ever.
 */
export function suite(name: string, options: { timeout?: number } = {}): Suite {
  const inner = uvuSuite(name);
  const file = state().file;
  const add = (test: string, body: Body, own: { timeout?: number } = {}) => {
    const id = `${name} › ${test}`;
    state().declared.push(id);
    inner(test, () => reported(id, file, body, own.timeout ?? options.timeout ?? defaultTimeoutMs));
  };
  return Object.assign(add, { run: () => inner.run() });
}

/** Tells something about the running test to whoever reads the runner's output. */
export function note(text: string): void {
  const { notes } = state();
  notes.push(text);
}

async function reported(id: string, file: string, body: Body, timeout: number) {
  const start = performance.now();
  state().notes = [];
  const done = (error?: unknown) => {
    const report = {
      id,
      file,
      ms: performance.now() - start,
      ...(error === undefined ? {} : { error: describe(error) }),
      ...(state().notes.length > 0 ? { note: state().notes.join('; ') } : {}),
    };
    state().reports.push(report);
    state().ended?.(report);
  };
  try {
    await withTimeout(body, timeout);
    done();
  } catch (error) {
    done(error);
    throw error;
  }
}

function withTimeout(body: Body, ms: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`timed out after ${ms} ms`)), ms);
    Promise.resolve()
      .then(body)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const details = (error as { details?: unknown }).details;
  return `${error.stack ?? error.message}${typeof details === 'string' ? `\n${details}` : ''}`;
}

interface State {
  file: string;
  declared: string[];
  reports: TestReport[];
  /** Of the test that runs. */
  notes: string[];
  /** Called as each test ends. */
  ended?(report: TestReport): void;
}

/** One per test process, set by the worker before it imports a test file. */
export function state(): State {
  const holder = globalThis as { kpushTests?: State };
  holder.kpushTests ??= { file: process.argv[1] ?? '', declared: [], reports: [], notes: [] };
  return holder.kpushTests;
}
