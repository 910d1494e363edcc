import type { ErrorKind } from '../core/errors.ts';
import type { RunEvent, TaskEvent } from '../core/events.ts';
import type { Origin } from '../core/origin.ts';
import { nameless, timeless } from './alike.ts';
import type { Fold } from './fold.ts';
import { failureKind } from './outcome.ts';

/** One failure, on however many hosts it happened alike. */
export interface Failure {
  kind: ErrorKind;
  /** Task or gate; '' where it was neither. */
  title: string;
  origin?: Origin;
  hosts: string[];
  message: string;
  hint?: string;
  command?: string;
  rc?: number;
  /** Full text as the event has it. */
  stderr?: string;
  stdout?: string;
  /** Unit status and journal. */
  evidence?: string;
}

/** What failed and counted, in the order it first happened; host names and addresses do not tell failures apart. */
export function failures(): Fold<Failure[]> {
  let found = new Map<string, Failure>();
  let order: readonly string[] = [];
  return {
    add: (event) => {
      if (event.type === 'run-start') order = event.hosts;
      if (event.type === 'phase') found = keepLost(found);
      const failure = failureOf(event);
      if (!failure) return;
      const key = signature(failure);
      const known = found.get(key);
      if (!known) found.set(key, failure);
      else known.hosts.push(...failure.hosts.filter((host) => !known.hosts.includes(host)));
    },
    value: () =>
      [...found.values()].map(generalised).map((failure) => ({ ...failure, hosts: inOrder(failure.hosts, order) })),
  };
}

/** As the inventory has them; those of other runs, last. */
function inOrder(hosts: readonly string[], order: readonly string[]): string[] {
  const place = new Map(order.map((host, at) => [host, at]));
  return [...hosts].sort((a, b) => (place.get(a) ?? order.length) - (place.get(b) ?? order.length));
}

/** Whether the run broke off at an error of no host: what it planned by then says nothing of the rest. */
export function brokeOff(found: readonly Failure[]): boolean {
  return found.some(({ hosts }) => hosts.length === 0);
}

function failureOf(event: RunEvent): Failure | undefined {
  const kind = failureKind(event);
  // A gate that is a task has told why itself.
  if (!kind || (event.type === 'task' && event.module === 'gate' && event.status === 'failed')) return undefined;
  if (event.type === 'task') return { kind, ...taskFailure(event) };
  if (event.type === 'gate') {
    const { name, host, origin, reason, evidence } = event;
    return { kind, title: `gate ${name}`, origin, hosts: [host], message: reason ?? 'not passed in time', evidence };
  }
  if (event.type !== 'host-lost' && event.type !== 'error') return undefined;
  const { origin, hint } = event.facts;
  return { kind, title: '', origin, hosts: event.host === undefined ? [] : [event.host], message: event.message, hint };
}

function taskFailure(event: TaskEvent): Omit<Failure, 'kind'> {
  const { name, module, origin, host, message, hint, failure, items } = event;
  const item = items?.find((one) => one.status === 'failed');
  const text = message ?? item?.message ?? 'failed without a reason given';
  const title = item ? `${name || module} (item ${item.label})` : name || module;
  return { title, origin, hosts: [host], message: text, hint, ...failure };
}

/** Planning again forgets predicted failures, not hosts that could not be reached. */
function keepLost(found: Map<string, Failure>): Map<string, Failure> {
  return new Map([...found].filter(([, failure]) => failure.kind !== 'task' && failure.kind !== 'gate'));
}

function signature(failure: Failure): string {
  const { kind, title, origin, message, rc, stderr } = failure;
  const place = origin ? `${origin.file}:${origin.line}` : '';
  return JSON.stringify([
    kind,
    title,
    place,
    rc,
    ...[message, stderr ?? ''].map((text) => timeless(nameless(text, failure.hosts[0]))),
  ]);
}

/** Where several hosts failed alike, what names one of them is taken out of the text. */
function generalised(failure: Failure): Failure {
  return failure.hosts.length > 1 ? { ...failure, message: nameless(failure.message, failure.hosts[0]) } : failure;
}
