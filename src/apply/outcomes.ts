import { keyText } from '../core/facts.ts';
import type { StepReply } from '../core/session.ts';
import type { PlannedStep, StepOutcome } from '../core/steps.ts';
import { asked } from '../world/ask.ts';
import { families } from '../world/families.ts';
import { type JoinedStep, proofKeys } from './trips.ts';

/** What a joined step's reply means for each step in it: a job that failed failed for those that are not as planned. */
export function outcomesOf({ planned }: JoinedStep, reply: StepReply): StepOutcome[] {
  const outcomes = planned.map((step, n) => ({
    ...outcomeOf(step, planned, reply),
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

function outcomeOf(
  step: PlannedStep,
  planned: readonly PlannedStep[],
  reply: StepReply,
): Omit<StepOutcome, 'start' | 'end'> {
  const { status, rc, truncated } = reply;
  const unproven = hasProof(reply) ? unprovenOf(step, planned, reply) : [];
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

/** A step that failed may have been left before its proof was read. */
function hasProof({ status, proof }: StepReply): boolean {
  if (status === 'not-run' || status === 'timeout') return false;
  return status !== 'failed' || proof.some((records) => records.length > 0);
}

/**
 * Ways in which what was read after the step differs from what its effects predicted. A joined step is read once, after
 * all of it: what a later step was to change again says nothing about an earlier one, but what both expect does.
 */
function unprovenOf(step: PlannedStep, planned: readonly PlannedStep[], reply: StepReply): string[] {
  const found = new Map(
    asked(proofKeys(planned))
      .answers(reply.proof)
      .map(({ key, answer }) => [keyText(key), answer]),
  );
  const last = new Map(planned.flatMap(({ proves }) => proves.map(({ key, expected }) => [keyText(key), expected])));
  return step.proves.flatMap(({ key, expected }) => {
    const answer = found.get(keyText(key));
    if (answer?.state !== 'known') return [`${key.id}: cannot be read after the change`];
    const differs = (from: unknown) => families.get(key.family)?.differs?.(from, answer.value) ?? [];
    const atTheEnd = differs(last.get(keyText(key)));
    return differs(expected).flatMap((text) => (atTheEnd.includes(text) ? [`${key.id}: ${text}`] : []));
  });
}
