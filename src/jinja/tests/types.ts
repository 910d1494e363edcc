import { aliases, openTest, type TestTable, test } from '../definitions.ts';
import { truthWord } from '../python/booleans.ts';
import { isTrue } from '../python/compare.ts';
import { pyStr } from '../python/repr.ts';
import { iterable, sizeOf } from '../python/sequence.ts';
import { need } from '../python/types.ts';
import {
  Callable,
  Float,
  isFloat,
  isInt,
  isMapping,
  isNumber,
  isString,
  LazyDict,
  PyObject,
  Undefined,
  type Value,
} from '../values.ts';

/** Tests of what kind of value something is. */
export const typeTests: TestTable = {
  defined: openTest('', 'There is such a name or key.', (value) => !(value instanceof Undefined)),
  undefined: openTest('', 'There is no such name or key.', (value) => value instanceof Undefined),
  none: test('', 'It is None.', (value) => value === null),
  boolean: test('', 'It is true or false.', (value) => typeof value === 'boolean'),
  true: test('', 'It is true itself.', (value) => value === true),
  false: test('', 'It is false itself.', (value) => value === false),
  integer: test('', 'It is a whole number.', (value) => isInt(value) && typeof value !== 'boolean'),
  float: test('', 'It is a number with fraction.', (value) => isFloat(value)),
  number: test('', 'It is a number, or a boolean.', (value) => isNumber(value)),
  string: test('', 'It is text.', (value) => isString(value)),
  mapping: test('', 'It is a dict.', (value) => isMapping(value)),
  sequence: test('', 'It has a length and items.', isSequence),
  iterable: test('', 'It can be looped over.', (value) => {
    need(value);
    return iterable(value) !== undefined;
  }),
  callable: test('', 'It can be called.', (value) => value instanceof Callable),
  escaped: test('', 'It is marked as HTML; nothing is here.', () => false),
  lower: test('', 'All its letters are small.', (value) => isCase(value, (s) => s.toLowerCase())),
  upper: test('', 'All its letters are large.', (value) => isCase(value, (s) => s.toUpperCase())),
  truthy: test('convert_bool?', 'It counts as true.', (value, [convert]) => truth(value, convert)),
  falsy: test('convert_bool?', 'It counts as false.', (value, [convert]) => !truth(value, convert)),
  ...aliases(
    'nan isnan',
    test('', 'It is no number that can be named.', (value) => isNumber(value) && Number.isNaN(asNumber(value))),
  ),
};

function isSequence(value: Value): boolean {
  if (value instanceof Undefined || value instanceof Callable) return false;
  if (value instanceof PyObject) return value.length() !== undefined && value.item(0) !== undefined;
  return value instanceof LazyDict || sizeOf(value) !== undefined;
}

function isCase(value: Value, convert: (s: string) => string): boolean {
  const text = pyStr(value);
  return text === convert(text) && text.toLowerCase() !== text.toUpperCase();
}

function truth(value: Value, convert: Value | undefined): boolean {
  const word = isTrue(convert ?? false) ? truthWord(value) : undefined;
  return word ?? isTrue(value);
}

function asNumber(value: Value): number {
  return value instanceof Float ? value.value : Number(value);
}
