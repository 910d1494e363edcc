import { attributeOrMethod, missing } from '../interpreter/access.ts';
import { equals, isTrue } from '../python/compare.ts';
import { toFloat, toInt } from '../python/numbers.ts';
import { pyStr } from '../python/repr.ts';
import { length } from '../python/sequence.ts';
import { need, typeName } from '../python/types.ts';
import { given, ignoreCase, intOf, stringOf } from './helpers.ts';
import {
  type FilterTable,
  filter,
  isString,
  makeFloat,
  openFilter,
  typeError,
  Undefined,
  Unknown,
  UnknownReached,
  type Value,
} from './types.ts';

const orDefault = openFilter(
  'default_value?, boolean?',
  'The value, or another when it is undefined (or false).',
  (value, args) => {
    const [fallback = '', boolean = false] = args;
    if (value instanceof Unknown) return value;
    if (value instanceof Undefined) return fallback;
    return isTrue(boolean) && !isTrue(value) ? fallback : value;
  },
);

const size = filter('', 'The number of items, entries or characters.', (value) => length(value));

export const basicFilters: FilterTable = {
  default: orDefault,
  d: orDefault,
  length: size,
  count: size,
  bool: filter('', 'true for yes, on, 1 and true in any case; other text is false.', toBool),
  int: filter(
    'default?, base?',
    'A whole number, `default` (0) when it is none.',
    (value, [fallback = 0, base]) => toInt(value, given(base) ? intOf(base, 'base') : 10) ?? fallback,
  ),
  float: filter('default?', 'A number with fraction, `default` (0.0) when it is none.', (value, [fallback]) => {
    const number = toFloat(value);
    if (number !== undefined) return makeFloat(number);
    return fallback === undefined ? makeFloat(0) : fallback;
  }),
  string: filter('', 'The text of the value.', (value) => pyStr(value)),
  mandatory: openFilter('msg?', 'The value; an error when it is undefined.', (value, [message]) => {
    if (!(value instanceof Undefined)) return value;
    throw typeError(given(message) ? pyStr(message) : `Mandatory variable '${value.name}' not defined.`);
  }),
  ternary: openFilter(
    'true_val, false_val, none_val?',
    'One of two values by the truth of this one.',
    (value, args) => {
      if (value instanceof Unknown) throw new UnknownReached(value);
      need(value);
      if (value === null && given(args[2])) return args[2];
      return isTrue(value) ? args[0]! : args[1]!;
    },
  ),
  attr: filter('name', 'An attribute of an object, not an item.', (value, [name]) =>
    ownAttribute(value, stringOf(name, 'name')),
  ),
  type_debug: openFilter('', "The name of the value's type.", (value) => {
    if (value instanceof Unknown) return value;
    return typeName(value);
  }),
};

const trueWords = ['yes', 'on', '1', 'true'];

export function toBool(value: Value): Value {
  if (value === null || typeof value === 'boolean') return value;
  need(value);
  const plain = ignoreCase(value);
  return isString(plain) ? trueWords.includes(plain as string) : equals(plain, 1);
}

function ownAttribute(value: Value, name: string): Value {
  if (value instanceof Undefined) return value;
  const found = attributeOrMethod(value, name);
  return found === undefined ? missing(value, name) : found;
}
