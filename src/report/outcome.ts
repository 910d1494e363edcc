import { type ErrorKind, exitCode } from '../core/errors.ts';
import type { RunEvent, TaskEvent } from '../core/events.ts';
import type { Fold } from './fold.ts';
import { planTotals, type Totals } from './totals.ts';

/** How a run ended: its exit code and one word for it. `ok` is whether everything asked for was done. */
export interface Outcome {
  exit: number;
  /** `ok`, or the kind of failure that decided; with --detailed-exitcode also `changes` and `unknowns`. */
  class: 'ok' | 'changes' | 'unknowns' | ErrorKind;
  ok: boolean;
}

/**
 * The exit code: 0, or of what happened the first of 130, 1, 4, 5, 2. With `detailed` (plan --detailed-exitcode)
 * 0 nothing to do, 2 changes, 3 only unknowns, and failures are 1 or 4, so that they cannot be taken for changes.
 */
export function outcome(options: { detailed?: boolean } = {}): Fold<Outcome> {
  const totals = planTotals();
  let kinds = new Set<ErrorKind>();
  return {
    add: (event) => {
      if (event.type === 'phase') kinds = new Set([...kinds].filter((kind) => kind !== 'task' && kind !== 'gate'));
      const kind = failureKind(event);
      if (kind) kinds.add(kind);
      totals.add(event);
    },
    value: () => (options.detailed ? detailed(judge(kinds), totals.value()) : judge(kinds)),
  };
}

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

function judge(kinds: ReadonlySet<ErrorKind>): Outcome {
  const exit = exitCode(kinds);
  const deciding = [...kinds].find((kind) => exitCode([kind]) === exit);
  return exit === 0 || !deciding ? { exit: 0, class: 'ok', ok: true } : { exit, class: deciding, ok: false };
}

function detailed(plain: Outcome, totals: Totals): Outcome {
  if (!plain.ok) return { ...plain, exit: plain.exit === 2 || plain.exit === 5 ? 1 : plain.exit };
  if (totals.change > 0) return { exit: 2, class: 'changes', ok: true };
  if (totals.unknown > 0) return { exit: 3, class: 'unknowns', ok: true };
  return plain;
}
