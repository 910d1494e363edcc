import type { Effect } from '../../core/effects.ts';
import type { ModuleContext, Plan, WorldView } from '../../core/module.ts';
import { type Result, result } from '../../core/result.ts';
import type { Run, StepOutcome } from '../../core/steps.ts';
import { Unknown, type Value } from '../../jinja/values.ts';
import { completedRun, predictedRun } from './ran.ts';
import { createdPath, decides, notNeeded, type RunWhen, runIn } from './run-when.ts';

export interface CommandCall {
  /** What the result's `cmd` says: a list or a text. */
  cmd: Value;
  /** For people. */
  title: string;
  run: Run;
  when: RunWhen;
}

/** The plan of command, shell and script: nothing where it is not needed, else one opaque step. */
export function planCommand(call: CommandCall, world: WorldView, ctx: ModuleContext): Plan {
  const skip = notNeeded(call.when, world, ctx);
  if (skip) return { steps: [], result: skipped(call.cmd, skip) };
  const cwd = runIn(call.when, world);
  const predicted = predictedRun(call.cmd, ctx.taskName);
  return {
    steps: [
      {
        title: `run ${call.title}`,
        run: call.run,
        effects: effectsOf(call, world, ctx),
        ...(cwd === undefined ? {} : { cwd }),
        ...(decides(call.when) ? {} : { always: true }),
      },
    ],
    result: ctx.checkMode && !decides(call.when) ? notRun(predicted, ctx) : predicted,
  };
}

/** One line of a command, short enough for a progress line. */
export function shortCommand(text: string): string {
  const line = text.trim().replace(/\s*\n\s*/g, '; ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

/** The real result, with Ansible's words for what the shell says when it cannot begin. */
export function completeCommand(predicted: Result, outcomes: StepOutcome[], strip: boolean): Result {
  const outcome = outcomes[0];
  return outcome ? completedRun(predicted, outcome, strip) : predicted;
}

/** What a shell says that cannot enter `chdir`, as Ansible's module would: without code and times. */
export function notEntered(chdir: string | undefined, predicted: Result, outcome?: StepOutcome): Result | undefined {
  if (chdir === undefined || !outcome || outcome.status === 'ok' || outcome.stdout !== '') return undefined;
  const [, said] = /^(?:.*[: ])?cd: (.+)$/.exec(outcome.stderr.trim()) ?? [];
  if (!said?.includes(chdir.replace(/^~[^/]*/, ''))) return undefined;
  const reason = /denied/i.test(said) ? '[Errno 13] Permission denied' : '[Errno 2] No such file or directory';
  const msg = `Unable to change directory before execution: ${reason}: b'${chdir}'`;
  const cmd = predicted.values.get('cmd') ?? null;
  return { changed: false, failed: true, values: new Map(Object.entries({ ...notBegun, cmd, rc: null, msg })) };
}

/** Fields of a command that could not even be tried. */
export const notBegun: Record<string, Value> = {
  ...{ cmd: null, rc: 256, start: null, end: null, delta: null },
  ...{ stdout: '', stderr: '', stdout_lines: [], stderr_lines: [] },
};

function skipped(cmd: Value, { msg, stdout }: { msg: string; stdout: string }): Result {
  const output = { stdout, stderr: '', stdout_lines: [stdout], stderr_lines: [] };
  return result(false, { cmd, rc: 0, msg, ...output, start: null, end: null, delta: null });
}

/** Where Ansible skips a command in check mode and tells nothing, what it would change is unknown. */
function notRun(predicted: Result, ctx: ModuleContext): Result {
  const msg = 'Command would have run if not in check mode';
  return { changed: new Unknown(ctx.taskName), values: new Map([...predicted.values, ['msg', msg]]) };
}

function effectsOf(call: CommandCall, world: WorldView, ctx: ModuleContext): Effect[] {
  const opaque: Effect = { type: 'opaque', why: ctx.taskName };
  const made = createdPath(call.when, world, ctx);
  return made === undefined ? [opaque] : [opaque, { type: 'file.unknown', path: made, why: ctx.taskName }];
}
