import type { ModuleDoc } from './module.ts';
import type { ParamRules } from './param-rules.ts';
import type { ParamSpecs } from './params.ts';
import type { Result } from './result.ts';

/** What the planner knows of an action (src/actions): enough to check and to predict it, not to do it. */
export interface ActionSpec {
  name: string;
  doc: ModuleDoc;
  params: ParamSpecs;
  freeForm?: string;
  /** How parameters depend on each other. */
  rules?: ParamRules;
  /** What a plan assumes it returns. */
  predict(params: Record<string, unknown>): Result;
  /** Takes parameters of any further name (add_host's variables). */
  open?: boolean;
  /** Changes the inventory of the run: done the same way by a plan and an apply. */
  grows?: boolean;
  /** A path that is there once it is over, whoever made it: what it holds shows only then. */
  awaits?(params: Record<string, unknown>): string | undefined;
  /** After it, nothing known of the host holds. */
  forgets?: boolean;
  /** It makes the host another one: a plan cannot know anything of that one, for this reason. */
  remakes?: string;
}
