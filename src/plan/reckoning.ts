import type { Result } from '../core/result.ts';
import { Unknown } from '../jinja/values.ts';
import type { Instance } from './instance.ts';
import { keywordTrue } from './keywords.ts';

/** Whether what follows may run although this failed, or the controller must look at the result first. */
export function reckonsWithFailure(instance: Instance): boolean {
  const { task, context } = instance;
  return !!task.failedWhen || !!task.until || keywordTrue(instance, context.keywords.ignoreErrors);
}

/**
 * Until it ran, what may fail without stopping the trip has an open outcome. A plan assumes that steps succeed, but
 * where the author reckons with failure nothing may be decided by that assumption.
 */
export function undecided(result: Result, task: string): Result {
  const open = new Unknown(task);
  const values = result.values.has('rc') ? new Map([...result.values, ['rc', open] as const]) : result.values;
  return { ...result, failed: open, values };
}
