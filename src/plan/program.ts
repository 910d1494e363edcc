import { keyText } from '../core/facts.ts';
import type { Need, Reply } from '../core/needs.ts';
import type { StepOutcome } from '../core/steps.ts';
import { onController } from '../world/families.ts';
import { World } from '../world/world.ts';
import type { HostEnv, Segment } from './environment.ts';
import { takeTurn } from './machine.ts';
import { type LookAhead, lookAhead, type ScoutOptions } from './scout.ts';
import { type HostState, positionOf } from './state.ts';
import type { Turn } from './turn.ts';

export type HostProgram = Generator<Need, HostState, Reply>;

/**
 * One host's way through a batch of a play, as a generator of needs. Whoever drives it, a plan or an apply, gets the
 * same steps in the same order. `base` is the last state in which nothing was pending: after a trip the tasks since
 * then are planned again over what really happened, so nothing is ever patched up.
 */
export function* hostProgram(start: HostState, env: HostEnv, later: ScoutOptions['later']): HostProgram {
  const host: Driven = { base: start, state: start, env, later, asked: false, questions: new Set() };
  for (;;) {
    yield { kind: 'breathe' };
    const turn = takeTurn(host.state, env);
    if (turn.kind === 'next') yield* next(host, turn.state);
    else if (turn.kind === 'end' && turn.state.pending.length === 0) return yield* finished(host, turn.state);
    else {
      const reply = yield* serve(host, turn);
      if (reply?.kind === 'halt') return yield* finished(host, { ...host.base, status: 'ended', frames: undefined });
    }
  }
}

interface Driven {
  base: HostState;
  state: HostState;
  env: HostEnv;
  later: ScoutOptions['later'];
  asked: boolean;
  /** What was asked since the base moved: to be asked it again means that no answer will do. */
  readonly questions: Set<string>;
}

function* next(host: Driven, planned: HostState): Generator<Need, void, Reply> {
  const state = planned.lateFailures > host.state.lateFailures ? overrun(host.env, planned) : planned;
  host.state = state;
  if (state.pending.length > 0) return;
  host.state = settle(host.env, state);
  if (state.log.length > 0) yield* inform(host);
  moved(host, host.state);
}

function moved(host: Driven, base: HostState) {
  host.base = base;
  host.questions.clear();
}

/** Tells what became final and how far the host is. */
function* inform(host: Driven): Generator<Need, void, Reply> {
  const { state } = host;
  yield { kind: 'inform', events: [...state.log], position: positionOf(state), vars: state.vars };
  host.state = { ...state, log: [] };
}

function* finished(host: Driven, state: HostState): Generator<Need, HostState, Reply> {
  host.state = settle(host.env, state);
  if (state.log.length > 0) yield* inform(host);
  return host.state;
}

/**
 * A failure that shows only when its proof arrives: what the trip ran behind it did happen. It is told, and belongs to
 * no task any more: a rescue goes on from what the host says then.
 */
function overrun(env: HostEnv, state: HostState): HostState {
  const { segment, host } = env;
  if (!segment?.executed || segment.remaining.size === 0) return state;
  env.segment = undefined;
  const titles = segment.steps.filter((step) => segment.remaining.has(step.key)).map((step) => step.title);
  const message = `before the failure was known these steps had run as well: ${titles.join('; ')}`;
  return { ...state, world: new World(), log: [...state.log, { type: 'warning', host, message }] };
}

/** Once every outcome of a trip is taken up, the World is what the trip left. */
function settle(env: HostEnv, state: HostState): HostState {
  const { segment } = env;
  if (!segment || segment.remaining.size > 0) return state;
  env.segment = undefined;
  if (!segment.executed) return { ...state, world: state.world.predicted().withAnswers(segment.next) };
  const world = segment.opened ? new World() : state.world.untouched();
  return { ...state, world: world.withAnswers(segment.next) };
}

