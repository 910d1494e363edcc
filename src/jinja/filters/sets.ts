import { spend } from '../budget.ts';
import { TemplateError } from '../errors.ts';
import { binary } from '../python/arithmetic.ts';
import { equals, isTrue } from '../python/compare.ts';
import { Dict } from '../python/dict.ts';
import { contains, items } from '../python/sequence.ts';
import { given, keyGetter } from './helpers.ts';
import { type FilterTable, filter, isMapping, type Value } from './types.ts';

export const setFilters: FilterTable = {
  unique: filter('case_sensitive?, attribute?', 'Each item once.', (value, [cases, attribute], context) => {
    const key = keyGetter(attribute, isTrue(cases ?? false), context);
    return given(attribute) || cases === false ? uniqueByKey(items(value), key) : unique(items(value), key);
  }),
  union: filter('b', 'The items of both lists, each once.', (a, [b]) =>
    distinct(hashable(a, b) ? both(a, b!) : joined(a, b!)),
  ),
  intersect: filter('b', 'The items that are in both lists.', (a, [b]) =>
    distinct(items(a).filter((item) => within(item, b!))),
  ),
  difference: filter('b', 'The items that are not in the other list.', (a, [b]) =>
    distinct(items(a).filter((item) => !within(item, b!))),
  ),
  symmetric_difference: filter('b', 'The items that are in one list only.', (a, [b]) => {
    const all = distinct(hashable(a, b) ? both(a, b!) : joined(a, b!));
    return all.filter((item) => !within(item, a) || !within(item, b!));
  }),
};

const both = (a: Value, b: Value): Value[] => [...items(a), ...items(b)];
const joined = (a: Value, b: Value): readonly Value[] => items(binary('+', a, b));
const distinct = (list: readonly Value[]): Value[] => unique(list, (item) => item);
const within = (item: Value, list: Value): boolean => contains(list, item);

/** Strings, tuples and numbers go into Python sets; lists and dicts do not. */
function hashable(a: Value, b: Value | undefined): boolean {
  return [a, b ?? null].every((value) => !Array.isArray(value) && !isMapping(value));
}

/** By hash while all items have one; else by comparing each item with all before it. */
function unique(list: readonly Value[], key: (item: Value) => Value): Value[] {
  try {
    return uniqueByKey(list, key);
  } catch (error) {
    if (!(error instanceof TemplateError) || error.kind === 'limit') throw error;
    return uniqueByComparison(list);
  }
}

function uniqueByKey(list: readonly Value[], key: (item: Value) => Value): Value[] {
  const seen = new Dict();
  for (const item of list) {
    const found = key(item);
    if (!seen.has(found)) seen.set(found, item);
  }
  return [...seen.values()];
}

function uniqueByComparison(list: readonly Value[]): Value[] {
  const result: Value[] = [];
  for (const item of list) {
    spend(result.length);
    if (!result.some((other) => equals(other, item))) result.push(item);
  }
  return result;
}
