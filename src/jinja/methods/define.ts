import type { Bound, Signature } from '../environment.ts';
import { markNow, settleMark } from '../python/text.ts';
import { bind, signature } from '../signature.ts';
import { Callable, type CallContext, mergeUnknown, Unknown, UnknownReached, type Value } from '../values.ts';

/** A method that templates may call on values of one type. */
export interface Method<Self> {
  signature: Signature;
  doc: string;
  /** It only stores its arguments, so they may be Unknown. */
  stores?: boolean;
  run(self: Self, args: Bound, context: CallContext): Value;
}

export function method<Self>(parameters: string, doc: string, run: Method<Self>['run']): Method<Self> {
  return { signature: signature(parameters), doc, run };
}

export function storing<Self>(parameters: string, doc: string, run: Method<Self>['run']): Method<Self> {
  return { ...method(parameters, doc, run), stores: true };
}

/** A method of one value, ready to be called. */
export function bound<Self>(name: string, found: Method<Self>, self: Self): Callable {
  const typeName = 'builtin_function_or_method';
  return new Callable(
    name,
    (call, context) => {
      const unknown = found.stores
        ? []
        : [...call.args, ...call.kwargs.values()].filter((value) => value instanceof Unknown);
      if (unknown.length > 0) return unknown.reduce(mergeUnknown);
      return run(found, self, bind(found.signature, call, `the method ${name}`), context);
    },
    typeName,
  );
}

function run<Self>(found: Method<Self>, self: Self, args: Bound, context: CallContext): Value {
  const before = markNow();
  try {
    return settleMark(before, found.run(self, args, context));
  } catch (error) {
    if (error instanceof UnknownReached) return error.unknown;
    throw error;
  }
}
