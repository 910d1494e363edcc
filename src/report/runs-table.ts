import type { RunInfo } from './journal-read.ts';
import { sanitizeLine } from './sanitize.ts';
import type { Style } from './style.ts';
import { count, duration } from './wording.ts';

/** Recorded runs as lines: id, what, where, how it ended, how long it took. */
export function runsTable(runs: readonly RunInfo[], style: Style): string {
  if (runs.length === 0) return 'no runs are recorded here\n';
  return runs.map((run) => `${run.id}  ${whatOf(run)}  ${endOf(run, style)}\n`).join('');
}

export function runsJson(runs: readonly RunInfo[]): string {
  const shown = runs.map(({ id, dir, time, state, start, end }) => ({
    ...{ id, dir, time, state, verb: start?.verb, playbook: start?.playbook, hosts: start?.hosts },
    ...{ exit: end?.exit, class: end?.class, seconds: end?.seconds },
  }));
  return `${JSON.stringify(shown, null, 2)}\n`;
}

function whatOf({ start }: RunInfo): string {
  if (!start) return '(unreadable)';
  return sanitizeLine(`${start.verb.padEnd(5)}  ${start.playbook}  ${count(start.hosts.length, 'host')}`);
}

function endOf({ state, end }: RunInfo, style: Style): string {
  if (state === 'running') return style.cyan('running');
  if (!end) return style.yellow('cut off');
  const word = end.exit === 0 ? style.green('ok') : style.red(`${end.class} (exit code ${end.exit})`);
  return `${word}  ${duration(end.seconds * 1000)}`;
}
