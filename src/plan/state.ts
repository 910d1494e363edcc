import type { Chain } from '../core/chain.ts';
import type { VarState } from '../core/evaluator.ts';
import type { EventBody } from '../core/events.ts';
import type { Position, SharedResult } from '../core/needs.ts';
import type { Node } from '../core/node.ts';
import type { Block, Keywords, Role, Task, TaskTree } from '../core/play.ts';
import type { Result } from '../core/result.ts';
import type { PlannedStep, StepOutcome } from '../core/steps.ts';
import type { Unknown, Value } from '../jinja/values.ts';
import type { World } from '../world/world.ts';
import type { Outcome } from './outcome.ts';

/**
 * Everything a host has come to in a play: a value, replaced and never changed, so that planning can look ahead and
 * go back. `pending` steps are planned but not known to have run; `log` is what became final since the last commit.
 */
export interface HostState {
  readonly frames: Frame | undefined;
  readonly vars: VarState;
  readonly world: World;
  /** ansible_failed_task, ansible_failed_result. */
  readonly locals: ReadonlyMap<string, Value>;
  /** Handlers to run, by task id; an Unknown: only if an unknown change turns out to be one. */
  readonly notified: ReadonlyMap<string, true | Unknown>;
  /** Handlers that dynamic includes brought. */
  readonly handlers: readonly TaskTree[];
  readonly status: 'running' | 'failed' | 'unreachable' | 'ended';
  /** Failed, but its notified handlers run first (force_handlers). */
  readonly doomed: boolean;
  /** Whether the task that failed last ends the run for all (any_errors_fatal); said of a host that is lost. */
  readonly fatal: boolean;
  readonly seq: number;
  readonly pending: readonly PlannedStep[];
  readonly log: readonly EventBody[];
  /** The barrier already passed, so that the task behind it is not held again. */
  readonly passed: string | undefined;
  /** Roles that run once: of which a task was not skipped, and which of those have ended. */
  readonly roles?: { had: ReadonlySet<string>; done: ReadonlySet<string> };
  /** The next task waits for all: one before it may have given other hosts facts. */
  readonly meets?: boolean;
  /** What was asked of the host that the task at hand is delegated to. */
  readonly foreign: { host: string; world: World } | undefined;
  /** What the driver brought for the task at hand: the result of an action, or of a run_once leader. */
  readonly acted: Result | undefined;
  readonly shared: SharedResult | 'lead' | undefined;
  /** `until`: attempts made at the task at hand. */
  readonly attempts: number;
  /** What those attempts changed: it belongs to the task, whatever the last attempt finds left to do. */
  readonly tried: { steps: readonly PlannedStep[]; ran: readonly StepOutcome[] };
  /** Failures so far that only running could tell, rescued ones too. */
  readonly lateFailures: number;
}

/** What a task inherits from where it stands. Lists are outermost first. */
export interface Context {
  readonly keywords: Keywords;
  readonly blockVars: readonly Node[];
  readonly includeParams: readonly Node[];
  readonly role: Role | undefined;
  /** Static tags of everything around. */
  readonly tags: readonly string[];
  /** Loop variables of an include around. */
  readonly locals: ReadonlyMap<string, Value>;
}

export type Frame = TasksFrame | BlockFrame | LoopFrame;

export interface TasksFrame {
  readonly kind: 'tasks';
  readonly up: Frame | undefined;
  readonly nodes: readonly TaskTree[];
  readonly at: number;
  readonly context: Context;
  readonly handlers?: boolean;
}

export interface BlockFrame {
  readonly kind: 'block';
  readonly up: Frame | undefined;
  readonly block: Block;
  readonly phase: 'block' | 'rescue' | 'always';
  /** What `always` hands on when it ends: ansible_failed_task and ansible_failed_result. */
  readonly failure: ReadonlyMap<string, Value> | undefined;
  readonly context: Context;
}

export interface LoopFrame {
  readonly kind: 'loop';
  readonly up: Frame | undefined;
  readonly task: Task;
  readonly items: readonly Value[];
  readonly at: number;
  readonly done: Chain<{ item: Value; label: string; outcome: Outcome }>;
  /** What the host knew before. */
  readonly before: VarState;
  /** run_once, and this host leads: what the loop brought is told the others. */
  readonly leads: boolean;
  readonly context: Context;
}

export function startState(vars: VarState, world: World, seq = 0): HostState {
  return {
    frames: undefined,
    vars,
    world,
    locals: new Map(),
    notified: new Map(),
    handlers: [],
    status: 'running',
    doomed: false,
    fatal: false,
    seq,
    pending: [],
    log: [],
    passed: undefined,
    foreign: undefined,
    acted: undefined,
    shared: undefined,
    attempts: 0,
    tried: untried,
    lateFailures: 0,
  };
}

export function push(state: HostState, frame: Frame): HostState {
  return { ...state, frames: frame };
}

export function pop(state: HostState): HostState {
  return { ...state, frames: state.frames?.up };
}

/** The state with its innermost tasks frame moved past the task at hand. */
export function advance(state: HostState): HostState {
  const frame = state.frames;
  if (frame?.kind !== 'tasks' && frame?.kind !== 'loop') return state;
  return { ...state, ...fresh, frames: { ...frame, at: frame.at + 1 } };
}

const untried: HostState['tried'] = { steps: [], ran: [] };

/** Nothing left of the task before. */
const fresh = { foreign: undefined, acted: undefined, shared: undefined, attempts: 0, tried: untried };

/**
 * Indexes from the outside in, always growing along the way. Frames below the innermost were moved past what they
 * hold when it was entered, but for the list under a loop, which moves on when the loop ends.
 */
export function positionOf(state: HostState): Position {
  const path: number[] = [];
  let above: Frame | undefined;
  for (let frame = state.frames; frame; above = frame, frame = frame.up) {
    if (frame.kind === 'block') path.push(phases.indexOf(frame.phase));
    else if (frame.kind === 'tasks') path.push(above && above.kind !== 'loop' ? frame.at - 1 : frame.at);
    else if (above) path.push(frame.at - 1);
  }
  return path.reverse();
}

const phases = ['block', 'rescue', 'always'];

export function comparePositions(a: Position, b: Position): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const order = (a[i] ?? -1) - (b[i] ?? -1);
    if (order !== 0) return order;
  }
  return 0;
}
