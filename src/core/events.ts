import type { ErrorFacts, ErrorKind } from './errors.ts';
import type { Origin } from './origin.ts';
import type { Diff } from './steps.ts';

/** Everything a run says. The screen, the journal, the summary, the exit code and the report are folds over these. */
export type RunEvent = { time: number } & EventBody;

export type EventBody =
  | {
      type: 'run-start';
      run: string;
      verb: string;
      playbook: string;
      inventory: string[];
      hosts: string[];
      check: boolean;
      /** The plays to come, as far as they are known before the run. */
      plays?: { play: string; name: string; hosts: string[] }[];
    }
  /**
   * An apply that asks first plans first: what is told after `plan` is a prediction, forgotten when `apply` begins or
   * the answer was no. A run that ends in its plan changed nothing.
   */
  | { type: 'phase'; phase: 'plan' | 'apply' | 'declined' }
  | {
      type: 'play-start';
      play: string;
      name: string;
      origin: Origin;
      wave: number;
      waves: number;
      hosts: string[];
      batches: string[][];
      /** Failed hosts that end the run (max_failures, max_fail_percentage, any_errors_fatal); absent: all of them. */
      stopsAt?: number;
    }
  /** `batch` counts from 1. */
  | { type: 'batch-start'; play: string; batch: number; hosts: string[] }
  | { type: 'batch-end'; play: string; batch: number }
  | { type: 'play-end'; play: string; failed: string[] }
  | { type: 'connecting'; host: string; address: string }
  | { type: 'connected'; host: string; ms: number }
  | {
      type: 'trip';
      host: string;
      /** `stage`: a big file on its way, from here or from another host. */
      purpose: 'ask' | 'change' | 'gate' | 'action' | 'stage';
      questions: number;
      steps: number;
      sent: number;
      received: number;
      ms: number;
    }
  /** `task` is the task's id, `name` its rendered name. */
  | { type: 'step-start'; host: string; key: string; seq: number; task: string; name: string; title: string }
  | { type: 'step-output'; host: string; key: string; stream: 'stdout' | 'stderr'; text: string }
  | { type: 'step-end'; host: string; key: string; status: string; rc: number; ms: number }
  | TaskEvent
  | GateEvent
  | { type: 'listing'; list: 'hosts' | 'tasks' | 'tags'; playbook: string; plays: ListedPlay[] }
  | { type: 'waiting'; host: string; what: string; for: string[] }
  | { type: 'host-lost'; host: string; kind: ErrorKind; message: string; facts: ErrorFacts }
  | { type: 'host-end'; host: string; play: string; state: 'done' | 'failed' | 'unreachable' | 'stopped' }
  | { type: 'probe'; host: string; task: string; origin: Origin; command: string }
  | { type: 'warning'; host?: string; message: string; origin?: Origin }
  | { type: 'error'; kind: ErrorKind; message: string; host?: string; facts: ErrorFacts }
  | { type: 'interrupt'; count: number; running: { host: string; title: string }[] }
  | { type: 'run-end'; exit: number; class: string; seconds: number };

/** A play as `--list-hosts`, `--list-tasks` and `--list-tags` show it. */
export interface ListedPlay {
  name: string;
  origin: Origin;
  pattern: string;
  hosts: string[];
  tags: string[];
  tasks: { name: string; origin: Origin; role?: string; tags: string[] }[];
}

/** The end of a task on a host (a plan: what it would do). A loop is one task with items. */
export interface TaskEvent {
  type: 'task';
  host: string;
  play: string;
  seq: number;
  task: string;
  name: string;
  module: string;
  origin: Origin;
  role?: string;
  handler?: boolean;
  /** What the recap counts it as. `always`: it changes but has no lasting effect to prove. */
  status: 'ok' | 'changed' | 'skipped' | 'failed' | 'unreachable' | 'unknown';
  always?: boolean;
  ignored?: boolean;
  /** A failure that a rescue section took over. */
  rescued?: boolean;
  /** What an unknown waits for: "known after apt: install etcd". */
  why?: string;
  /** What brought a handler about: names of the tasks that notified it. */
  because?: string[];
  /** In a plan: rests on facts that an earlier opaque step may change. */
  provisional?: string;
  /** Why it may turn out otherwise by the time it is come to, though nobody moved anything. */
  fleeting?: string;
  message?: string;
  hint?: string;
  /** What was found, for a plan to show also where there is nothing to do. */
  notes?: string[];
  /** Result fields for -v and the journal; secrets and no_log already censored. */
  result?: unknown;
  steps: { key: string; title: string; diff?: Diff[]; always?: boolean; ms?: number; rc?: number }[];
  items?: { label: string; status: TaskEvent['status']; message?: string; result?: unknown }[];
  noLog?: boolean;
  delegate?: string;
  /** Milliseconds from first step to last; 0 where nothing ran. */
  ms: number;
  /** Last lines of the failing command's stderr (or stdout), and its rc; of units it acted on, status and journal. */
  failure?: { command?: string; rc?: number; stdout?: string; stderr?: string; evidence?: string };
}

export interface GateEvent {
  type: 'gate';
  play: string;
  gate: string;
  name: string;
  origin: Origin;
  host: string;
  from: string;
  state: 'waiting' | 'passed' | 'failed' | 'planned';
  /** Last answer, in words. */
  reason?: string;
  permanent?: boolean;
  attempts: number;
  ms: number;
  /** Unit status and journal lines, shown when it fails. */
  evidence?: string;
}
