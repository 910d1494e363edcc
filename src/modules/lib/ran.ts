import type { Result } from '../../core/result.ts';
import { result } from '../../core/result.ts';
import type { StepOutcome } from '../../core/steps.ts';
import { Unknown, type Value } from '../../jinja/values.ts';

/** Ansible's fields of a command that has not run yet: it is taken to succeed, what it prints is not known. */
export function predictedRun(cmd: Value, after: string): Result {
  const later = new Unknown(after);
  const times = { start: later, end: later, delta: later };
  const output = { stdout: later, stderr: later, stdout_lines: later, stderr_lines: later };
  return result(true, { cmd, rc: 0, msg: '', ...output, ...times });
}

/** The same of one that ran. `strip`: drop trailing newlines. */
export function completedRun(predicted: Result, outcome: StepOutcome, strip = true): Result {
  const failed = outcome.status !== 'ok';
  return {
    changed: predicted.changed instanceof Unknown ? true : predicted.changed,
    ...(failed ? { failed: true } : {}),
    values: new Map([
      ...predicted.values,
      ...Object.entries({ rc: outcome.rc, msg: failed ? message(outcome) : '', ...output(outcome, strip) }),
      ...Object.entries(times(outcome)),
    ]),
  };
}

/** stdout and stderr with their lines. */
export function output(outcome: StepOutcome, strip = true): Record<string, Value> {
  const text = (raw: string) => (strip ? raw.replace(/[\r\n]+$/, '') : raw);
  const [stdout, stderr] = [text(outcome.stdout), text(outcome.stderr)];
  return { stdout, stderr, stdout_lines: linesOf(stdout), stderr_lines: linesOf(stderr) };
}

function message(outcome: StepOutcome): string {
  return outcome.status === 'timeout' ? 'timed out, its process group was ended' : 'non-zero return code';
}

/** As Python's `splitlines`: a newline at the end begins no line. */
export function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** By the controller's clock, in UTC. */
function times(outcome: StepOutcome): Record<string, Value> {
  return { start: stamp(outcome.start), end: stamp(outcome.end), delta: span(outcome.end - outcome.start) };
}

function stamp(ms: number): string {
  return `${new Date(ms).toISOString().replace('T', ' ').slice(0, -1)}000`;
}

/** `0:00:01.500000`, as Python prints a timedelta. */
function span(ms: number): string {
  const total = Math.max(0, Math.floor(ms));
  const [days, rest] = [Math.floor(total / 86_400_000), total % 86_400_000];
  const part = (unit: number, of: number) => String(Math.floor(rest / unit) % of).padStart(2, '0');
  const fraction = rest % 1000 ? `.${String(rest % 1000).padStart(3, '0')}000` : '';
  const clock = `${Math.floor(rest / 3_600_000)}:${part(60_000, 60)}:${part(1000, 60)}${fraction}`;
  return days === 0 ? clock : `${days} day${days === 1 ? '' : 's'}, ${clock}`;
}
