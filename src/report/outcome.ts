import { type ErrorKind, exitCode } from '../core/errors.ts';
import type { RunEvent, TaskEvent } from '../core/events.ts';
import { type FailureClass, failureClass } from './failure-class.ts';
import type { Fold } from './fold.ts';
import { planTotals, type Totals } from './totals.ts';

/** How a run ended: its exit code and one word for it. `ok` is whether everything asked for was done. */
export interface Outcome {
  exit: number;
  /**
   * `ok`, or the failure that decided: what part of a cluster it belongs to, else its kind; with --detailed-exitcode
   * also `changes` and `unknowns`.
   */
  class: 'ok' | 'changes' | 'unknowns' | ErrorKind | FailureClass;
  ok: boolean;
}

/**
 * The exit code: 0, or of what happened the first of 130, 1, 4, 5, 2. With `detailed` (plan --detailed-exitcode)
 * 0 nothing to do, 2 changes, 3 only unknowns, and failures are 1 or 4, so that they cannot be taken for changes.
 */
export function outcome(options: { detailed?: boolean } = {}): Fold<Outcome> {
  const totals = planTotals();
  let kinds: Kinds = new Map();
  return {
    add: (event) => {
      if (event.type === 'phase') kinds = new Map([...kinds].filter(([kind]) => kind !== 'task' && kind !== 'gate'));
      const kind = failureKind(event);
      if (kind && !kinds.has(kind)) kinds.set(kind, failureClass(event));
      totals.add(event);
    },
    value: () => (options.detailed ? detailed(judge(kinds), totals.value()) : judge(kinds)),
  };
}

/** Kinds of failures so far, with what is known of the first of each. */
type Kinds = Map<ErrorKind, FailureClass | undefined>;

/** What an event makes of the run; undefined: nothing bad. */
export function failureKind(event: RunEvent): ErrorKind | undefined {
  if (event.type === 'interrupt') return 'interrupted';
  if (event.type === 'error' || event.type === 'host-lost') return event.kind;
  if (event.type === 'gate') return event.state === 'failed' ? 'gate' : undefined;
  return event.type === 'task' && counts(event) ? (event.status === 'unreachable' ? 'unreachable' : 'task') : undefined;
}

function counts(event: TaskEvent): boolean {
  return (event.status === 'failed' || event.status === 'unreachable') && !event.ignored && !event.rescued;
}

function judge(kinds: Kinds): Outcome {
  const exit = exitCode(kinds.keys());
  const deciding = [...kinds.keys()].find((kind) => exitCode([kind]) === exit);
  if (exit === 0 || !deciding) return { exit: 0, class: 'ok', ok: true };
  return { exit, class: kinds.get(deciding) ?? deciding, ok: false };
}

function detailed(plain: Outcome, totals: Totals): Outcome {
  if (!plain.ok) return { ...plain, exit: plain.exit === 2 || plain.exit === 5 ? 1 : plain.exit };
  if (totals.change > 0) return { exit: 2, class: 'changes', ok: true };
  if (totals.unknown > 0) return { exit: 3, class: 'unknowns', ok: true };
  return plain;
}
