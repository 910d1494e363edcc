import type { ActionSpec } from '../core/action.ts';
import type { DynamicLoader, Evaluator, VarState } from '../core/evaluator.ts';
import type { FactKey } from '../core/facts.ts';
import type { Identity } from '../core/identity.ts';
import type { Module } from '../core/module.ts';
import type { ActionCall, AnsweredKey, LostError } from '../core/needs.ts';
import type { Play, Task } from '../core/play.ts';
import type { Result } from '../core/result.ts';
import type { StepOutcome } from '../core/steps.ts';
import type { HostState } from './state.ts';

/** What the planner is handed for a whole run: pure functions and tables, no connection and no clock. */
export interface PlanTools {
  evaluator: Evaluator;
  loader: DynamicLoader;
  module(name: string): Module | undefined;
  action(name: string): ActionSpec | undefined;
  /** add_host and group_by: the inventory of this run changes, for a plan as for an apply. */
  grow(call: ActionCall): Result;
  /** Tag selection of the command line. */
  isSelected(task: Task, tags: readonly string[]): boolean;
  options: PlanOptions;
}

export interface PlanOptions {
  runId: string;
  now: number;
  checkMode: boolean;
  diff: boolean;
  noProbes: boolean;
  forceHandlers: boolean;
  /** Whether plays gather facts that do not say (ansible.cfg `gathering`). */
  gather: boolean;
}

/** One host in one batch of one play. */
export interface PlayRun {
  play: Play;
  /** All hosts of the play, those still in it, and this batch. */
  hostsAll: readonly string[];
  hosts: () => readonly string[];
  batch: readonly string[];
  linear: boolean;
  fatal: boolean;
  forceHandlers: boolean;
}

/** What one host's planning may use. `segment` and `lost` are set by the program between turns. */
export interface HostEnv {
  host: string;
  run: PlayRun;
  tools: PlanTools;
  /** Steps never run (a plan): each is settled where it is planned, none is ever pending. */
  predicts?: boolean;
  others(host: string, state: HostState): VarState | undefined;
  /** Replies being replayed: real (or predicted) outcomes of the steps planned before. */
  segment: Segment | undefined;
  lost: LostError | undefined;
  /** Set while looking ahead: missing facts are collected here and planning goes on without them. */
  scout: Scout | undefined;
}

export interface Segment {
  outcomes: ReadonlyMap<string, StepOutcome>;
  /** Keys of outcomes not yet taken by a task. */
  remaining: Set<string>;
  executed: boolean;
  /** What ran, for people. */
  steps: readonly { key: string; title: string }[];
  next: AnsweredKey[];
  /** Some step that ran declared only part of what it does. */
  opened: boolean;
}

export interface Scout {
  want(on: string, identity: Identity, keys: readonly FactKey[]): void;
  /** Set by a task that makes looking further useless. */
  stop: boolean;
  /** Whether an opaque step that will run ends the look-ahead. */
  stopAtOpaque: boolean;
  /** Whether a task that was looked at has steps to run. */
  changes: boolean;
}
