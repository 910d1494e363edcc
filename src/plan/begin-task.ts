import type { Need } from '../core/needs.ts';
import type { Task } from '../core/play.ts';
import { completeTask } from './complete.ts';
import { forTask } from './context.ts';
import { delegateOf } from './delegate.ts';
import type { HostEnv } from './environment.ts';
import { givesFacts, receive } from './gifts.ts';
import { type Instance, makeInstance } from './instance.ts';
import { isFatal, keywordTrue } from './keywords.ts';
import { beginLoop } from './loop.ts';
import { planInstance } from './plan-instance.ts';
import { hasRun } from './role-once.ts';
import { isFollower, receiveShared, shareTurn } from './run-once.ts';
import { advance, type Context, type HostState, positionOf } from './state.ts';
import { Interruption, type Turn } from './turn.ts';

/** A task at its place: selected by tags, past its barrier, then planned once or item by item. */
export function beginTask(state: HostState, env: HostEnv, task: Task, outer: Context): Turn {
  const { tags } = forTask(outer, task);
  if (hasRun(state, task) || !env.tools.isSelected(task, tags)) return { kind: 'next', state: advance(state) };
  const begun = makeInstance(state, env, task, outer);
  if (env.scout) return planned(begun);
  const held = barrier(begun);
  if (held) return held;
  const instance = nextMeets(begun) ? { ...begun, state: { ...state, meets: true } } : begun;
  if (isFollower(instance.state)) return receiveShared(instance);
  const turn = planned(instance);
  return state.shared === 'lead' && turn.kind === 'next' ? shareTurn(instance, turn.state) : turn;
}

function planned(instance: Instance): Turn {
  const { state, env, task, outer } = instance;
  if (task.loop) return beginLoop(state, env, task, outer);
  const { state: after, outcome } = planInstance(instance);
  return { kind: 'next', state: completeTask(instance, after, outcome) };
}

/** Tasks that concern other hosts too wait until those have come as far. */
function barrier(instance: Instance): Turn | undefined {
  const { state } = instance;
  const position = positionOf(state);
  const place = position.join('.');
  if (state.passed === place) return undefined;
  const need = barrierNeed(instance, position);
  if (!need) return undefined;
  if (state.pending.length > 0) return { kind: 'cut', state };
  return {
    kind: 'need',
    need,
    resume: (reply) => ({
      ...state,
      vars: 'given' in reply && reply.given ? receive(state.vars, instance.env.host, reply.given) : state.vars,
      meets: undefined,
      passed: place,
      shared: reply.kind === 'lead' ? 'lead' : reply.kind === 'shared' ? reply.shared : state.shared,
    }),
  };
}

function barrierNeed(instance: Instance, position: readonly number[]): Need | undefined {
  const { env, task, context } = instance;
  if (env.run.batch.length < 2) return undefined;
  if (keywordTrue(instance, context.keywords.runOnce)) return { kind: 'once', position, task: task.id };
  if (env.run.linear || instance.state.meets || isFatal(instance) || meetsOthers(instance))
    return { kind: 'barrier', position, what: task.id };
  return undefined;
}

/** What others may learn from this task must be there before they go on: facts, or that it ends the run for all. */
function nextMeets(instance: Instance): boolean {
  return givesFacts(instance) || (!instance.env.run.linear && isFatal(instance));
}

/** add_host and group_by change what every host sees; a delegated task must not overtake the delegate's own. */
function meetsOthers(instance: Instance): boolean {
  const { env, task, context } = instance;
  if (task.module === 'add_host' || task.module === 'group_by') return true;
  if (!context.keywords.delegateTo || task.loop) return false;
  try {
    const on = delegateOf(instance);
    return on !== env.host && env.run.batch.includes(on);
  } catch (error) {
    if (error instanceof Interruption) throw error;
    return false;
  }
}
