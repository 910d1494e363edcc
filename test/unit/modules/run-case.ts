import { coerceParams } from '../../../src/core/coerce.ts';
import type { Answer, Wants } from '../../../src/core/facts.ts';
import type { Module, ModuleContext, WorldView } from '../../../src/core/module.ts';
import type { Result } from '../../../src/core/result.ts';
import { TaskFailure } from '../../../src/core/result.ts';
import type { StepOutcome } from '../../../src/core/steps.ts';
import { Float, Unknown, Unsafe, type Value } from '../../../src/jinja/values.ts';
import { UnknownRead } from '../../../src/world/read.ts';
import { controllerFiles, type ShortFile } from './controller.ts';
import { factOf } from './world-words.ts';

/**
 * One case of a module, as it stands in a YAML file. What is expected is compared with what is there as far as it is
 * named: objects by the keys given, lists item by item; `{unknown: WHY}` stands for an unknown value, `/…/` for a
 * pattern.
 */
export interface ModuleCase {
  name: string;
  params?: Record<string, unknown>;
  /** `family:id` → the fact, or `{denied: PATH}`, `{unknown: WHY}`. What is asked and not here fails the case. */
  world?: Record<string, unknown>;
  facts?: Record<string, unknown>;
  check?: boolean;
  env?: Record<string, string>;
  user?: string;
  /** Whether diffs are wanted; true unless said. */
  diff?: boolean;
  /** Controller files by name, and what templates render to. */
  files?: Record<string, ShortFile>;
  templates?: Record<string, unknown>;
  /** Keys that the parameters alone ask for. */
  asks?: string[];
  steps?: unknown[];
  result?: Record<string, unknown>;
  warnings?: string[];
  notes?: string[];
  /** How the steps went, and the result after that. */
  outcomes?: Partial<StepOutcome>[];
  completed?: Record<string, unknown>;
  /** Text (or `/pattern/`) of the task failure, of a wrong parameter, or of what it waits for. */
  error?: string;
  hint?: string;
  waits?: string;
  /** What planning again after the effects shows, when not nothing: still `changes`, or waits (`unknown`). */
  again?: 'changes' | 'unknown';
}

/** What the case shows that is not as expected, one line each. */
export function runCase(module: Module<never>, test: ModuleCase): string[] {
  const given = templateValue(test.params ?? {}) as Map<Value, Value>;
  const coerced = coerceParams(module.params, given, { module: module.name, rules: module.rules });
  const [problem] = coerced.problems;
  if (problem) return compareError(problem.message, test);
  const params = coerced.params as never;
  const ctx = contextOf(test);
  try {
    const asked = module.facts(params, ctx).map((key) => `${key.family}:${key.id}`);
    const plan = module.plan(params, worldOf(test), ctx);
    if (test.error ?? test.waits) return [`expected ${test.error ?? test.waits}, but it was planned`];
    return [
      ...(test.asks ? compare('asks', test.asks, asked) : []),
      ...compare('steps', test.steps ?? [], plain(plan.steps)),
      ...(test.result ? compare('result', test.result, resultOf(plan.result)) : []),
      ...(test.warnings ? compare('warnings', test.warnings, plan.warnings ?? []) : []),
      ...(test.notes ? compare('notes', test.notes, plan.notes ?? []) : []),
      ...(test.completed
        ? compare('completed', test.completed, resultOf(completed(module, params, plan.result, test, ctx)))
        : []),
    ];
  } catch (error) {
    if (error instanceof TaskFailure) return compareError(error.message, test, error.hint);
    if (error instanceof UnknownRead && test.waits !== undefined) return compare('waits', test.waits, error.why);
    throw error;
  }
}

function completed(
  module: Module<never>,
  params: never,
  predicted: Result,
  test: ModuleCase,
  ctx: ModuleContext,
): Result {
  const outcomes = (test.outcomes ?? []).map(
    (outcome, index): StepOutcome => ({
      key: `1.${index}`,
      status: (outcome.rc ?? 0) === 0 ? 'ok' : 'failed',
      rc: 0,
      stdout: '',
      stderr: '',
      start: Date.UTC(2026, 0, 2, 3, 4, 5, 600),
      end: Date.UTC(2026, 0, 2, 3, 4, 7, 100),
      ...outcome,
    }),
  );
  return module.complete?.(params, predicted, outcomes, ctx) ?? predicted;
}

