import type { TaskEvent } from '../core/events.ts';
import type { TaskTree } from '../core/play.ts';
import type { Result } from '../core/result.ts';
import type { PlannedStep, StepOutcome } from '../core/steps.ts';
import type { TemplateError } from '../jinja/index.ts';
import { Unknown, Unsafe, type Value } from '../jinja/values.ts';
import type { Context } from './state.ts';

/** What came of one task instance (a loop item, or the task itself). */
export interface Outcome {
  status: TaskEvent['status'];
  result: Result;
  steps: PlannedStep[];
  /** What really happened to the steps; empty while they are pending or predicted. */
  ran: StepOutcome[];
  message?: string;
  hint?: string;
  why?: string;
  provisional?: string;
  /** Why it may be another one by the time it is come to. */
  fleeting?: string;
  warnings?: string[];
  /** What was found, for a plan to show. */
  notes?: string[];
  /** Commands of the user's own that were run to decide. */
  probes?: string[];
  /** Tasks that a dynamic include brought, run right after it. */
  include?: { nodes: readonly TaskTree[]; context: Context; handlers?: boolean };
  /** False: its ansible_facts are already where they belong. */
  setsFacts?: boolean;
  /** Not counted and not told (meta). */
  silent?: boolean;
  /** meta: the host leaves the play. */
  ends?: boolean;
  /** A step without lasting effect. */
  always?: boolean;
  /** Of a loop's item: with it the whole task ends, and says no more of its items. */
  whole?: boolean;
  /** It failed when its steps ran, which nobody could know before: others may have run behind it. */
  late?: boolean;
}

/** The result as templates see it: a dict whose host-born strings are data. */
export function resultValue(result: Result): Map<Value, Value> {
  const value = new Map<Value, Value>([
    ['changed', result.changed],
    ['failed', result.failed ?? false],
  ]);
  if (result.skipped !== undefined) value.set('skipped', result.skipped);
  if (result.unreachable) value.set('unreachable', true);
  for (const [name, field] of result.values) value.set(name, untrusted(field));
  return value;
}

/** Strings of a result came from a host: they are never rendered again. */
export function untrusted(value: Value): Value {
  if (typeof value === 'string') return new Unsafe(value);
  if (Array.isArray(value)) return value.map(untrusted);
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, untrusted(item)]));
  return value;
}

export function failedOutcome(
  message: string,
  options: { values?: Record<string, Value>; hint?: string } = {},
): Outcome {
  const values = new Map<string, Value>(Object.entries({ ...options.values, msg: message }));
  return {
    status: 'failed',
    result: { changed: false, failed: true, values },
    steps: [],
    ran: [],
    message,
    hint: options.hint,
  };
}

/** The message has the place in the playbook, variables file or template; `msg` of the result is Ansible's, without it. */
export function templateFailure(error: TemplateError): Outcome {
  const { message, origin, line, column } = error;
  const placed = origin === undefined || message.includes(`${origin}:${line}`);
  const place = [origin, line, column].filter((part) => part !== undefined).join(':');
  return { ...failedOutcome(message), message: placed ? message : `${message} (${place})` };
}

export function skippedOutcome(reason: string, extra: Record<string, Value> = {}): Outcome {
  const values = new Map<string, Value>(Object.entries({ skip_reason: reason, ...extra }));
  return { status: 'skipped', result: { changed: false, skipped: true, values }, steps: [], ran: [], message: reason };
}

/** May change, but whether or how is known only after `why`; so are the fields that its module returns. */
/** Fields `ansible_facts.NAME` that a module says it returns are facts, known later too. */
export function unknownOutcome(
  unknown: Unknown,
  steps: PlannedStep[] = [],
  returns: Readonly<Record<string, string>> = {},
): Outcome {
  const names = Object.keys(returns);
  const values = new Map<string, Value>(['msg', ...names].map((name) => [name, unknown]));
  const facts = names.filter((name) => name.startsWith(factPrefix)).map((name) => name.slice(factPrefix.length));
  if (facts.length > 0) values.set('ansible_facts', new Map<Value, Value>(facts.map((name) => [name, unknown])));
  const result: Result = { changed: unknown, failed: false, values };
  return { status: 'unknown', result, steps, ran: [], why: unknown.why };
}

const factPrefix = 'ansible_facts.';

/** While facts of a look-ahead are missing: every field comes later in this very run. */
export function pendingOutcome(): Outcome {
  const later = new Unknown('answers', 'pending');
  return {
    status: 'unknown',
    result: { changed: later, failed: later, skipped: later, values: new Map() },
    steps: [],
    ran: [],
  };
}

export function unreachableOutcome(message: string, hint?: string): Outcome {
  const values = new Map<string, Value>([['msg', message]]);
  return {
    status: 'unreachable',
    result: { changed: false, unreachable: true, values },
    steps: [],
    ran: [],
    message,
    hint,
  };
}

/** Done without any step: `ok` with these fields. */
export function okOutcome(values: Record<string, Value> = {}, message?: string): Outcome {
  return {
    status: 'ok',
    result: { changed: false, values: new Map(Object.entries(values)) },
    steps: [],
    ran: [],
    message,
  };
}
