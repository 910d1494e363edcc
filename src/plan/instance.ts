import type { EvalPoint } from '../core/evaluator.ts';
import type { TaskEvent } from '../core/events.ts';
import type { Task } from '../core/play.ts';
import type { Unknown, Value } from '../jinja/values.ts';
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
  return { task, outer, context, locals, state, env, point: pointFor(state, env, context, task, locals) };
}

/** A decision waits for something. While steps are pending they may settle it; else it stays unknown. */
export function unknown(value: Unknown, instance: Instance): Unknown {
  if (instance.state.pending.length > 0 && !instance.env.scout)
    throw new Interruption({ kind: 'cut', state: instance.state });
  return value;
}
