import { pyRepr } from '../jinja/index.ts';
import { LazyDict, Tuple, Undefined, Unknown, type Value } from '../jinja/values.ts';
import { type Instance, unknown } from './instance.ts';
import { failedOutcome, type Outcome, pendingOutcome, skippedOutcome, unknownOutcome } from './outcome.ts';
import { Interruption, type Turn } from './turn.ts';
import { looked } from './with.ts';

export type Items = { list: readonly Value[] } | { outcome: Outcome } | { turn: Turn };

/**
 * The items of a loop. A list that cannot be rendered, or waits, is no matter where `when` is false without an item;
 * in a look-ahead it is simply not known yet.
 */
export function loopItems(instance: Instance): Items {
  try {
    return judged(looked(instance), instance);
  } catch (error) {
    if (error instanceof Interruption) return { turn: error.turn };
    if (instance.env.scout) return { outcome: pendingOutcome() };
    if (whenIsFalse(instance)) return { outcome: skippedOutcome('Conditional result was False') };
    if (error instanceof Error) return { outcome: failedOutcome(error.message) };
    throw error;
  }
}

function judged(value: Value, instance: Instance): Items {
  if (value instanceof Unknown) return waiting(value, instance);
  if (value instanceof Undefined) throw new Error(value.hint);
  if (Array.isArray(value)) return { list: value };
  if (value instanceof Tuple) return { list: value.items };
  throw new Error(
    `Invalid data passed to 'loop', it requires a list, got this instead: ${short(value)}. ` +
      'Hint: If you passed a list/dict of just one element, try adding wantlist=True to your lookup invocation or use q/query instead of lookup.',
  );
}

function waiting(value: Unknown, instance: Instance): Items {
  if (instance.env.scout) return { outcome: pendingOutcome() };
  if (whenIsFalse(instance)) return { outcome: skippedOutcome('Conditional result was False') };
  return { outcome: unknownOutcome(unknown(value, instance), [], { results: 'of each item' }) };
}

function whenIsFalse({ env, context, point }: Instance): boolean {
  try {
    return !!context.keywords.when && env.tools.evaluator.condition(context.keywords.when, point) === false;
  } catch {
    return false;
  }
}

function short(value: Value): string {
  return value instanceof LazyDict ? 'a mapping' : String(pyRepr(value)).slice(0, 200);
}
