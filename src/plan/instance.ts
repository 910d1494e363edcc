import type { EvalPoint } from '../core/evaluator.ts';
import { HostWait } from '../core/evaluator.ts';
import type { TaskEvent } from '../core/events.ts';
import type { Task } from '../core/play.ts';
import { TaskFailure } from '../core/result.ts';
import { TemplateError } from '../jinja/index.ts';
import { Unknown, type Value } from '../jinja/values.ts';
import { UnknownRead } from '../world/read.ts';
import { runAction } from './action.ts';
import { forTask, pointFor } from './context.ts';
import type { HostEnv } from './environment.ts';
import { planModule } from './module-task.ts';
import { failedOutcome, type Outcome, pendingOutcome, skippedOutcome, unknownOutcome } from './outcome.ts';
import { specials } from './special/index.ts';
import { type Context, type HostState, positionOf } from './state.ts';
import { Interruption } from './turn.ts';

/** One task at one place of the run: in a loop, one item. */
export interface Instance {
  task: Task;
  /** What stands around the task, and with the task's own keywords. */
  outer: Context;
  context: Context;
  locals: ReadonlyMap<string, Value>;
  state: HostState;
  env: HostEnv;
  point: EvalPoint;
  /** A finished loop: what its event tells of each item. */
  items?: TaskEvent['items'];
}

export interface Instanced {
  state: HostState;
  outcome: Outcome;
}

/** Plans a task instance as far as what is known allows; throws an Interruption where something must come first. */
export function planInstance(instance: Instance): Instanced {
  try {
    return guarded(instance);
  } catch (error) {
    return { state: instance.state, outcome: judged(error, instance) };
  }
}

export function makeInstance(
  state: HostState,
  env: HostEnv,
  task: Task,
  outer: Context,
  locals: ReadonlyMap<string, Value> = new Map(),
): Instance {
  const context = forTask(outer, task);
  return { task, outer, context, locals, state, env, point: pointFor(state, env, context, task, locals) };
}

function guarded(instance: Instance): Instanced {
  const { state, env, context, point } = instance;
  const verdict = context.keywords.when ? env.tools.evaluator.condition(context.keywords.when, point) : true;
  if (verdict === false) return { state, outcome: skippedOutcome('Conditional result was False') };
  const maybe = verdict instanceof Unknown ? unknown(verdict, instance) : undefined;
  return dispatch(instance, maybe);
}

function dispatch(instance: Instance, maybe: Unknown | undefined): Instanced {
  const { task, env, state } = instance;
  const special = specials.get(task.module);
  if (special) return maybe ? { state, outcome: unknownOutcome(maybe) } : special(instance);
  if (env.tools.action(task.module)) return runAction(instance, maybe);
  const module = env.tools.module(task.module);
  if (module) return planModule(instance, module, maybe);
  return { state, outcome: failedOutcome(`the module ${task.moduleNode.written} is not supported by kpush`) };
}

/** A decision waits for something. While steps are pending they may settle it; else it stays unknown. */
export function unknown(value: Unknown, instance: Instance): Unknown {
  if (instance.state.pending.length > 0 && !instance.env.scout)
    throw new Interruption({ kind: 'cut', state: instance.state });
  return value;
}

function judged(error: unknown, instance: Instance): Outcome {
  if (error instanceof Interruption) throw error;
  if (instance.env.scout) return pendingOutcome();
  if (error instanceof HostWait) throw waitFor(error, instance);
  if (error instanceof UnknownRead) return unknownOutcome(unknown(new Unknown(error.why), instance));
  if (error instanceof TaskFailure) return failedOutcome(error.message, { values: error.values, hint: error.hint });
  if (error instanceof TemplateError) return failedOutcome(templateMessage(error));
  throw error;
}

function waitFor(error: HostWait, { state }: Instance): Interruption {
  const need = { kind: 'wait' as const, host: error.host, position: positionOf(state) };
  if (state.pending.length > 0) return new Interruption({ kind: 'cut', state });
  return new Interruption({ kind: 'need', need, resume: () => state });
}

function templateMessage(error: TemplateError): string {
  return error.message;
}
