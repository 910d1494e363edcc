import { limitError } from '../errors.ts';
import { humanReadable, humanToBytes } from '../formats/human.ts';
import { negate } from '../python/arithmetic.ts';
import { isTrue, numeric, order } from '../python/compare.ts';
import { fixed } from '../python/floats.ts';
import { round, toFloat } from '../python/numbers.ts';
import { pyRepr } from '../python/repr.ts';
import { need, shownType } from '../python/types.ts';
import { given, intOf, stringOf } from './helpers.ts';
import { type FilterTable, filter, isInt, isNumber, makeFloat, makeInt, typeError, type Value } from './types.ts';

export const numberFilters: FilterTable = {
  abs: filter('', 'The number without its sign.', (value) => {
    number(value, 'abs');
    return order(value, 0) < 0 || Object.is(numeric(value), -0)
      ? negate(value)
      : isInt(value)
        ? numeric(value)!
        : value;
  }),
  round: filter(
    'precision?, method?',
    'The number with so many digits behind the point.',
    (value, [precision = 0, method = 'common']) =>
      rounded(value, intOf(precision, 'precision'), stringOf(method, 'method')),
  ),
  log: filter('base?', 'The logarithm.', (value, [base]) => makeFloat(logarithm(number(value, 'log'), base))),
  pow: filter('y', 'The power.', (value, [exponent]) => makeFloat(number(value, 'pow') ** number(exponent!, 'pow'))),
  root: filter('base?', 'The square root, or another.', (value, [base = 2]) => {
    const radicand = number(value, 'root');
    if (radicand < 0) throw typeError('root() can only be used on numbers: math domain error');
    return makeFloat(number(base, 'root') === 2 ? Math.sqrt(radicand) : radicand ** (1 / number(base, 'root')));
  }),
  human_readable: filter('isbits?, unit?', 'A size in words: 1.00 KB.', (value, [bits = false, unit]) =>
    humanReadable(number(value, 'human_readable'), isTrue(bits), given(unit) ? stringOf(unit, 'unit') : undefined),
  ),
  human_to_bytes: filter(
    'default_unit?, isbits?',
    'The number of bytes in words such as 1 KB.',
    (value, [unit, bits = false]) =>
      makeInt(
        BigInt(
          humanToBytes(
            isNumber(value) ? pyRepr(value) : stringOf(value),
            given(unit) ? stringOf(unit) : undefined,
            isTrue(bits),
          ),
        ),
      ),
  ),
  filesizeformat: filter('binary?', 'A size for people: 1.0 kB.', (value, [binary = false]) => {
    const bytes = toFloat(value);
    if (bytes === undefined) throw typeError(`could not convert ${pyRepr(value)} to float`);
    return fileSize(bytes, isTrue(binary));
  }),
};

function number(value: Value, what: string): number {
  need(value);
  if (isNumber(value)) return Number(numeric(value));
  throw typeError(`${what}() can only be used on numbers, not ${shownType(value)}`);
}

function rounded(value: Value, precision: number, method: string): Value {
  if (!['common', 'ceil', 'floor'].includes(method)) throw typeError('method must be common, ceil or floor');
  const plain = number(value, 'round');
  if (Math.abs(precision) > 300) throw limitError('round: the precision is out of range');
  if (method !== 'common') {
    const whole = (method === 'ceil' ? Math.ceil : Math.floor)(plain * 10 ** precision) + 0; // an int has no -0
    return makeFloat(whole / 10 ** precision);
  }
  if (!isInt(value)) return makeFloat(round(plain, precision));
  return precision >= 0 ? numeric(value)! : roundInt(BigInt(numeric(value)!), 10n ** BigInt(-precision));
}

/** To even on ties. */
function roundInt(value: bigint, unit: bigint): Value {
  const rest = ((value % unit) + unit) % unit;
  const low = value - rest;
  const up = rest * 2n > unit || (rest * 2n === unit && (low / unit) % 2n !== 0n);
  return makeInt(up ? low + unit : low);
}

function logarithm(value: number, base: Value | undefined): number {
  if (value <= 0) throw typeError('log() can only be used on numbers: math domain error');
  if (base === undefined) return Math.log(value);
  const by = number(base, 'log');
  return by === 10 ? Math.log10(value) : Math.log(value) / Math.log(by);
}

function fileSize(bytes: number, binary: boolean): string {
  if (bytes === 1) return '1 Byte';
  const base = binary ? 1024 : 1000;
  if (bytes < base) return `${Math.trunc(bytes)} Bytes`;
  const letters = ['k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];
  const at = letters.findIndex((_, i) => bytes < base ** (i + 2));
  const index = at < 0 ? letters.length - 1 : at;
  const shown = fixed((base * bytes) / base ** (index + 2), 1);
  const letter = letters[index]!;
  return `${shown} ${binary ? `${letter.toUpperCase()}i` : letter}B`;
}
