import { typeError } from '../errors.ts';
import { items } from '../python/sequence.ts';
import { rawText } from '../python/text.ts';
import { noCall } from '../signature.ts';
import type { Arguments } from '../syntax/ast.ts';
import { type CallArguments, isMapping, isString, type Value } from '../values.ts';
import type { Frame } from './frame.ts';
import type { Run } from './run.ts';

/** Evaluates the arguments of a call, with `*list` and `**dict` spread out. */
export function argumentsIn(call: Arguments, frame: Frame, run: Run): CallArguments {
  if (call.args.length === 0 && call.kwargs.length === 0 && !call.spread && !call.keywordSpread) return noCall;
  const args = call.args.map((argument) => run.evaluate(argument, frame));
  if (call.spread) args.push(...items(run.evaluate(call.spread, frame)));
  if (call.kwargs.length === 0 && !call.keywordSpread) return { args, kwargs: noCall.kwargs };
  const kwargs = new Map(call.kwargs.map(({ name, value }) => [name, run.evaluate(value, frame)]));
  if (call.keywordSpread) spreadKeywords(run.evaluate(call.keywordSpread, frame), kwargs);
  return { args, kwargs };
}

function spreadKeywords(value: Value, kwargs: Map<string, Value>) {
  if (!isMapping(value)) throw typeError('argument after ** must be a mapping');
  for (const key of value.keys()) {
    if (!isString(key)) throw typeError('keywords must be strings');
    kwargs.set(rawText(key), value.get(rawText(key))!);
  }
}
