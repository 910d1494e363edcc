import type { EventBody } from '../core/events.ts';
import type { FactKey, Question } from '../core/facts.ts';
import { identityKey } from '../core/identity.ts';
import type { AnsweredKey, Need, Reply } from '../core/needs.ts';
import { type AdoptedStep, type Session, SessionError, type StepReply } from '../core/session.ts';
import type { StepOutcome } from '../core/steps.ts';
import type { Asker } from '../plan/asker.ts';
import type { Driver, Emit } from '../plan/driver.ts';
import { answers, lost } from '../plan/plan-driver.ts';
import { asked } from '../world/ask.ts';
import { onController } from '../world/families.ts';
import { type ActionTools, runAction } from './actions.ts';
import { withEvidence } from './evidence.ts';
import { type GateClock, judgeGate } from './gates.ts';
import { liveEvents } from './live.ts';
import { outcomesIn } from './outcomes.ts';
import { stageBlobs } from './stage.ts';
import { changeTrip, guardKeys, type TripPlan, type TripSettings, tripsOf } from './trips.ts';
import type { Uploads } from './uploads.ts';

export interface ApplyTools {
  asker: Asker;
  sessionOf(host: string): Session;
  slot<T>(work: () => Promise<T>): Promise<T>;
  uploads: Uploads;
  settings: TripSettings;
  emit: Emit;
  clock: GateClock;
  actions: ActionTools;
  /** Actions that change nothing but the inventory of the run. */
  grows(action: string): boolean;
  /** --check: only tasks that say `check_mode: false` are done, the rest is predicted. */
  check: boolean;
  /** Second interrupt: everything ends. */
  close: AbortSignal;
  /** First interrupt: no further step starts. */
  stop: AbortSignal;
}

type RunNeed = Extract<Need, { kind: 'run' }>;

/** Serves an apply: the one driver that can write. What is marked dry is predicted as a plan would. */
export function applyDriver(tools: ApplyTools, predict: Driver): Driver {
  const doing: Driver = {
    expect: (host) => tools.asker.expect?.(host),
    left: (host) => tools.asker.left?.(host),
    ask: (_host, need) => answers(tools.asker, need),
    run: (host, need) => (need.steps[0]?.dry ? predict.run(host, need) : run(host, need, tools)),
    act: (host, need) =>
      tools.grows(need.call.action) ? predict.act(host, need) : runAction(need.call, tools.actions),
    sleep: async (_host, need) => {
      await tools.clock.sleep(need.seconds);
      return { kind: 'go' };
    },
    gate: (judgement) => judgeGate(judgement, tools.asker, tools.clock, tools.emit),
  };
  if (!tools.check) return doing;
  const { predicts: _predicts, ...predicting } = predict;
  return { ...predicting, run: doing.run };
}

/** All trips of a segment, until one stops, is stale or is cut off. */
async function run(host: string, need: RunNeed, tools: ApplyTools): Promise<Reply> {
  refuseStrangers(host, need);
  const trips = tripsOf(need.steps);
  const outcomes: StepOutcome[] = [];
  let next: AnsweredKey[] = [];
  let under: TripPlan | undefined;
  try {
    for (const [at, trip] of trips.entries()) {
      under = trip;
      const questions = at === trips.length - 1 ? need.next : [];
      const reply = await oneTrip(
        host,
        need,
        trip,
        { first: at === 0, last: at === trips.length - 1 },
        questions,
        tools,
      );
      if (reply.kind !== 'ran') return reply;
      outcomes.push(...reply.outcomes);
      next = reply.next;
      if (reply.stopped) break;
    }
  } catch (error) {
    return brokenOff(error, [...outcomes, ...seenOf(error, under)]);
  }
  return { kind: 'ran', executed: true, outcomes: await withEvidence(need, outcomes, tools), next };
}

/** Planning cuts where the machine changes. Were that ever forgotten, steps for one would run on another. */
function refuseStrangers(host: string, { on, steps }: RunNeed) {
  const stranger = steps.find((step) => (step.on ?? host) !== on);
  if (stranger) throw new Error(`"${stranger.title}" is for ${stranger.on ?? host} and was about to run on ${on}`);
}

function seenOf(error: unknown, trip: TripPlan | undefined): StepOutcome[] {
  return trip && error instanceof SessionError ? outcomesIn(trip, error.seen) : [];
}

/** What was done before is told, also when the run was interrupted: what is left then meets the interrupt itself. */
function brokenOff(error: unknown, outcomes: StepOutcome[]): Reply {
  const isInterrupt = error instanceof SessionError && error.kind === 'aborted';
  return isInterrupt && outcomes.length > 0
    ? { kind: 'ran', executed: true, outcomes, next: [] }
    : lost(error, outcomes);
}

type TripReply =
  | (Extract<Reply, { kind: 'ran' }> & { stopped: boolean })
  | Extract<Reply, { kind: 'stale' | 'halt' | 'lost' }>;

async function oneTrip(
  host: string,
  need: RunNeed,
  trip: TripPlan,
  { first, last }: { first: boolean; last: boolean },
  questions: Question[],
  tools: ApplyTools,
): Promise<TripReply> {
  const session = tools.sessionOf(need.on);
  await stageBlobs(need.on, trip, tools);
  const own = questions.filter((question) => identityKey(question.identity) === identityKey(trip.identity));
  const nextKeys = own.flatMap((question) => question.keys).filter((key) => !onController(key));
  const change = changeTrip(trip, tools.settings, first, nextKeys, last);
  const live = liveEvents(host, trip, tools.emit);
  const reply = await tools.slot(() => session.change(change, live, tools.close));
  if (reply.status !== 'locked') for (const step of reply.adopted ?? []) tools.emit(adoptedWarning(host, step));
  if (reply.status === 'stale') return { kind: 'stale', answers: await again(trip, need.on, tools) };
  if (reply.status === 'locked') return locked(reply);
  return ran(trip, reply.steps, reply.next, nextKeys, reply.stopped);
}

function ran(trip: TripPlan, steps: StepReply[], records: string[][], keys: FactKey[], stopped: boolean): TripReply {
  const outcomes = outcomesIn(trip, steps);
  const answered = records.length > 0 ? asked(keys).answers(records) : [];
  const next = answered.map(({ key, answer }) => ({ identity: trip.identity, key, answer }));
  return { kind: 'ran', executed: true, outcomes, next, stopped: stopped || outcomes.some((o) => o.unproven) };
}

/** What the change rested on is no longer so: the answers as they are now. */
async function again(trip: TripPlan, on: string, { asker }: ApplyTools): Promise<AnsweredKey[]> {
  return asker.ask(on, [{ identity: trip.identity, keys: guardKeys(trip) }]);
}

/** A step that an earlier run left to finish by itself: said once, with how it ended. */
function adoptedWarning(host: string, { run, rc, stderr }: AdoptedStep): EventBody {
  const end =
    rc === -1
      ? 'it still runs'
      : rc === 0
        ? 'it ended well'
        : `it ended with ${rc}: ${stderr.toString('utf8').trim().split('\n').at(-1)}`;
  return { type: 'warning', host, message: `run ${run} was cut off while a step had to finish; ${end}` };
}

function locked({ owner, run, since }: { owner: string; run: string; since: string }): TripReply {
  const message = `locked by run ${run} of ${owner} since ${since}`;
  const hint = 'wait for it to end, or take the lock over with --force-unlock';
  return { kind: 'lost', error: { kind: 'lost', message, hint }, outcomes: [] };
}
