import { spend } from '../budget.ts';
import { binary } from '../python/arithmetic.ts';
import { equals, isTrue, order } from '../python/compare.ts';
import { items } from '../python/sequence.ts';
import { sorted } from '../python/sort.ts';
import { characters, text } from '../python/text.ts';
import { need } from '../python/types.ts';
import { attributeGetter, given, intOf, keyGetter } from './helpers.ts';
import { type Context, type FilterTable, filter, isString, Tuple, typeError, Undefined, type Value } from './types.ts';

export const listFilters: FilterTable = {
  list: filter('', 'The items in a list.', (value) => [...items(value)]),
  first: filter('', 'The first item.', (value) => itemOr(items(value)[0], 'first')),
  last: filter('', 'The last item.', (value) => itemOr(items(value).at(-1), 'last')),
  reverse: filter('', 'The items, or the characters, from last to first.', (value) =>
    isString(value) ? characters(text(value)).reverse().join('') : [...items(value)].reverse(),
  ),
  sort: filter(
    'reverse?, case_sensitive?, attribute?',
    'The items in order.',
    (value, [reverse, cases, attribute], context) =>
      sorted(items(value), multiKey(attribute, isTrue(cases ?? false), context), isTrue(reverse ?? false)),
  ),
  min: filter('case_sensitive?, attribute?', 'The smallest item.', (value, args, context) =>
    extreme(value, args, context, 1),
  ),
  max: filter('case_sensitive?, attribute?', 'The largest item.', (value, args, context) =>
    extreme(value, args, context, -1),
  ),
  sum: filter('attribute?, start?', 'The sum of the items.', (value, [attribute, start = 0], context) => {
    const read = given(attribute) ? attributeGetter(attribute, context) : (item: Value) => item;
    if (isString(start)) throw typeError("sum() can't sum strings [use ''.join(seq) instead]");
    return items(value).reduce<Value>((total, item) => binary('+', total, read(item)), start);
  }),
  batch: filter('linecount, fill_with?', 'Lists of so many items each.', (value, [count, fill]) =>
    batches(items(value), intOf(count, 'linecount'), fill),
  ),
  slice: filter('slices, fill_with?', 'So many lists of nearly equal length.', (value, [count, fill]) =>
    slices(items(value), intOf(count, 'slices'), fill),
  ),
  flatten: filter('levels?, skip_nulls?', 'The items of the lists in a list.', (value, [levels, skip = true]) =>
    flatten(items(value), given(levels) ? intOf(levels, 'levels') : Infinity, isTrue(skip)),
  ),
  groupby: filter(
    'attribute, default?, case_sensitive?',
    'Pairs of a value and the items that have it.',
    (value, args, context) => groupBy(value, args, context),
  ),
  extract: filter(
    'container, morekeys?',
    'What a container has under this key.',
    (value, [container, more], context) => {
      const keys = Array.isArray(more) ? [value, ...more] : given(more) ? [value, more] : [value];
      return keys.reduce((current, key) => context.item(current, key), container!);
    },
  ),
};

function itemOr(item: Value | undefined, which: string): Value {
  return item === undefined ? new Undefined(which, `No ${which} item, sequence was empty.`) : item;
}

/** `attribute='a,b'` sorts by several. */
function multiKey(attribute: Value | undefined, caseSensitive: boolean, context: Context): (item: Value) => Value {
  if (!isString(attribute) || !text(attribute).includes(',')) return keyGetter(attribute, caseSensitive, context);
  const getters = text(attribute)
    .split(',')
    .map((part) => keyGetter(part, caseSensitive, context));
  return (item) => getters.map((read) => read(item));
}

function extreme(
  value: Value,
  [cases, attribute]: readonly (Value | undefined)[],
  context: Context,
  sign: 1 | -1,
): Value {
  const read = keyGetter(attribute, isTrue(cases ?? false), context);
  const [first, ...others] = items(value);
  if (first === undefined) return new Undefined('', 'No aggregated item, sequence was empty.');
  return others.reduce(
    (best, item) => (order(read(item), read(best), sign > 0 ? '<' : '>') * sign < 0 ? item : best),
    first,
  );
}

function batches(list: readonly Value[], size: number, fill: Value | undefined): Value[] {
  if (size < 1) throw typeError('batch: the number of items must be positive');
  const result: Value[][] = [];
  for (let i = 0; i < list.length; i += size) result.push(list.slice(i, i + size));
  const last = result.at(-1);
  while (last && given(fill) && last.length < size) {
    spend();
    last.push(fill);
  }
  return result;
}

function slices(list: readonly Value[], count: number, fill: Value | undefined): Value[] {
  if (count < 1) throw typeError('slice: the number of lists must be positive');
  spend(count);
  const size = Math.floor(list.length / count);
  const longer = list.length % count;
  return Array.from({ length: count }, (_, i) => {
    const start = i * size + Math.min(i, longer);
    const part = list.slice(start, start + size + (i < longer ? 1 : 0));
    return given(fill) && i >= longer ? [...part, fill] : part;
  });
}

export function flatten(list: readonly Value[], levels: number, skipNulls: boolean): Value[] {
  const result: Value[] = [];
  for (const item of list) {
    spend();
    if (skipNulls) need(item);
    if (skipNulls && isNull(item)) continue;
    if (isList(item) && levels >= 1) result.push(...flatten(items(item), levels - 1, skipNulls));
    else result.push(item);
  }
  return result;
}

const isNull = (item: Value) =>
  item === null || (isString(item) && ['None', 'null'].some((word) => equals(item, word)));

export function isList(value: Value): value is Value[] | Tuple {
  return Array.isArray(value) || value instanceof Tuple;
}

function groupBy(value: Value, [attribute, fallback, cases]: readonly (Value | undefined)[], context: Context): Value {
  const read = attributeGetter(attribute!, context, fallback);
  const key = isTrue(cases ?? false) ? read : keyOf(read, context);
  const groups: { key: Value; items: Value[] }[] = [];
  for (const item of sorted(items(value), key)) {
    const current = groups.at(-1);
    if (current && equals(current.key, key(item))) current.items.push(item);
    else groups.push({ key: key(item), items: [item] });
  }
  return groups.map((group) => new Tuple([read(group.items[0]!), group.items], ['grouper', 'list']));
}

function keyOf(read: (item: Value) => Value, context: Context) {
  const lower = keyGetter(undefined, false, context);
  return (item: Value) => lower(read(item));
}
