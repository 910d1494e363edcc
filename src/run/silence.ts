import { inputError } from '../core/errors.ts';

/** Ending a step takes up to 2.5 s, and a sign of life may be late: less would end what nobody cut off. */
const least = 5;

/**
 * Seconds of silence after which a host ends what runs, as KPUSH_DEADLINE says; undefined: the default. Throws an
 * input error for what is no number of seconds, or too few.
 */
export function silenceDeadline(env: Record<string, string | undefined>): number | undefined {
  const text = env.KPUSH_DEADLINE;
  if (text === undefined || text === '') return undefined;
  const seconds = Number(text);
  if (seconds >= least && Number.isFinite(seconds)) return seconds;
  throw inputError(`KPUSH_DEADLINE is a number of seconds, at least ${least}, not ${JSON.stringify(text)}`);
}
