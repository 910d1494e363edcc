import { type Answer, keyText } from '../core/facts.ts';
import type { StepReply } from '../core/session.ts';
import type { PlannedStep, StepOutcome } from '../core/steps.ts';
import { asked } from '../world/ask.ts';
import { families } from '../world/families.ts';
import { type JoinedStep, proofKeys, type TripPlan } from './trips.ts';

/** What was read in one, and what the last step that says anything of a key expected; by the texts of the keys. */
interface Found {
  answers: Map<string, Answer>;
  last: Map<string, unknown>;
}

/** What the replies to a trip mean for each planned step of it; those without one are left out. */
export function outcomesIn(trip: TripPlan, replies: readonly StepReply[]): StepOutcome[] {
  const byKey = new Map(replies.map((reply) => [reply.key, reply]));
  const read = new Map<readonly PlannedStep[], Found>();
  return trip.steps.flatMap((step) => {
    const reply = byKey.get(step.first.key);
    return reply ? outcomesOf(step, reply, read) : [];
  });
}

/**
 * What a joined step's reply means for each step in it: a job that failed failed for those that are not as planned.
 * `read`: proofs that were understood before.
 */
function outcomesOf(
  { planned, proved }: JoinedStep,
  reply: StepReply,
  read: Map<readonly PlannedStep[], Found>,
): StepOutcome[] {
  const found = () => {
    const known = read.get(proved) ?? foundIn(proved, reply);
    read.set(proved, known);
    return known;
  };
  const shares = proved !== planned;
  const outcomes: StepOutcome[] = planned.map((step, n) => ({
    ...outcomeOf(step, reply, hasProof(reply, shares) ? found() : undefined),
    ...share(n, planned.length, reply),
  }));
  if (reply.status !== 'failed' || planned.length === 1) return outcomes;
  const guilty = outcomes.filter((outcome) => outcome.unproven);
  if (guilty.length === 0) return outcomes;
  return outcomes.map((outcome) =>
    outcome.unproven ? { ...outcome, unproven: undefined } : { ...outcome, status: 'ok', rc: 0 },
  );
}

/**
 * One call's time in equal parts, one after the other: systemd does not tell which of its units took how long, and a
 * task's time is the sum of its steps'.
 */
function share(n: number, of: number, { start, end }: StepReply): Pick<StepOutcome, 'start' | 'end'> {
  const at = (part: number) => start + Math.round(((end - start) * part) / of);
  return { start: at(n), end: at(n + 1) };
}

function outcomeOf(step: PlannedStep, reply: StepReply, found: Found | undefined): Omit<StepOutcome, 'start' | 'end'> {
  const { status, rc, truncated } = reply;
  const unproven = found ? unprovenOf(step, found) : [];
  return {
    key: step.key,
    status,
    rc,
    stdout: reply.stdout.toString('utf8'),
    stderr: reply.stderr.toString('utf8'),
    truncated,
    ...(unproven.length > 0 ? { unproven } : {}),
  };
}

/** A step that failed may have been left before its proof was read; a proof that it shares is that of the others. */
function hasProof({ status, proof }: StepReply, shares: boolean): boolean {
  if (status === 'not-run' || status === 'timeout') return false;
  return status !== 'failed' || (!shares && proof.some((records) => records.length > 0));
}

function foundIn(proved: readonly PlannedStep[], { proof }: StepReply): Found {
  const answers = asked(proofKeys(proved)).answers(proof);
  return {
    answers: new Map(answers.map(({ key, answer }) => [keyText(key), answer])),
    last: new Map(proved.flatMap(({ proves }) => proves.map(({ key, expected }) => [keyText(key), expected]))),
  };
}

/**
 * Ways in which what was read after the step differs from what its effects predicted. What is read once, after several
 * steps: what a later one was to change again says nothing about an earlier one, but what both expect does.
 */
function unprovenOf(step: PlannedStep, { answers, last }: Found): string[] {
  return step.proves.flatMap(({ key, expected }) => {
    const answer = answers.get(keyText(key));
    if (answer?.state !== 'known') return [`${key.id}: cannot be read after the change`];
    const differs = (from: unknown) => families.get(key.family)?.differs?.(from, answer.value) ?? [];
    const atTheEnd = differs(last.get(keyText(key)));
    return differs(expected).flatMap((text) => (atTheEnd.includes(text) ? [`${key.id}: ${text}`] : []));
  });
}
