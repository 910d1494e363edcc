import type { Effect } from '../core/effects.ts';
import type { Plan } from '../core/module.ts';
import type { Result } from '../core/result.ts';
import type { PlannedStep, Step, StepOutcome } from '../core/steps.ts';
import type { Unknown, Value } from '../jinja/values.ts';
import { families } from '../world/families.ts';
import type { World } from '../world/world.ts';
import { doubtedEffects, doubtfulSteps } from './doubt.ts';
import type { Scout, Segment } from './environment.ts';
import type { Instanced } from './instance.ts';
import { judge } from './judge.ts';
import { isLiteralFalse, stepSurroundings } from './keywords.ts';
import type { ModuleCall } from './module-task.ts';
import { unknownOutcome, unreachableOutcome } from './outcome.ts';
import { predicted } from './predicted.ts';
import { reckonsWithFailure, undecided } from './reckoning.ts';
import type { HostState } from './state.ts';
import { Interruption } from './turn.ts';
import type { RecordingView } from './view.ts';
import { wentWell } from './went-well.ts';

/** Gives a plan's steps their place, then their outcome: replayed, nothing to do, or pending. */
export function settleSteps(call: ModuleCall, plan: Plan, view: RecordingView): Instanced {
  const { instance } = call;
  const { env, state } = instance;
  const goOn = reckonsWithFailure(call.instance);
  const { steps, world } = placed(call, plan, goOn, view);
  const seen = {
    provisional: view.readCount > 0 ? call.world.provisional : undefined,
    fleeting: view.fleeting,
    warnings: plan.warnings,
    notes: plan.notes,
    probes: view.probes,
  };
  if (call.maybe) return doubtfulSteps(call, steps, call.maybe);
  if (steps.length === 0) return judge({ call, state, result: plan.result, steps, ran: [], pending: false, seen });
  const after = (then: World) => (call.on === env.host ? { ...state, world: then } : state);
  const ran = take(env.segment, steps);
  if (ran) {
    const result = completed(call, plan, ran, goOn);
    const left = after(ran.every(wentWell) ? world : unseen(call, steps));
    return judge({ call, state: left, result, steps, ran, pending: false, seen });
  }
  if (!env.scout && mixes(state, steps)) throw new Interruption({ kind: 'cut', state });
  if (env.lost) return { state, outcome: unreachableOutcome(env.lost.message, env.lost.hint) };
  if (env.predicts && !env.scout) {
    const foretold = steps.map(predicted);
    const result = completed(call, plan, foretold, goOn);
    return judge({ call, state: after(world.predicted()), result, steps, ran: foretold, pending: false, seen });
  }
  if (env.scout) scouted(env.scout, steps);
  const pending = { ...after(goOn ? unseen(call, steps) : world), pending: [...state.pending, ...steps] };
  const result = goOn ? undecided(plan.result, call.context.taskName) : plan.result;
  return judge({ call, state: pending, result, steps, ran: [], pending: true, seen });
}

/** Where the trip goes on after a failure, what a step brings about is not counted on before it is seen. */
function unseen(call: ModuleCall, steps: readonly PlannedStep[]): World {
  return call.world.after(doubtedEffects(call, steps));
}

/** Steps of which it is not known whether they are needed; what they bring about holds in either case. */
export function maybeSteps(call: ModuleCall, plan: Plan, view: RecordingView, open: Unknown): Instanced {
  const { env, state } = call.instance;
  const { steps, world } = placed(call, plan, false, view);
  const outcome = unknownOutcome(open, steps, call.module.doc.returns);
  if (env.scout || call.maybe || call.on !== env.host) return { state, outcome };
  return { state: { ...state, world: world.predicted() }, outcome };
}

/** Each step with what proves it: the World as it is after that very step. */
function placed(call: ModuleCall, plan: Plan, goOn: boolean, view: RecordingView) {
  let world = call.world;
  const steps = plan.steps.map((step, index) => {
    const planned = place(call, step, index, goOn, view);
    world = world.after(planned.effects);
    return call.instance.env.scout ? planned : { ...planned, proves: proofs(planned, world) };
  });
  return { steps, world };
}

const provers = [...families.values()].flatMap(({ proves }) => proves ?? []);

