import type { EvalPoint } from '../core/evaluator.ts';
import type { TaskEvent } from '../core/events.ts';
import type { Task } from '../core/play.ts';
import { isString, type Unknown, type Value } from '../jinja/values.ts';
import { forTask, pointFor } from './context.ts';
import type { HostEnv } from './environment.ts';
import type { Outcome } from './outcome.ts';
import type { Context, HostState } from './state.ts';
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

export function makeInstance(
  state: HostState,
  env: HostEnv,
  task: Task,
  outer: Context,
  locals: ReadonlyMap<string, Value> = new Map(),
): Instance {
  const context = forTask(outer, task);
  const point = pointFor(state, env, context, task, locals);
  return { task, outer, context, locals, state, env, point: delegated(point, context, env) };
}

/** Connection variables of a delegated task are the delegate's; who that is depends on the task's own variables. */
function delegated(point: EvalPoint, { keywords }: Context, env: HostEnv): EvalPoint {
  if (!keywords.delegateTo) return point;
  try {
    const delegate = env.tools.evaluator.value(keywords.delegateTo, point);
    return isString(delegate) ? { ...point, delegate: typeof delegate === 'string' ? delegate : delegate.text } : point;
  } catch {
    return point; // it is evaluated again, and told, where the task is planned
  }
}

/** A decision waits for something. While steps are pending they may settle it; else it stays unknown. */
export function unknown(value: Unknown, instance: Instance): Unknown {
  if (instance.state.pending.length > 0 && !instance.env.scout)
    throw new Interruption({ kind: 'cut', state: instance.state });
  return value;
}
