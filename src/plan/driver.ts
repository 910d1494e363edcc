import type { EvalPoint } from '../core/evaluator.ts';
import type { EventBody } from '../core/events.ts';
import type { Identity } from '../core/identity.ts';
import type { Need, Reply } from '../core/needs.ts';
import type { GateCall } from '../core/play.ts';

/** Who serves what host programs need. The plan driver predicts, the apply driver (src/apply) does. */
export interface Driver {
  /** Steps never run: what they come to is known as soon as they are planned. */
  predicts?: true;
  /** `host` will be asked next; resolves when it may find out what. */
  expect?(host: string): Promise<void> | undefined;
  /** The program of `host` has come to its end, in whatever way. */
  left?(host: string): void;
  ask(host: string, need: Extract<Need, { kind: 'ask' }>): Promise<Reply>;
  run(host: string, need: Extract<Need, { kind: 'run' }>): Promise<Reply>;
  act(host: string, need: Extract<Need, { kind: 'act' }>): Promise<Reply>;
  sleep(host: string, need: Extract<Need, { kind: 'sleep' }>): Promise<Reply>;
  /** One gate on one host; true: passed (or only planned). */
  gate(judgement: GateJudgement): Promise<boolean>;
}

/** A gate with its host, the host that asks, and where its parameters are evaluated. */
export interface GateJudgement {
  call: GateCall;
  name: string;
  play: string;
  host: string;
  from: string;
  point: EvalPoint;
  /** As whom the asking host asks, and the judged one tells what is wrong with it. */
  identity: Identity;
  own: Identity;
}

export type Emit = (event: EventBody) => void;