function proofs(step: PlannedStep, world: World): PlannedStep['proves'] {
  const keys = step.proof ?? provers.flatMap((proves) => step.effects.flatMap(proves));
  return keys.flatMap((key) => {
    const answer = world.find(step.identity, key);
    return answer?.state === 'known' ? [{ key, expected: answer.value }] : [];
  });
}

function place(call: ModuleCall, step: Step, index: number, goOn: boolean, view: RecordingView): PlannedStep {
  const { instance, identity, on } = call;
  const { state, env, task } = instance;
  return {
    ...step,
    ...stepSurroundings(instance, step),
    effects: isOnlyTold(call) ? [] : lasting(instance.task.changedWhen, step.effects),
    onFail: goOn ? 'go-on' : (step.onFail ?? 'stop'),
    key: `${state.seq}.${index}`,
    seq: state.seq,
    identity,
    on: on === env.host ? undefined : on,
    noLog: call.context.noLog || undefined,
    dry: call.context.checkMode,
    rests: view.rests,
    proves: [],
    task: { id: task.id, name: call.context.taskName },
  };
}

/** `check_mode: true` of a task: it is predicted, and never comes about. Of a template the run's own mode may be the reason. */
function isOnlyTold({ context, instance }: ModuleCall): boolean {
  const asWritten = instance.context.keywords.checkMode?.value === true;
  return context.checkMode && (asWritten || !instance.env.tools.options.checkMode);
}

/** `changed_when: false` is the author's word that a command changes nothing, so it clouds nothing. */
function lasting(changedWhen: ModuleCall['instance']['task']['changedWhen'], effects: Effect[]): Effect[] {
  return isLiteralFalse(changedWhen) ? effects.filter((effect) => effect.type !== 'opaque') : effects;
}

/** A trip goes to one machine, and runs all of its steps or predicts all of them. */
function mixes({ pending }: HostState, steps: PlannedStep[]): boolean {
  const [last, next] = [pending.at(-1), steps[0]!];
  return last !== undefined && (last.dry !== next.dry || last.on !== next.on);
}

function take(segment: Segment | undefined, steps: PlannedStep[]): StepOutcome[] | undefined {
  if (!segment || !steps.some((step) => segment.remaining.has(step.key))) return undefined;
  for (const step of steps) segment.remaining.delete(step.key);
  return steps.flatMap((step) => segment.outcomes.get(step.key) ?? []);
}

function completed(call: ModuleCall, plan: Plan, ran: StepOutcome[], goOn: boolean): Result {
  if (ran.every((outcome) => outcome.status === 'predicted'))
    return goOn ? undecided(plan.result, call.context.taskName) : plan.result;
  const result = call.module.complete?.(call.params, plan.result, ran, call.context) ?? plan.result;
  const bad = ran.find((outcome) => outcome.status !== 'ok');
  if (bad && result.failed === undefined) return failed(soFar(result, ran), failureText(bad), bad);
  const unproven = ran.flatMap((outcome) => outcome.unproven ?? []);
  return unproven.length > 0 && !result.failed ? failed(result, `did not converge: ${unproven.join('; ')}`) : result;
}

/** A task that failed changed something only if one of its steps went well. */
function soFar(result: Result, ran: StepOutcome[]): Result {
  return ran.some((outcome) => outcome.status === 'ok') ? result : { ...result, changed: false };
}

function failed(result: Result, msg: string, outcome?: StepOutcome): Result {
  const more: [string, Value][] = outcome
    ? [
        ['rc', outcome.rc],
        ['stdout', outcome.stdout],
        ['stderr', outcome.stderr],
      ]
    : [];
  return { ...result, failed: true, values: new Map([...result.values, ...more, ['msg', msg]]) };
}

function failureText(outcome: StepOutcome): string {
  if (outcome.status === 'timeout') return 'timed out';
  const said = (outcome.stderr.trim() || outcome.stdout.trim()).split('\n').slice(-3).join(' ');
  return said || `exit status ${outcome.rc}`;
}

function scouted(scout: Scout, steps: PlannedStep[]) {
  const opens = steps.some((step) => step.effects.some((e) => e.type === 'opaque' || e.type === 'world.open'));
  if (scout.stopAtOpaque && opens) scout.stop = true;
  scout.changes = true;
}
