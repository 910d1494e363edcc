import { coerceParams } from '../core/coerce.ts';
import type { GateEvent } from '../core/events.ts';
import type { Gate, GateContext, Verdict } from '../core/gate.ts';
import type { Identity } from '../core/identity.ts';
import type { AnsweredKey } from '../core/needs.ts';
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

interface Poll {
  gate: Gate;
  params: never;
  judgement: GateJudgement;
  interval: number;
  timeout: number;
  deadline: number;
  start: number;
  /** The reason of the last poll, since when it is the same. */
  last?: { reason: string; since: number };
}

/** Polls until it passes, fails for good, or its deadline has come. */
export async function judgeGate(
  judgement: GateJudgement,
  asker: Asker,
  clock: GateClock,
  emit: Emit,
): Promise<boolean> {
  const poll = prepared(judgement, clock);
  if ('problem' in poll) return ended(judgement, emit, clock, { verdict: 'fail', reason: poll.problem }, 0, 0);
  for (let attempts = 1; ; attempts++) {
    const verdict = await once(poll, asker, clock);
    const late = (clock.now() - poll.start) / 1000 + poll.interval > poll.deadline;
    if (verdict.verdict !== 'wait' || late || clock.stopped()) {
      const evidence = verdict.verdict === 'pass' ? undefined : await evidenceOf(poll, asker);
      return ended(
        judgement,
        emit,
        clock,
        late && verdict.verdict === 'wait' ? tooLate(poll, verdict) : verdict,
        attempts,
        poll.start,
        evidence,
      );
    }
    emit(event(judgement, 'waiting', attempts, clock.now() - poll.start, verdict.reason));
    if (poll.last?.reason !== verdict.reason) poll.last = { reason: verdict.reason, since: clock.now() };
    await clock.sleep(poll.interval);
  }
}

function prepared(judgement: GateJudgement, clock: GateClock): Poll | { problem: string } {
  const { call } = judgement;
  const gate = findGate(call.gate);
  if (!gate) return { problem: `no gate is called ${call.gate}` };
  const value = call.params ? clock.value(judgement, call.params) : new Map<Value, Value>();
  const given = isMapping(value) && value instanceof Map ? value : new Map<Value, Value>();
  const { params, problems } = coerceParams(gate.params, given, { module: gate.name });
  if (problems.length > 0) return { problem: problems.map((p) => p.message).join('; ') };
  const seconds = (node: typeof call.interval, otherwise: number) =>
    node ? Number(clock.value(judgement, node)) : otherwise;
  return {
    gate,
    params: params as never,
    judgement,
    interval: seconds(call.interval, gate.interval),
    timeout: seconds(call.timeout, gate.timeout),
    deadline: seconds(call.deadline, gate.deadline),
    start: clock.now(),
  };
}

async function once(poll: Poll, asker: Asker, clock: GateClock): Promise<Verdict> {
  const { gate, params, judgement } = poll;
  const context: GateContext = {
    host: judgement.host,
    from: judgement.from,
    elapsed: (clock.now() - poll.start) / 1000,
    timeout: poll.timeout,
    ...(poll.last ? { last: { reason: poll.last.reason, seconds: (clock.now() - poll.last.since) / 1000 } } : {}),
  };
  try {
    const keys = gate.facts(params, context);
    const answers = await withTimeout(
      asker.ask(judgement.from, [{ identity: judgement.identity, keys }]),
      poll.timeout,
    );
    if (!answers) return { verdict: 'wait', reason: `no answer within ${poll.timeout} s` };
    return gate.judge(params, viewOf(answers, judgement.identity), context);
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
async function evidenceOf({ gate, params, judgement }: Poll, asker: Asker): Promise<string | undefined> {
  const keys = gate.evidence?.(params) ?? [];
  if (keys.length === 0) return undefined;
  try {
    const answers = await asker.ask(judgement.host, [{ identity: judgement.own, keys }]);
    return answers.map(({ answer }) => (answer.state === 'known' ? String(answer.value) : '')).join('\n');
  } catch (error) {
    return `(no evidence: ${error instanceof Error ? error.message : String(error)})`;
  }
}

function tooLate(poll: Poll, verdict: Extract<Verdict, { verdict: 'wait' }>): Verdict {
  return { verdict: 'fail', reason: `not within ${poll.deadline} s: ${verdict.reason}` };
}

function ended(
  judgement: GateJudgement,
  emit: Emit,
  clock: GateClock,
  verdict: Verdict,
  attempts: number,
  start: number,
  evidence?: string,
): boolean {
  const passed = verdict.verdict === 'pass';
  const reason = verdict.verdict === 'pass' ? verdict.detail : verdict.reason;
  const ms = attempts === 0 ? 0 : clock.now() - start;
  emit({ ...event(judgement, passed ? 'passed' : 'failed', attempts, ms, reason), evidence });
  return passed;
}

function event(
  judgement: GateJudgement,
  state: GateEvent['state'],
  attempts: number,
  ms: number,
  reason?: string,
): GateEvent {
  const { call, name, play, host, from } = judgement;
  return { type: 'gate', play, gate: call.gate, name, origin: call.origin, host, from, state, attempts, ms, reason };
}
