import type { Bound } from '../environment.ts';
import { typeError } from '../errors.ts';
import { entriesOf } from '../methods/dicts.ts';
import { Cycler, Joiner } from '../objects/cycler.ts';
import { Namespace } from '../objects/namespace.ts';
import { Range } from '../objects/range.ts';
import { Dict } from '../python/dict.ts';
import { pyStr } from '../python/repr.ts';
import { shownType } from '../python/types.ts';
import { bind, signature } from '../signature.ts';
import { type CallArguments, Callable, isInt, Undefined, Unknown, UnknownReached, type Value } from '../values.ts';

/** A function that takes its arguments as they are, Unknown included. */
function open(name: string, parameters: string, run: (args: Bound) => Value): [string, Callable] {
  const shape = signature(parameters);
  return [name, new Callable(name, (call: CallArguments) => run(bind(shape, call, `${name}()`)))];
}

/** The functions that every template can call. */
export const functions: [string, Callable][] = [
  open('range', 'start, stop?, step?', ([start, stop, step]) => range(start!, stop, step)),
  open(
    'dict',
    'entries?, **more',
    (args) => new Dict([...(args[0] === undefined ? [] : entriesOf(args[0])), ...args.keywords]),
  ),
  open('namespace', 'entries?, **more', (args) => {
    const result = new Namespace();
    for (const [key, value] of [...(args[0] === undefined ? [] : entriesOf(args[0])), ...args.keywords]) {
      result.attributes.set(key, value);
    }
    return result;
  }),
  open('cycler', '*items', ({ rest }) => new Cycler(rest)),
  open('joiner', 'sep?', ([separator = ', ']) => new Joiner(separator)),
  open('undef', 'hint?', ([hint]) => {
    const usable = hint !== undefined && hint !== null && hint !== '' && !(hint instanceof Undefined);
    return new Undefined('', usable ? pyStr(hint) : 'Mandatory variable has not been overridden');
  }),
];

function range(first: Value, second: Value | undefined, third: Value | undefined): Value {
  const [start, stop] = second === undefined ? [0, whole(first)] : [whole(first), whole(second)];
  const step = third === undefined ? 1 : whole(third);
  if (step === 0) throw typeError('range() arg 3 must not be zero');
  return new Range(start, stop, step);
}

function whole(value: Value): number {
  if (value instanceof Unknown) throw new UnknownReached(value);
  if (isInt(value)) return Number(value);
  throw typeError(`'${shownType(value)}' object cannot be interpreted as an integer`);
}