function* serve(host: Driven, turn: Exclude<Turn, { kind: 'next' }>): Generator<Need, Reply | undefined, Reply> {
  if (turn.kind === 'ask') return yield* ask(host, turn);
  if (turn.kind === 'cut' || turn.kind === 'end') return yield* run(host, turn.state);
  const reply = yield turn.need;
  if (reply.kind === 'halt') return reply;
  if (reply.kind === 'lost') host.env.lost = reply.error;
  else {
    host.state = turn.resume(reply);
    if (host.state.log.length > 0 && host.state.pending.length === 0) yield* inform(host);
    moved(host, host.state);
  }
  return reply;
}

function* ask(host: Driven, turn: Extract<Turn, { kind: 'ask' }>): Generator<Need, Reply, Reply> {
  const { env } = host;
  refuseCircle(host, turn);
  const own = turn.on === env.host;
  if (own && !host.asked && !turn.keys.every(onController)) {
    const room = yield { kind: 'expect', on: turn.on };
    if (room.kind === 'halt') return room;
  }
  const questions = own
    ? yield* lookAhead(host.state, env, { later: host.later, stopAtOpaque: host.asked })
    : [{ identity: turn.identity, keys: turn.keys }];
  if (own) host.asked = true;
  const reply = yield { kind: 'ask', on: turn.on, questions };
  if (reply.kind === 'lost') env.lost = reply.error;
  if (reply.kind === 'answers') host.base = answered(host.base, turn, reply.answers, own);
  host.state = host.base;
  return reply;
}

/** A bug in a fact family would else ask for ever. */
function refuseCircle(host: Driven, { on, identity, keys }: Extract<Turn, { kind: 'ask' }>) {
  const question = JSON.stringify([on, identity, keys, host.base.seq]);
  const names = keys.map(keyText).join(', ');
  if (host.questions.has(question)) throw new Error(`the answer of ${on} to ${names} is not what was asked for`);
  host.questions.add(question);
}

function answered(
  base: HostState,
  turn: Extract<Turn, { kind: 'ask' }>,
  answers: Extract<Reply, { kind: 'answers' }>['answers'],
  own: boolean,
): HostState {
  if (own) return { ...base, world: base.world.withAnswers(answers) };
  const world = base.foreign?.host === turn.on ? base.foreign.world : base.world.cleared();
  return { ...base, foreign: { host: turn.on, world: world.withAnswers(answers) } };
}

function* run(host: Driven, state: HostState): Generator<Need, Reply, Reply> {
  const { env, base } = host;
  const steps = [...state.pending];
  const on = steps[0]?.on ?? env.host;
  const reply = yield { kind: 'run', on, steps, next: on === env.host ? yield* nextQuestions(host, state) : [] };
  if (reply.kind === 'ran') env.segment = segmentOf(steps, reply);
  if (reply.kind === 'lost') {
    env.segment = segmentOf(steps, { kind: 'ran', executed: true, outcomes: reply.outcomes, next: [] });
    env.lost = reply.error;
  }
  moved(host, reply.kind === 'stale' ? { ...base, world: base.world.withAnswers(reply.answers) } : base);
  host.state = host.base;
  return reply;
}

/** What will be asked behind this trip, so that it can be asked at its end. */
function nextQuestions(host: Driven, state: HostState): LookAhead {
  const world = state.world.clouded ? state.world.cleared() : state.world.untouched();
  return lookAhead({ ...state, world }, host.env, { later: host.later, stopAtOpaque: true });
}

function segmentOf(steps: HostState['pending'], reply: Extract<Reply, { kind: 'ran' }>): Segment {
  const outcomes = new Map(reply.outcomes.map((outcome) => [outcome.key, outcome]));
  const ran = steps.filter((step) => isTaken(outcomes.get(step.key)));
  return {
    outcomes,
    remaining: new Set(ran.map((step) => step.key)),
    executed: reply.executed,
    steps: ran.map(({ key, title, noLog }) => ({ key, title: noLog ? '(no_log)' : title })),
    next: reply.next,
    opened: ran.some((step) => step.effects.some((effect) => effect.type === 'opaque' || effect.type === 'world.open')),
  };
}

function isTaken(outcome: StepOutcome | undefined): boolean {
  return outcome !== undefined && outcome.status !== 'not-run';
}
