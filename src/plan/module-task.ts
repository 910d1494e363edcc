import { coerceParams } from '../core/coerce.ts';
import type { FactKey } from '../core/facts.ts';
import type { Identity } from '../core/identity.ts';
import type { Module, ModuleContext, Plan } from '../core/module.ts';
import { TaskFailure } from '../core/result.ts';
import { TemplateError } from '../jinja/index.ts';
import { Unknown } from '../jinja/values.ts';
import { UnknownRead } from '../world/read.ts';
import type { World } from '../world/world.ts';
import { delegateOf, foreignWorld } from './delegate.ts';
import { doubtful } from './doubt.ts';
import type { Instance, Instanced } from './instance.ts';
import { unknown } from './instance.ts';
import { moduleContext, taskName } from './module-context.ts';
import { failedOutcome, pendingOutcome, templateFailure, unknownOutcome, unreachableOutcome } from './outcome.ts';
import { givenParams } from './params.ts';
import { maybeSteps, settleSteps } from './settle.ts';
import { Interruption } from './turn.ts';
import { MissingFact, RecordingView } from './view.ts';

/** A module whose parameters are known, with who acts where. */
export interface ModuleCall {
  instance: Instance;
  module: Module;
  params: never;
  context: ModuleContext;
  identity: Identity;
  on: string;
  world: World;
  maybe: Unknown | undefined;
}

/** Facts, plan, steps: the whole of a task that a pure module does. */
export function planModule(instance: Instance, module: Module, maybe: Unknown | undefined): Instanced {
  const { state } = instance;
  const given = paramsGiven(instance, module, maybe);
  if (!given) return { state, outcome: unknownOutcome(maybe!, [], module.doc.returns) };
  const {
    params,
    problems,
    unknown: open,
  } = coerceParams(module.params, given, { module: module.name, rules: module.rules });
  if (problems.length > 0) return { state, outcome: failedOutcome(problems.map((p) => p.message).join('; ')) };
  if (open) return unknownParams(instance, module, open);
  const call = callOf(instance, module, params as never, maybe);
  try {
    return missingFacts(call) ?? planned(call);
  } catch (error) {
    // What a module renders itself (a template file, changed_when) fails by itself, an item of a loop alone.
    if (error instanceof TemplateError && !instance.env.scout) return { state, outcome: templateFailure(error) };
    throw error;
  }
}

/** A task that may be skipped may as well name what only an earlier one of its kind sets: undefined, not a failure. */
function paramsGiven(instance: Instance, module: Module, maybe: Unknown | undefined) {
  if (!maybe) return givenParams(instance, module.params, module.freeForm);
  try {
    return givenParams(instance, module.params, module.freeForm);
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

function callOf(instance: Instance, module: Module, params: never, maybe: Unknown | undefined): ModuleCall {
  const { env, point, context } = instance;
  const on = delegateOf(instance);
  return {
    instance,
    module,
    params,
    maybe,
    on,
    identity: env.tools.evaluator.identity(context.keywords, point),
    context: moduleContext(instance, on),
    world: on === env.host ? instance.state.world : foreignWorld(instance, on),
  };
}

/** What it would do is not known; what it could touch is doubtful from here on. */
function unknownParams(instance: Instance, module: Module, open: Unknown): Instanced {
  const { state, env } = instance;
  const outcome = unknownOutcome(unknown(open, instance), [], module.doc.returns);
  if (env.scout || !module.opaque) return { state, outcome };
  const world = state.world.after([{ type: 'opaque', why: taskName(instance) }]).predicted();
  return { state: { ...state, world }, outcome };
}

/** Everything the parameters alone say is needed, asked together. */
function missingFacts(call: ModuleCall): Instanced | undefined {
  const keys = call.module.facts(call.params, call.context).filter((key) => !refused(key, call));
  if (keys.length > 0) beforeReading(call);
  if (keys.some(isProbe)) beforeProbing(call);
  const missing = keys
    .filter((key) => !call.world.find(call.identity, key))
    .map((key) => call.world.where(call.identity, key));
  return missing.length > 0 ? lacking(call, missing) : undefined;
}

/** `--no-probes`: commands of the user's own are not run to decide. */
function refused(key: FactKey, { instance }: ModuleCall): boolean {
  return isProbe(key) && instance.env.tools.options.noProbes;
}

function isProbe({ family }: FactKey): boolean {
  return family === 'probe';
}

/** A look-ahead notes what is missing and goes on; planning proper asks and comes back. */
function lacking(call: ModuleCall, keys: FactKey[]): Instanced {
  const { state, env } = call.instance;
  if (env.scout) {
    if (call.on === env.host)
      env.scout.want(
        call.on,
        call.identity,
        keys.filter((key) => !isTooEarly(key, call)),
      );
    return { state, outcome: pendingOutcome() };
  }
  if (env.lost) return { state, outcome: unreachableOutcome(env.lost.message, env.lost.hint) };
  // What another host says is kept for the task at hand alone: tasks before it must be over, not to be planned again.
  if (call.on !== env.host && state.pending.length > 0) throw new Interruption({ kind: 'cut', state });
  throw new Interruption({ kind: 'ask', on: call.on, identity: call.identity, keys });
}

/** Facts read behind a pending opaque step would be out of date. */
function beforeReading({ instance: { state, env }, world }: ModuleCall) {
  if (world.clouded && state.pending.length > 0 && !env.scout) throw new Interruption({ kind: 'cut', state });
}

/** A user's command may ask for anything: what is due before it is done first, and what was asked before that is void. */
function beforeProbing({ instance: { state, env } }: ModuleCall) {
  if (state.pending.length > 0 && !env.scout) throw new Interruption({ kind: 'cut', state });
}

/** An apply would have to ask it again. A plan changes nothing, so what is so now is all that it can tell. */
function isTooEarly(key: FactKey, { instance: { env } }: ModuleCall): boolean {
  return isProbe(key) && !env.predicts && env.scout?.changes === true;
}

function planned(call: ModuleCall): Instanced {
  const view = new RecordingView(call.world, call.identity);
  let plan: Plan;
  try {
    plan = call.module.plan(call.params, view, call.context);
  } catch (error) {
    if (error instanceof MissingFact && refused(error.key, call))
      return doubtful(call, unknown(new Unknown('a probe that --no-probes leaves out'), call.instance));
    if (error instanceof MissingFact) {
      beforeReading(call);
      return lacking(call, [error.key]);
    }
    if (error instanceof UnknownRead) return assumed(call, unknown(new Unknown(error.why), call.instance));
    throw error;
  }
  if (view.probes.length > 0) beforeProbing(call);
  return settleSteps(call, plan, view);
}

/**
 * Whether there is something to do is not known, but what will be true afterwards is: the task is planned as if the
 * doubt does not come true, shown as "may change", and its effects hold either way.
 */
function assumed(call: ModuleCall, open: Unknown): Instanced {
  const view = new RecordingView(call.world, call.identity, true);
  try {
    return maybeSteps(call, call.module.plan(call.params, view, call.context), view, open);
  } catch (error) {
    if (error instanceof UnknownRead || error instanceof TaskFailure) return doubtful(call, open);
    if (error instanceof MissingFact) return lacking(call, [error.key]);
    throw error;
  }
}
