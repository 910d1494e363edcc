import type { FactKey } from './facts.ts';
import type { ModuleDoc, WorldView } from './module.ts';
import type { ParamSpecs, Params } from './params.ts';

/** What a probe means. `fail` is permanent (bad trust, 401, no such command): polling ends at once. */
export type Verdict =
  | { verdict: 'pass'; detail?: string }
  | { verdict: 'wait'; reason: string }
  | { verdict: 'fail'; reason: string };

/** A gate is a value the executor branches on: nothing after it starts until it passed on every host it names. */
export interface Gate<S extends ParamSpecs = ParamSpecs> {
  name: string;
  doc: ModuleDoc;
  params: S;
  /** Seconds between polls, for one poll, and for all of them. */
  interval: number;
  timeout: number;
  deadline: number;
  /** Asked on the host that asks; answers are never cached. */
  facts(params: Params<S>, ctx: GateContext): FactKey[];
  judge(params: Params<S>, world: WorldView, ctx: GateContext): Verdict;
  /** Facts worth showing when it failed (unit status, journal). */
  evidence?(params: Params<S>): FactKey[];
}

export interface GateContext {
  /** Host judged and host that asks. */
  host: string;
  from: string;
  /** Seconds since the first poll. */
  elapsed: number;
  /** Seconds that one poll may take. */
  timeout: number;
  /** What the last polls waited for, and for how many seconds it has been just that. */
  last?: { reason: string; seconds: number };
}