function compareError(message: string, test: ModuleCase, hint?: string): string[] {
  if (test.error === undefined) return [`failed: ${message}`];
  return [
    ...compare('error', test.error, message),
    ...(test.hint === undefined ? [] : compare('hint', test.hint, hint)),
  ];
}

function worldOf(test: ModuleCase): WorldView {
  return {
    read(family: string, id: string, wants?: Wants): Answer {
      const key = `${family}:${id}`;
      if (!Object.hasOwn(test.world ?? {}, key))
        throw new Error(`the case has no answer for ${key} ${JSON.stringify(wants ?? '')}`);
      return answerOf(family, id, test.world![key]);
    },
  };
}

export function answerOf(family: string, id: string, value: unknown): Answer {
  const special = value as { denied?: string; unknown?: string } | null;
  if (typeof special?.denied === 'string') return { state: 'denied', raw: '', path: special.denied };
  if (typeof special?.unknown === 'string') return { state: 'unknown', why: special.unknown };
  return { state: 'known', raw: '', value: factOf(family, id, value) };
}

export function contextOf(test: ModuleCase): ModuleContext {
  return {
    host: 'h1',
    taskName: 'the task',
    facts: templateValue(test.facts ?? {}) as Map<string, Value>,
    checkMode: test.check ?? false,
    diff: test.diff ?? true,
    noLog: false,
    remoteUser: test.user ?? 'root',
    env: test.env ?? {},
    runId: 'run1',
    now: Date.UTC(2026, 0, 2, 3, 4, 5),
    random: (bytes) => 'ab'.repeat(bytes),
    files: controllerFiles(test.files ?? {}, mapValues(test.templates ?? {}, templateValue)),
  };
}

function mapValues<A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

/** YAML's values as the template engine has them. */
export function templateValue(value: unknown): Value {
  if (Array.isArray(value)) return value.map(templateValue);
  if (typeof value !== 'object' || value === null) return value as Value;
  const unknown = (value as { unknown?: string }).unknown;
  if (typeof unknown === 'string' && Object.keys(value).length === 1) return new Unknown(unknown);
  return new Map(Object.entries(value).map(([name, item]) => [name, templateValue(item)]));
}

function resultOf(result: Result): Record<string, unknown> {
  const { values, ...rest } = result;
  return plain({ ...Object.fromEntries(values), ...rest }) as Record<string, unknown>;
}

/** Template values as YAML could have them. */
export function plain(value: unknown): unknown {
  if (value instanceof Unknown) return { unknown: value.why };
  if (value instanceof Unsafe) return value.text;
  if (value instanceof Float) return value.value;
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, item]) => [String(name), plain(item)]));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
}

function compare(place: string, expected: unknown, actual: unknown): string[] {
  if (Array.isArray(expected)) return compareLists(place, expected, actual);
  if (typeof expected === 'object' && expected !== null) return compareObjects(place, expected, actual);
  const pattern = typeof expected === 'string' ? /^\/([\s\S]+)\/$/.exec(expected)?.[1] : undefined;
  if (pattern !== undefined && typeof actual === 'string' && new RegExp(pattern).test(actual)) return [];
  return Object.is(expected, actual) ? [] : [`${place}: expected ${show(expected)}, is ${show(actual)}`];
}

function compareLists(place: string, expected: unknown[], actual: unknown): string[] {
  if (!Array.isArray(actual) || actual.length !== expected.length)
    return [`${place}: expected ${show(expected)}, is ${show(actual)}`];
  return expected.flatMap((item, index) => compare(`${place}[${index}]`, item, actual[index]));
}

function compareObjects(place: string, expected: object, actual: unknown): string[] {
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual))
    return [`${place}: expected ${show(expected)}, is ${show(actual)}`];
  const there = actual as Record<string, unknown>;
  return Object.entries(expected).flatMap(([name, item]) =>
    item === '(absent)'
      ? there[name] === undefined
        ? []
        : [`${place}.${name}: expected nothing, is ${show(there[name])}`]
      : compare(`${place}.${name}`, item, there[name]),
  );
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
