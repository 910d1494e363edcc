import type { FactKey } from '../../core/facts.ts';
import { TaskFailure } from '../../core/result.ts';
import { UnknownRead } from '../../world/read.ts';

/** Keys as far as they can be said: what fails here fails again, and is told, when the task is planned. */
export function keysOrNone(keys: () => FactKey[]): FactKey[] {
  try {
    return keys();
  } catch (error) {
    if (error instanceof TaskFailure || error instanceof UnknownRead) return [];
    throw error;
  }
}
