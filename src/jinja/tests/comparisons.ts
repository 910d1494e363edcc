import { aliases, type TestTable, test } from '../definitions.ts';
import { typeError } from '../errors.ts';
import { compareValues } from '../interpreter/comparison.ts';
import { binary } from '../python/arithmetic.ts';
import { equals, isTrue } from '../python/compare.ts';
import { Dict } from '../python/dict.ts';
import { contains, items } from '../python/sequence.ts';
import { rawText } from '../python/text.ts';
import { isString, type Value } from '../values.ts';

const remainder = (value: Value, by: Value) => {
  if (isString(value)) throw typeError(`'${rawText(value)}' is text, not a number`);
  return binary('%', value, by);
};

/** Tests that compare a value with others. */
export const comparisonTests: TestTable = {
  ...aliases(
    '== eq equalto',
    test('other', 'Both are equal.', (a, [b]) => compareValues('==', a, b!)),
  ),
  ...aliases(
    '!= ne',
    test('other', 'Both differ.', (a, [b]) => compareValues('!=', a, b!)),
  ),
  ...aliases(
    '> gt greaterthan',
    test('other', 'It is greater.', (a, [b]) => compareValues('>', a, b!)),
  ),
  ...aliases(
    '>= ge',
    test('other', 'It is greater or equal.', (a, [b]) => compareValues('>=', a, b!)),
  ),
  ...aliases(
    '< lt lessthan',
    test('other', 'It is less.', (a, [b]) => compareValues('<', a, b!)),
  ),
  ...aliases(
    '<= le',
    test('other', 'It is less or equal.', (a, [b]) => compareValues('<=', a, b!)),
  ),
  sameas: test('other', 'Both are one object.', (a, [b]) => a === b || (isString(a) && isString(b) && equals(a, b))),
  in: test('seq', 'It is in a list, dict or text.', (a, [list]) => contains(list!, a)),
  contains: test('value', 'The list, dict or text has it.', (list, [value]) => contains(list, value!)),
  ...aliases(
    'subset issubset',
    test('b', 'All its items are in the other list.', (a, [b]) => within(a, b!)),
  ),
  ...aliases(
    'superset issuperset',
    test('b', 'All items of the other list are in it.', (a, [b]) => within(b!, a)),
  ),
  any: test('', 'One of its items is true.', (value) => items(value).some(isTrue)),
  all: test('', 'All its items are true.', (value) => items(value).every(isTrue)),
  odd: test('', 'It is an odd number.', (value) => equals(remainder(value, 2), 1)),
  even: test('', 'It is an even number.', (value) => equals(remainder(value, 2), 0)),
  divisibleby: test('num', 'The other number divides it.', (value, [by]) => equals(remainder(value, by!), 0)),
};

function within(a: Value, b: Value): boolean {
  const others = new Dict(items(b).map((item) => [item, null]));
  return items(a).every((item) => others.has(item));
}
