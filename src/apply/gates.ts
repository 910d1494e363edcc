import { coerceParams } from '../core/coerce.ts';
import type { GateEvent } from '../core/events.ts';
import type { Gate, GateContext, Verdict } from '../core/gate.ts';
import type { Identity } from '../core/identity.ts';
import type { AnsweredKey } from '../core/needs.ts';
import type { Origin } from '../core/origin.ts';
import { TaskFailure } from '../core/result.ts';
import { SessionError } from '../core/session.ts';
import { findGate } from '../gates/registry.ts';
import { isMapping, type Value } from '../jinja/values.ts';
import type { Asker } from '../plan/asker.ts';
import type { Emit, GateJudgement } from '../plan/driver.ts';
import { RecordingView } from '../plan/view.ts';
import { World } from '../world/world.ts';

/** Time and evaluation, handed in so that gates can be tested without waiting. */
export interface GateClock {
  now(): number;
  /** Seconds; ends early when the run is interrupted. */
  sleep(seconds: number): Promise<void>;
  stopped(): boolean;
  value(judgement: GateJudgement, node: NonNullable<GateJudgement['call']['params']>): Value;
}

/** Which gate on which host, for events, and as whom it asks. */
export interface GateAbout {
  gate: string;
  name: string;
  play: string;
  origin: Origin;
  host: string;
  from: string;
  identity: Identity;
  own: Identity;
}

type PollClock = Pick<GateClock, 'now' | 'sleep' | 'stopped'>;

interface Poll {
  gate: Gate;
  params: never;
  about: GateAbout;
  interval: number;
  timeout: number;
  deadline: number;
  start: number;
  /** The reason of the last poll, since when it is the same. */
  last?: { reason: string; since: number };
}

/** A gate of a play. `once`: it is asked a single time, and what would be waited for counts as failed. */
export async function judgeGate(
  judgement: GateJudgement,
  asker: Asker,
  clock: GateClock,
  emit: Emit,
  { once = false } = {},
): Promise<boolean> {
  const { call, ...rest } = judgement;
  const about = { ...rest, gate: call.gate, origin: call.origin };
  const value = call.params ? clock.value(judgement, call.params) : new Map<Value, Value>();
  const given = isMapping(value) && value instanceof Map ? value : new Map<Value, Value>();
  const seconds = (node: typeof call.interval) => (node ? Number(clock.value(judgement, node)) : undefined);
  const times = {
    interval: seconds(call.interval),
    timeout: seconds(call.timeout),
    deadline: once ? 0 : seconds(call.deadline),
  };
  return (await pollGate(about, given, times, asker, clock, emit)).verdict === 'pass';
}

/** Polls until it passes, fails for good, or its deadline has come; `times` in seconds win over the gate's own. */
export async function pollGate(
  about: GateAbout,
  given: ReadonlyMap<Value, Value>,
  times: Partial<Record<'interval' | 'timeout' | 'deadline', number | undefined>>,
  asker: Asker,
  clock: PollClock,
  emit: Emit,
): Promise<Verdict> {
  const poll = prepared(about, given, times, clock);
  if ('problem' in poll) return ended(about, emit, clock, { verdict: 'fail', reason: poll.problem }, 0, 0);
  for (let attempts = 1; ; attempts++) {
    const verdict = await once(poll, asker, clock);
    const left = poll.deadline - (clock.now() - poll.start) / 1000;
    const late = left <= 0;
    if (verdict.verdict !== 'wait' || late || clock.stopped()) {
      const evidence = verdict.verdict === 'pass' ? undefined : await evidenceOf(poll, asker);
      return ended(
        about,
        emit,
        clock,
        late && verdict.verdict === 'wait' ? tooLate(poll, verdict) : verdict,
        attempts,
        poll.start,
        evidence,
      );
    }
    emit(event(about, 'waiting', attempts, clock.now() - poll.start, verdict.reason));
    if (poll.last?.reason !== verdict.reason) poll.last = { reason: verdict.reason, since: clock.now() };
    // The last look is at the deadline itself.
    await clock.sleep(Math.min(poll.interval, left));
  }
}

function prepared(
  about: GateAbout,
  given: ReadonlyMap<Value, Value>,
  times: Parameters<typeof pollGate>[2],
  clock: PollClock,
): Poll | { problem: string } {
  const gate = findGate(about.gate);
  if (!gate) return { problem: `no gate is called ${about.gate}` };
  const { params, problems } = coerceParams(gate.params, given, { module: gate.name });
  if (problems.length > 0) return { problem: problems.map((p) => p.message).join('; ') };
  const { interval = gate.interval, timeout = gate.timeout, deadline = gate.deadline } = times;
  return { gate, params: params as never, about, interval, timeout, deadline, start: clock.now() };
}

async function once(poll: Poll, asker: Asker, clock: PollClock): Promise<Verdict> {
  const { gate, params, about } = poll;
  const context: GateContext = {
    host: about.host,
    from: about.from,
    elapsed: (clock.now() - poll.start) / 1000,
    timeout: poll.timeout,
    ...(poll.last ? { last: { reason: poll.last.reason, seconds: (clock.now() - poll.last.since) / 1000 } } : {}),
  };
  try {
    const keys = gate.facts(params, context);
    const answers = await withTimeout(asker.ask(about.from, [{ identity: about.identity, keys }]), poll.timeout);
    if (!answers) return { verdict: 'wait', reason: `no answer within ${poll.timeout} s` };
    return gate.judge(params, viewOf(answers, about.identity), context);
  } catch (error) {
    if (error instanceof TaskFailure) return { verdict: 'fail', reason: error.message };
    if (error instanceof SessionError) return { verdict: error.transient ? 'wait' : 'fail', reason: error.message };
    throw error;
  }
}

function viewOf(answers: AnsweredKey[], identity: Identity): RecordingView {
  return new RecordingView(new World().withAnswers(answers), identity);
}

async function withTimeout<T>(work: Promise<T>, seconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), seconds * 1000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Unit status and journal lines of the judged host, shown when its gate fails; its own failure is not another one. */
async function evidenceOf({ gate, params, about }: Poll, asker: Asker): Promise<string | undefined> {
  const keys = gate.evidence?.(params) ?? [];
  if (keys.length === 0) return undefined;
  try {
    const answers = await asker.ask(about.host, [{ identity: about.own, keys }]);
    return answers.map(({ answer }) => (answer.state === 'known' ? String(answer.value) : '')).join('\n');
  } catch (error) {
    return `(no evidence: ${error instanceof Error ? error.message : String(error)})`;
  }
}

function tooLate(poll: Poll, verdict: Extract<Verdict, { verdict: 'wait' }>): Verdict {
  if (poll.deadline === 0) return { verdict: 'fail', reason: verdict.reason };
  return { verdict: 'fail', reason: `not within ${poll.deadline} s: ${verdict.reason}` };
}

function ended(
  about: GateAbout,
  emit: Emit,
  clock: PollClock,
  verdict: Verdict,
  attempts: number,
  start: number,
  evidence?: string,
): Verdict {
  const passed = verdict.verdict === 'pass';
  const reason = verdict.verdict === 'pass' ? verdict.detail : verdict.reason;
  const ms = attempts === 0 ? 0 : clock.now() - start;
  emit({ ...event(about, passed ? 'passed' : 'failed', attempts, ms, reason), evidence });
  return verdict;
}

function event(about: GateAbout, state: GateEvent['state'], attempts: number, ms: number, reason?: string): GateEvent {
  const { gate, name, play, origin, host, from } = about;
  return { type: 'gate', play, gate, name, origin, host, from, state, attempts, ms, reason };
}
