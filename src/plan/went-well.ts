import type { StepOutcome } from '../core/steps.ts';

/** Whether what the step was to bring about can be counted on. */
export function wentWell({ status, unproven }: StepOutcome): boolean {
  return status === 'predicted' || (status === 'ok' && !unproven?.length);
}
