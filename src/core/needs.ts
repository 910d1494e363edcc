import type { Value } from '../jinja/values.ts';
import type { Gift, VarState } from './evaluator.ts';
import type { EventBody } from './events.ts';
import type { Answer, FactKey, Question } from './facts.ts';
import type { Identity } from './identity.ts';
import type { Origin } from './origin.ts';
import type { Result } from './result.ts';
import type { SessionErrorKind } from './session.ts';
import type { PlannedStep, StepOutcome } from './steps.ts';

/** Where a host is in its play: indexes from the outside in; hosts compare it to wait for one another. */
export type Position = readonly number[];

/** What a host program asks of whoever drives it. `on`: the host whose shell serves it (delegate_to). */
export type Need =
  | { kind: 'ask'; on: string; questions: Question[] }
  | { kind: 'run'; on: string; steps: PlannedStep[]; next: Question[] }
  /** Waits until every live host of the batch has passed all before `position`. */
  | { kind: 'barrier'; position: Position; what: string }
  /** One host of the batch leads, the others get its result. */
  | { kind: 'once'; position: Position; task: string }
  | { kind: 'share'; position: Position; shared: SharedResult }
  /** Waits until `host` has passed `position` or left. */
  | { kind: 'wait'; host: string; position: Position }
  | { kind: 'sleep'; seconds: number; what: string }
  | { kind: 'act'; call: ActionCall }
  /** Served at once, or when others have had their turn: hosts end shells that they do not hear from. */
  | { kind: 'breathe' }
  /** This host will be asked as soon as it is known what: it can be connected to meanwhile. */
  | { kind: 'expect'; on: string }
  /** Served at once: what became final, and how far this host is. */
  | { kind: 'inform'; events: EventBody[]; position: Position; vars: VarState };

export type Reply =
  | { kind: 'answers'; answers: AnsweredKey[] }
  /** `executed` false: predictions of a plan. Outcomes of steps that did not run are left out or `not-run`. */
  | { kind: 'ran'; executed: boolean; outcomes: StepOutcome[]; next: AnsweredKey[] }
  /** A guard did not match, nothing was written: plan again on these answers. */
  | { kind: 'stale'; answers: AnsweredKey[] }
  /** No link: what is known to have happened before it broke. */
  | { kind: 'lost'; error: LostError; outcomes: StepOutcome[] }
  | { kind: 'lead'; given?: readonly Gift[] }
  | { kind: 'shared'; shared: SharedResult; given?: readonly Gift[] }
  /** `forget`: nothing known of the host holds any more (reboot). `remade`: nor can anything be asked, for it is only planned. */
  | {
      kind: 'acted';
      result: Result;
      forget?: boolean;
      remade?: string;
      steps?: { title: string; ms: number }[];
      /** Nothing was done: this is what it is assumed to come to. */
      predicted?: true;
    }
  /** `given`: facts that others found for this host, or for hosts that are not in the batch. */
  | { kind: 'go'; given?: readonly Gift[] }
  /** In a plan: what was waited for is assumed. */
  | { kind: 'predicted' }
  /** Leave the play here: interrupted, or another host's error is fatal for all. */
  | { kind: 'halt'; why: string };

export interface AnsweredKey {
  identity: Identity;
  key: FactKey;
  answer: Answer;
}

export interface LostError {
  kind: SessionErrorKind;
  message: string;
  hint?: string;
}

/** What a run_once task leaves on every host. */
export interface SharedResult {
  result: Result;
  failed: boolean;
  /** Variables to set: register, set_fact. */
  set: ReadonlyMap<string, Value>;
  facts: ReadonlyMap<string, Value>;
}

export interface ActionCall {
  action: string;
  params: Record<string, unknown>;
  host: string;
  on: string;
  identity: Identity;
  seq: number;
  task: { id: string; name: string };
  /** Absent: it is of the host, not of a play (meta). */
  play?: string;
  /** Folder of the playbook, which relative paths of the controller start from. */
  folder?: string;
  origin: Origin;
  timeout?: number;
}
