import type { Context } from '../environment.ts';
import { callLookup } from '../lookups/call.ts';
import { DateTime } from '../objects/datetime.ts';
import { momentOf } from '../python/calendar.ts';
import { isTrue } from '../python/compare.ts';
import { pyStr } from '../python/repr.ts';
import { strftime } from '../python/strftime.ts';
import { bind, signature } from '../signature.ts';
import { type CallArguments, Callable, type CallContext, type Value } from '../values.ts';

const query = (call: CallArguments, context: CallContext) => callLookup(call, context as Context, true);

/** Functions that ask the environment. */
export const environmentFunctions: [string, Callable][] = [
  ['lookup', new Callable('lookup', (call, context) => callLookup(call, context as Context, false))],
  ['query', new Callable('query', query)],
  ['q', new Callable('q', query)],
  ['now', new Callable('now', (call, context) => now(call, context as Context))],
];

const nowSignature = signature('utc?, fmt?');

function now(call: CallArguments, context: Context): Value {
  const [utc = false, format] = bind(nowSignature, call, 'now()');
  const moment = { ...momentOf(context.env.now(), isTrue(utc)), offset: undefined, zone: undefined };
  return format !== undefined && isTrue(format) ? strftime(pyStr(format), moment) : new DateTime(moment);
}
