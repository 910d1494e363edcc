import type { Plan } from '../../core/module.ts';
import { result } from '../../core/result.ts';
import { Unknown, type Value } from '../../jinja/values.ts';
import { UnknownRead } from '../../world/read.ts';

/** What was read, or that it is known later: a task that only gathers facts is planned all the same. */
export function known<T>(read: () => T): T | Unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnknownRead) return new Unknown(error.why);
    throw error;
  }
}

/** The plan of such a task: one fact, known later. Without it the fact would be undefined for those who use it. */
export function later(fact: string, why: Unknown): Plan {
  return { steps: [], result: result(false, { ansible_facts: new Map<Value, Value>([[fact, why]]) }) };
}
