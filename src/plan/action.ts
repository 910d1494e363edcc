import { dirname } from 'node:path';
import type { ActionSpec } from '../core/action.ts';
import { coerceParams, paramNames } from '../core/coerce.ts';
import type { ActionCall, Need, Reply } from '../core/needs.ts';
import type { Result } from '../core/result.ts';
import type { Unknown, Value } from '../jinja/values.ts';
import { type FileFact, fileKey } from '../world/file.ts';
import type { World } from '../world/world.ts';
import { delegateOf } from './delegate.ts';
import { type Instance, type Instanced, unknown } from './instance.ts';
import { judge } from './judge.ts';
import { keywordNumber } from './keywords.ts';
import { taskName } from './module-context.ts';
import { failedOutcome, pendingOutcome, unknownOutcome } from './outcome.ts';
import { givenParams } from './params.ts';
import { reckonsWithFailure, undecided } from './reckoning.ts';
import { Interruption } from './turn.ts';

/** What no pure module can be (reboot, wait_for): the driver does it, or a plan predicts it. */
export function runAction(instance: Instance, maybe: Unknown | undefined): Instanced {
  const { state, env, task } = instance;
  const spec = env.tools.action(task.module)!;
  if (maybe) return { state, outcome: unknownOutcome(maybe) };
  if (state.acted)
    return judge({ call: { instance }, state, result: state.acted, steps: [], ran: [], pending: false, seen: {} });
  const given = givenParams(instance, spec.params, spec.freeForm);
  const { own, vars } = split(given, spec);
  const { params, problems, unknown: open } = coerceParams(spec.params, own, { module: spec.name });
  if (problems.length > 0) return { state, outcome: failedOutcome(problems.map((p) => p.message).join('; ')) };
  if (open) return { state, outcome: unknownOutcome(unknown(open, instance)) };
  lookAtAwaited(instance, spec, params);
  if (env.scout) return lookPast(instance, spec);
  throw act(instance, spec, spec.open ? { ...params, vars } : params);
}

/** Parameters that the action names, and the rest, which an open one takes as variables. */
function split(given: ReadonlyMap<string, Value>, spec: ActionSpec) {
  if (!spec.open) return { own: given, vars: new Map<string, Value>() };
  const names = paramNames(spec.params);
  const own = new Map([...given].filter(([name]) => names.has(name)));
  return { own, vars: new Map([...given].filter(([name]) => !names.has(name))) };
}

function lookPast({ state, env }: Instance, spec: ActionSpec): Instanced {
  if (spec.forgets && env.scout?.stopAtOpaque) env.scout.stop = true;
  return { state, outcome: pendingOutcome() };
}

function act(instance: Instance, spec: ActionSpec, params: Record<string, unknown>): Interruption {
  const { state } = instance;
  if (state.pending.length > 0) return new Interruption({ kind: 'cut', state });
  const call = callOf(instance, params);
  const need: Need = { kind: 'act', call };
  return new Interruption({
    kind: 'need',
    need,
    resume: (reply) =>
      reply.kind === 'acted'
        ? {
            ...state,
            acted: cameTo(reply, instance),
            world: awaited(call, spec, worldAfter(reply, state.world), !reply.forget),
          }
        : state,
  });
}

function cameTo({ result, predicted }: Extract<Reply, { kind: 'acted' }>, instance: Instance): Result {
  const open = predicted && result.failed === undefined && reckonsWithFailure(instance);
  return open ? undecided(result, taskName(instance)) : result;
}

/** Whether what is waited for is there already, asked before: in a plan all that reads it hangs on that. */
function lookAtAwaited(instance: Instance, spec: ActionSpec, params: Record<string, unknown>): void {
  const path = spec.awaits?.(params);
  if (path === undefined) return;
  const { env, state, context, point } = instance;
  const [on, identity] = [delegateOf(instance), env.tools.evaluator.identity(context.keywords, point)];
  if (on !== env.host || state.world.find(identity, fileKey(path))) return;
  if (!env.scout) throw new Interruption({ kind: 'ask', on, identity, keys: [fileKey(path)] });
  env.scout.want(on, identity, [fileKey(path)]);
}

/** A plan waits for nothing, so that what is missing now is not missing then. */
function awaited({ params, identity, task }: ActionCall, spec: ActionSpec, world: World, predicted: boolean): World {
  const path = spec.awaits?.(params);
  const answer = path === undefined ? undefined : world.find(identity, fileKey(path));
  const isThere = answer?.state === 'known' && (answer.value as FileFact).exists;
  if (path === undefined || isThere || !predicted) return world;
  return world.after([{ type: 'file.unknown', path, why: task.name }]);
}

function worldAfter({ forget, remade }: Extract<Reply, { kind: 'acted' }>, world: World): World {
  if (remade !== undefined) return world.remadeBy(remade);
  return forget ? world.cleared() : world;
}

function callOf(instance: Instance, params: Record<string, unknown>): ActionCall {
  const { env, state, task, context, point } = instance;
  return {
    action: task.module,
    params,
    host: env.host,
    on: delegateOf(instance),
    identity: env.tools.evaluator.identity(context.keywords, point),
    seq: state.seq,
    task: { id: task.id, name: taskName(instance) },
    play: env.run.play.id,
    folder: dirname(env.run.play.file),
    origin: task.origin,
    timeout: keywordNumber(instance, context.keywords.timeout, 0) || undefined,
  };
}
