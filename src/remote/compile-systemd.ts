import { quoteAll } from '../core/quote.ts';
import type { SystemdOp } from '../core/steps.ts';
import { startedText } from './settle.sh.ts';

type UnitOp = Extract<SystemdOp, { unit: string }>;
type Scope = 'system' | 'user' | 'global';

/** In the order in which they may be merged; ops of one phase become one call. */
const phases = ['stop', 'disable', 'mask', 'unmask', 'reenable', 'enable', 'reload all', 'start', 'restart', 'reload'];

/** Neighbouring ops as few calls (engine rule 18): links without reload, one reload, one job for all starts. */
export function systemdText(ops: readonly SystemdOp[], scope: Scope): string {
  return batches(ops)
    .map((batch) => batchText(batch, scope))
    .join('');
}

/**
 * Later ops may move before earlier ones of other units, except a stop, which may be what a start waited for, and
 * never before an earlier op of the same unit.
 */
function batches(ops: readonly SystemdOp[]): SystemdOp[][] {
  const all: SystemdOp[][] = [[]];
  for (const op of ops) {
    const batch = all.at(-1) ?? [];
    if (batch.some((earlier) => mustWait(op, earlier))) all.push([op]);
    else batch.push(op);
  }
  return all.filter((batch) => batch.length > 0);
}

function mustWait(op: SystemdOp, earlier: SystemdOp): boolean {
  if (phase(op) >= phase(earlier)) return false;
  return op.op === 'stop' || ('unit' in op && 'unit' in earlier && op.unit === earlier.unit);
}

function phase(op: SystemdOp): number {
  return phases.indexOf('unit' in op ? op.op : 'reload all');
}

function batchText(batch: SystemdOp[], scope: Scope): string {
  const linked = batch.some(({ op }) => ['disable', 'mask', 'unmask', 'reenable', 'enable'].includes(op));
  const reload = batch.some((op) => !('unit' in op)) || linked;
  return phases
    .map((name) => (name === 'reload all' ? reloadText(batch, reload, scope) : callText(name, batch, scope)))
    .join('');
}

function reloadText(batch: SystemdOp[], wanted: boolean, scope: Scope): string {
  if (!wanted || scope === 'global') return '';
  const verb = batch.some(({ op }) => op === 'daemon-reexec') ? 'daemon-reexec' : 'daemon-reload';
  return `${systemctl(scope)} ${verb} || exit\n`;
}

function callText(name: string, batch: SystemdOp[], scope: Scope): string {
  const ops = batch.filter((op): op is UnitOp => 'unit' in op && op.op === name);
  const call = (chosen: UnitOp[], flags: string[]) => {
    const units = [...new Set(chosen.map(({ unit }) => unit))];
    if (units.length === 0) return '';
    const words = quoteAll([name, ...flags, '--', ...units]);
    return `${systemctl(scope)} ${words} || ${failText(name, units, scope)}\n${started(name, flags, units, scope)}`;
  };
  if (['disable', 'mask', 'unmask', 'reenable', 'enable'].includes(name)) return call(ops, ['--no-reload']);
  return (
    call(
      ops.filter(({ noBlock }) => !noBlock),
      [],
    ) +
    call(
      ops.filter(({ noBlock }) => noBlock),
      ['--no-block'],
    )
  );
}

function systemctl(scope: Scope): string {
  return scope === 'system' ? 'systemctl' : `systemctl --${scope}`;
}

/** systemctl only says "see journalctl": the state and last lines of the unit belong to the error. */
function failText(name: string, units: string[], scope: Scope): string {
  if (name !== 'start' && name !== 'restart' && name !== 'reload') return 'exit';
  return `{ kp_r=$?;${systemctl(scope)} --no-pager --full -n 20 status -- ${quoteAll(units)} >&2;exit $kp_r;}`;
}

function started(name: string, flags: string[], units: string[], scope: Scope): string {
  if ((name !== 'start' && name !== 'restart') || flags.includes('--no-block')) return '';
  return startedText(systemctl(scope), units);
}
