import { checkItems, spend } from '../budget.ts';
import { isTrue } from '../python/compare.ts';
import { mappingGet } from '../python/dict.ts';
import { pyRepr } from '../python/repr.ts';
import { items } from '../python/sequence.ts';
import { rawText } from '../python/text.ts';
import { need, shownType } from '../python/types.ts';
import { given, intOf } from './helpers.ts';
import { type FilterTable, filter, isMapping, isString, Tuple, typeError, type Value } from './types.ts';

export const combinationFilters: FilterTable = {
  zip: filter('*lists', 'Tuples of the items at the same place.', (value, { rest }) => {
    const lists = [value, ...rest].map(items);
    return transpose(lists, Math.min(...lists.map((list) => list.length)), null);
  }),
  zip_longest: filter(
    '*lists, **options',
    'As zip, with a filler for the shorter lists.',
    (value, { rest, keywords }) => {
      const lists = [value, ...rest].map(items);
      return transpose(lists, Math.max(...lists.map((list) => list.length)), keywords.get('fillvalue') ?? null);
    },
  ),
  product: filter('*lists, **options', 'All tuples with one item of each list.', (value, { rest, keywords }) => {
    const lists = [value, ...rest].map(items);
    const times = keywords.get('repeat');
    return product(times === undefined ? lists : Array.from({ length: intOf(times, 'repeat') }, () => lists).flat());
  }),
  permutations: filter('r?', 'All orders of so many items.', (value, [count]) => {
    const list = items(value);
    return arrangements(list, given(count) ? intOf(count, 'r') : list.length, true);
  }),
  combinations: filter('r', 'All choices of so many items.', (value, [count]) =>
    arrangements(items(value), intOf(count, 'r'), false),
  ),
  subelements: filter(
    'subelements, skip_missing?',
    'Each item with each entry of a list in it.',
    (value, [path, skip]) => subelements(value, pathOf(path!), isTrue(skip ?? false)),
  ),
};

function transpose(lists: readonly (readonly Value[])[], length: number, fill: Value): Value[] {
  spend(length * lists.length);
  return Array.from({ length }, (_, i) => new Tuple(lists.map((list) => (i < list.length ? list[i]! : fill))));
}

export function product(lists: readonly (readonly Value[])[]): Value[] {
  checkItems(lists.reduce((count, list) => count * list.length, 1));
  const rows = lists.reduce<Value[][]>(
    (found, list) => found.flatMap((row) => list.map((item) => [...row, item])),
    [[]],
  );
  return rows.map((row) => new Tuple(row));
}

function arrangements(list: readonly Value[], count: number, ordered: boolean): Value[] {
  if (count < 0) throw typeError('r must be non-negative');
  checkItems(numberOf(list.length, count, ordered));
  const result: Value[] = [];
  const extend = (chosen: number[]) => {
    spend();
    if (chosen.length === count) {
      result.push(new Tuple(chosen.map((i) => list[i]!)));
      return;
    }
    const start = ordered ? 0 : (chosen.at(-1) ?? -1) + 1;
    for (let i = start; i < list.length; i++) if (!chosen.includes(i)) extend([...chosen, i]);
  };
  if (count <= list.length) extend([]);
  return result;
}

/** How many ways there are to choose so many of so many items, known before the first is made. */
function numberOf(size: number, count: number, ordered: boolean): number {
  let result = 1;
  for (let i = 0; i < Math.min(count, size); i++) result *= ordered ? size - i : (size - i) / (i + 1);
  return result;
}

function pathOf(path: Value): Value[] {
  if (isString(path)) return rawText(path).split('.');
  if (Array.isArray(path)) return path;
  throw typeError('subelements must be a list or a string');
}

export function subelements(value: Value, path: readonly Value[], skipMissing: boolean): Value[] {
  need(value);
  if (!isMapping(value) && !Array.isArray(value)) throw typeError('obj must be a list of dicts or a nested dict');
  const elements = isMapping(value) ? [...value.keys()].map((key) => mappingGet(value, key)!) : value;
  return elements.flatMap((element) => listAt(element, path, skipMissing).map((item) => new Tuple([element, item])));
}

function listAt(element: Value, path: readonly Value[], skipMissing: boolean): Value[] {
  let current = element;
  for (const key of path) {
    need(current);
    if (!isMapping(current))
      throw typeError(`the key ${pyRepr(key)} should point to a dictionary, got ${shownType(current)}`);
    const next = mappingGet(current, key);
    if (next === undefined && skipMissing) return [];
    if (next === undefined) throw typeError(`could not find ${pyRepr(key)} key in iterated item ${pyRepr(current)}`);
    current = next;
  }
  need(current);
  if (!Array.isArray(current))
    throw typeError(`the key ${pyRepr(path.at(-1) ?? null)} should point to a list, got ${shownType(current)}`);
  return current;
}
