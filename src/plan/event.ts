import type { TaskEvent } from '../core/events.ts';
import type { StepOutcome } from '../core/steps.ts';
import { toPlain } from '../jinja/index.ts';
import { delegateOf } from './delegate.ts';
import { failureOf, hintOf } from './failure.ts';
import type { Instance } from './instance.ts';
import { keywordTrue } from './keywords.ts';
import { taskName } from './module-context.ts';
import { withoutUnknown } from './nice-text.ts';
import { type Outcome, resultValue } from './outcome.ts';
import { safely } from './safely.ts';

export interface EventMarks {
  ignored?: boolean;
  rescued?: boolean;
}

/** The end of a task on a host, as screens, journal and reports see it. Secrets of no_log tasks never enter it. */
export function taskEvent(instance: Instance, outcome: Outcome, marks: EventMarks): TaskEvent {
  const { env, state, task } = instance;
  const noLog = keywordTrue(instance, instance.context.keywords.noLog);
  const on = safely(() => delegateOf(instance)) ?? env.host;
  return {
    type: 'task',
    host: env.host,
    play: env.run.play.id,
    seq: state.seq,
    task: task.id,
    name: taskName(instance),
    module: task.module,
    origin: task.origin,
    role: instance.context.role?.name,
    handler: task.handler,
    status: outcome.status,
    always: outcome.always,
    ignored: marks.ignored || undefined,
    rescued: marks.rescued || undefined,
    why: outcome.why,
    provisional: outcome.provisional,
    fleeting: outcome.fleeting,
    message: noLog && outcome.message ? censored : outcome.message,
    hint: outcome.hint ?? (noLog ? undefined : hintOf(outcome)),
    notes: noLog || !outcome.notes?.length ? undefined : outcome.notes,
    result: noLog ? { censored } : plainResult(outcome),
    steps: stepsOf(outcome, noLog),
    items: instance.items,
    noLog: noLog || undefined,
    delegate: on === env.host ? undefined : on,
    ms: spent(outcome.ran),
    failure: noLog ? undefined : failureOf(outcome),
  };
}

export const censored = "the output has been hidden due to the fact that 'no_log: true' was specified for this result";

export function plainResult(outcome: Outcome): unknown {
  return toPlain(withoutUnknown(resultValue(outcome.result)));
}

function stepsOf(outcome: Outcome, noLog: boolean): TaskEvent['steps'] {
  const byKey = new Map(outcome.ran.map((ran) => [ran.key, ran]));
  return outcome.steps.map((step) => {
    const ran = byKey.get(step.key);
    return {
      key: step.key,
      title: noLog ? '(no_log)' : step.title,
      diff: noLog ? undefined : step.diff,
      always: step.always,
      ...(ran && ran.status !== 'predicted' ? { ms: ran.end - ran.start, rc: ran.rc } : {}),
    };
  });
}

function spent(ran: StepOutcome[]): number {
  return ran.reduce((sum, outcome) => sum + (outcome.end - outcome.start), 0);
}
