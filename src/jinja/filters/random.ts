import { PythonRandom } from '../crypto/mersenne.ts';
import { isTrue, numeric } from '../python/compare.ts';
import { iterable } from '../python/sequence.ts';
import { rawText } from '../python/text.ts';
import { need, shownType } from '../python/types.ts';
import { given } from './helpers.ts';
import {
  type Context,
  type FilterTable,
  filter,
  isInt,
  isMapping,
  isString,
  makeInt,
  typeError,
  type Value,
} from './types.ts';

/** A number from 0 to before a limit. */
type Source = (limit: bigint) => bigint;

export const randomFilters: FilterTable = {
  random: filter(
    'start?, step?, seed?',
    'A random item, or number below this one.',
    (value, [start, step, seed], context) => {
      const source = sourceOf(given(seed) ? seed : undefined, context);
      need(value);
      if (isInt(value)) return randomNumber(BigInt(numeric(value)!), start, step, source);
      const list = isMapping(value) ? undefined : iterable(value);
      if (!list) throw typeError('random can only be used on sequences and integers');
      if ([start, step].some((bound) => given(bound) && isTrue(bound))) {
        throw typeError('start and step can only be used with integer values');
      }
      if (list.length === 0) throw typeError('random: the sequence is empty');
      return list[Number(source(BigInt(list.length)))]!;
    },
  ),
  shuffle: filter('seed?', 'The items in random order.', (value, [seed], context) => {
    const list = iterable(value);
    if (!list) return value;
    return shuffled(list, sourceOf(given(seed) && isTrue(seed) ? seed : undefined, context));
  }),
};

function randomNumber(end: bigint, start: Value | undefined, step: Value | undefined, source: Source): Value {
  const from = whole(start, 0n);
  const by = whole(step, 1n);
  const count = (end - from + by - (by > 0n ? 1n : -1n)) / by;
  if (count <= 0n) throw typeError('random: the range is empty');
  return makeInt(from + by * source(count));
}

function whole(value: Value | undefined, absent: bigint): bigint {
  if (!given(value) || !isTrue(value)) return absent;
  if (isInt(value)) return BigInt(numeric(value)!);
  throw typeError('start and step must be whole numbers');
}

/** As Python: from the last item on, each changes places with one before it or itself. */
function shuffled(list: readonly Value[], source: Source): Value[] {
  const result = [...list];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Number(source(BigInt(i + 1)));
    [result[i], result[j]] = [result[j]!, result[i]!];
  }
  return result;
}

/** With a seed the numbers are those of Python's random.Random; without one they come from the environment. */
function sourceOf(seed: Value | undefined, context: Context): Source {
  if (seed === undefined) return (limit) => secureBelow(limit, context);
  if (!isString(seed) && !isInt(seed)) throw typeError(`a seed must be text or a whole number, not ${shownType(seed)}`);
  const random = new PythonRandom(isString(seed) ? rawText(seed) : BigInt(numeric(seed)!));
  return (limit) => random.below(limit);
}

function secureBelow(limit: bigint, context: Context): bigint {
  const bits = limit.toString(2).length;
  const bytes = Math.ceil(bits / 8);
  for (;;) {
    const value =
      BigInt(`0x${Buffer.from(context.env.randomBytes(bytes)).toString('hex')}`) >> BigInt(bytes * 8 - bits);
    if (value < limit) return value;
  }
}
