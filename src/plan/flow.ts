import type { Value } from '../jinja/values.ts';
import { playContext } from './context.ts';
import { taskEvent } from './event.ts';
import { flushedHandlers } from './handlers.ts';
import type { Instance } from './instance.ts';
import { taskName } from './module-context.ts';
import { type Outcome, resultValue } from './outcome.ts';
import type { BlockFrame, Frame, HostState, TasksFrame } from './state.ts';

/** A failure goes out through the blocks around it: to a rescue, past an always, or the host leaves the play. */
export function failHost(before: HostState, instance: Instance, outcome: Outcome): HostState {
  const state = outcome.late ? { ...before, lateFailures: before.lateFailures + 1 } : before;
  if (outcome.status === 'unreachable')
    return { ...logged(state, instance, outcome, false), frames: undefined, status: 'unreachable' };
  const caught = unwind(state.frames, new Map(failureLocals(instance, outcome)));
  const next = logged(state, instance, outcome, isRescued(state.frames));
  return caught ? caughtBy(next, caught) : leave(next, instance);
}

/** A block that takes a failure over, already in its next phase. */
export interface Caught {
  frame: BlockFrame;
  failure: ReadonlyMap<string, Value>;
}

/** On in the block that took the failure over; a rescue section can read what failed, and goes on being able to. */
export function caughtBy(state: HostState, { frame, failure }: Caught): HostState {
  const locals = frame.phase === 'rescue' ? new Map([...state.locals, ...failure]) : state.locals;
  return { ...state, locals, frames: enter(frame) };
}

/** Out of the play; with force_handlers what was notified runs before. */
function leave(state: HostState, { env }: Instance): HostState {
  const forced = env.tools.options.forceHandlers || env.run.forceHandlers;
  const nodes = forced && !state.doomed ? flushedHandlers(state, env) : [];
  if (nodes.length === 0) return { ...state, frames: undefined, status: 'failed' };
  const context = playContext(env.run.play);
  const frames: TasksFrame = { kind: 'tasks', up: undefined, nodes, at: 0, context, handlers: true };
  return { ...state, frames, doomed: true };
}

function logged(state: HostState, instance: Instance, outcome: Outcome, rescued: boolean): HostState {
  return { ...state, log: [...state.log, taskEvent(instance, outcome, { rescued })] };
}

/** The innermost block that has something to do about a failure. */
export function unwind(frame: Frame | undefined, failure: ReadonlyMap<string, Value>): Caught | undefined {
  for (let at = frame; at; at = at.up) {
    if (at.kind !== 'block') continue;
    if (at.phase === 'block' && at.block.rescue.length > 0)
      return { frame: { ...at, phase: 'rescue', failure: undefined }, failure };
    if (at.phase !== 'always' && at.block.always.length > 0)
      return { frame: { ...at, phase: 'always', failure }, failure };
  }
  return undefined;
}

/** Whether a block around takes the failure over, be it after the `always` of blocks in it. */
function isRescued(frame: Frame | undefined): boolean {
  for (let at = frame; at; at = at.up)
    if (at.kind === 'block' && at.phase === 'block' && at.block.rescue.length > 0) return true;
  return false;
}

/** A block frame with the tasks of its phase on top. */
export function enter(frame: BlockFrame): TasksFrame {
  return { kind: 'tasks', up: frame, nodes: frame.block[frame.phase], at: 0, context: frame.context };
}

/** meta: end_host and end_play leave the play without failing. */
export function finishFlow(state: HostState, outcome: Outcome, _instance: Instance): HostState {
  return outcome.ends ? { ...state, frames: undefined, status: 'ended' } : state;
}

function failureLocals(instance: Instance, outcome: Outcome): [string, Value][] {
  const task = new Map<Value, Value>([
    ['name', instance.task.name === undefined ? '' : taskName(instance)],
    ['action', instance.task.module],
  ]);
  return [
    ['ansible_failed_task', task],
    ['ansible_failed_result', resultValue(outcome.result)],
  ];
}
