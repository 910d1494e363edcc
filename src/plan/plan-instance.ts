import { HostWait } from '../core/evaluator.ts';
import { TaskFailure } from '../core/result.ts';
import { TemplateError } from '../jinja/index.ts';
import { Unknown } from '../jinja/values.ts';
import { UnknownRead } from '../world/read.ts';
import { runAction } from './action.ts';
import { type Instance, type Instanced, unknown } from './instance.ts';
import { planModule } from './module-task.ts';
import {
  failedOutcome,
  type Outcome,
  pendingOutcome,
  skippedOutcome,
  templateFailure,
  unknownOutcome,
} from './outcome.ts';
import { specials } from './special/index.ts';
import { positionOf } from './state.ts';
import { Interruption } from './turn.ts';

/** Plans a task instance as far as what is known allows; throws an Interruption where something must come first. */
export function planInstance(instance: Instance): Instanced {
  try {
    return guarded(instance);
  } catch (error) {
    return { state: instance.state, outcome: judged(error, instance) };
  }
}

function guarded(instance: Instance): Instanced {
  const { state, env, context, point, task } = instance;
  if (task.module !== 'meta') env.tools.evaluator.checkVarsFiles(point);
  const verdict = context.keywords.when ? env.tools.evaluator.condition(context.keywords.when, point) : true;
  if (verdict === false) return { state, outcome: skippedOutcome('Conditional result was False') };
  const maybe = verdict instanceof Unknown ? unknown(verdict, instance) : undefined;
  return maybe ? perhapsSkipped(dispatch(instance, maybe), maybe) : dispatch(instance, undefined);
}

/** Under a condition that is not known yet the task may be skipped, and its result may say so. */
function perhapsSkipped(done: Instanced, maybe: Unknown): Instanced {
  const { outcome } = done;
  const result = { ...outcome.result, skipped: outcome.result.skipped ?? maybe };
  return { ...done, outcome: { ...outcome, result } };
}

function dispatch(instance: Instance, maybe: Unknown | undefined): Instanced {
  const { task, env, state } = instance;
  const special = specials.get(task.module);
  if (special) return maybe ? { state, outcome: unknownOutcome(maybe) } : special(instance);
  if (env.tools.action(task.module)) return runAction(instance, maybe);
  const module = env.tools.module(task.module);
  if (module) return planModule(instance, module, maybe);
  return { state, outcome: failedOutcome(`the module ${task.moduleNode.written} is not supported by kpush`) };
}

function judged(error: unknown, instance: Instance): Outcome {
  if (error instanceof Interruption) throw error;
  if (instance.env.scout) return pendingOutcome();
  if (error instanceof HostWait) throw waitFor(error, instance);
  if (error instanceof UnknownRead) return unknownOutcome(unknown(new Unknown(error.why), instance));
  if (error instanceof TaskFailure) return failedOutcome(error.message, { values: error.values, hint: error.hint });
  // What cannot be rendered before a module begins is no fault of one item: the loop ends with it.
  if (error instanceof TemplateError) return { ...templateFailure(error), whole: true };
  throw error;
}

function waitFor(error: HostWait, { state }: Instance): Interruption {
  const need = { kind: 'wait' as const, host: error.host, position: positionOf(state) };
  if (state.pending.length > 0) return new Interruption({ kind: 'cut', state });
  return new Interruption({ kind: 'need', need, resume: () => state });
}
