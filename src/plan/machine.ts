import type { Task } from '../core/play.ts';
import { beginTask } from './begin-task.ts';
import { within } from './context.ts';
import type { HostEnv } from './environment.ts';
import { caughtBy, enter, unwind } from './flow.ts';
import { takeNotified } from './handlers.ts';
import { loopTurn } from './loop.ts';
import { withEnd } from './role-once.ts';
import { advance, type BlockFrame, type HostState, pop, push, type TasksFrame } from './state.ts';
import { Interruption, type Turn } from './turn.ts';

/** One turn: the next task, item, block or end of one. Pure: the same state and environment give the same turn. */
export function takeTurn(state: HostState, env: HostEnv): Turn {
  const frame = state.frames;
  if (!frame || state.status !== 'running')
    return { kind: 'end', state: state.doomed ? { ...state, status: 'failed' } : state };
  try {
    if (frame.kind === 'tasks') return tasksTurn(state, frame, env);
    if (frame.kind === 'loop') return loopTurn(state, frame, env);
    return { kind: 'next', state: blockTurn(state, frame) };
  } catch (error) {
    if (error instanceof Interruption) return error.turn;
    throw error;
  }
}

function tasksTurn(state: HostState, frame: TasksFrame, env: HostEnv): Turn {
  const node = frame.nodes[frame.at];
  if (!node) return { kind: 'next', state: pop(state) };
  if (node.kind === 'task') return taskTurn(state, frame, node, env);
  const moved = advance(state);
  const block: BlockFrame = {
    kind: 'block',
    up: moved.frames,
    block: node,
    phase: 'block',
    failure: undefined,
    context: within(frame.context, node),
  };
  return { kind: 'next', state: push(moved, enter(block)) };
}

function taskTurn(state: HostState, frame: TasksFrame, task: Task, env: HostEnv): Turn {
  if (!frame.handlers) return beginTask(state, env, task, frame.context);
  const taken = takeNotified(state, task);
  return taken ? beginTask(taken.state, env, taken.task, frame.context) : { kind: 'next', state: advance(state) };
}

/** The tasks of a block's phase are done: on to `always`, out, or on with the failure that `always` held up. */
function blockTurn(state: HostState, frame: BlockFrame): HostState {
  if (frame.phase !== 'always' && frame.block.always.length > 0)
    return push(state, enter({ ...frame, phase: 'always' }));
  if (!frame.failure) return withEnd(pop(state), frame.block);
  const caught = unwind(frame.up, frame.failure);
  return caught ? caughtBy(state, caught) : { ...state, frames: undefined, status: 'failed' };
}
