import { equals, isTrue } from '../python/compare.ts';
import { Dict, mappingGet } from '../python/dict.ts';
import { pyRepr } from '../python/repr.ts';
import { items } from '../python/sequence.ts';
import { sorted } from '../python/sort.ts';
import { rawText } from '../python/text.ts';
import { need, shownType } from '../python/types.ts';
import { ignoreCase, stringOf } from './helpers.ts';
import { flatten, isList } from './lists.ts';
import {
  type FilterTable,
  filter,
  isMapping,
  isString,
  type LazyDict,
  type PyDict,
  Tuple,
  typeError,
  Undefined,
  type Value,
} from './types.ts';

type Mapping = PyDict | LazyDict;

export const dictFilters: FilterTable = {
  dict2items: filter(
    'key_name?, value_name?',
    'A list of {key, value}.',
    (value, [keyName = 'key', valueName = 'value']) =>
      entries(mapping(value, 'dict2items')).map(
        ([key, item]) =>
          new Dict([
            [keyName, key],
            [valueName, item],
          ]),
      ),
  ),
  items2dict: filter(
    'key_name?, value_name?',
    'A dict of a list of {key, value}.',
    (value, [keyName = 'key', valueName = 'value']) => fromItems(value, keyName, valueName),
  ),
  items: filter('', 'Pairs of key and value.', (value) => {
    if (value instanceof Undefined) return [];
    return entries(mapping(value, 'items')).map((entry) => new Tuple(entry));
  }),
  dictsort: filter(
    'case_sensitive?, by?, reverse?',
    'Pairs of key and value in order.',
    (value, [cases, by = 'key', reverse]) => {
      const at = ['key', 'value'].indexOf(stringOf(by, 'by'));
      if (at < 0) throw typeError('You can only sort by either "key" or "value"');
      const key = ([...pair]: readonly [Value, Value]) => (isTrue(cases ?? false) ? pair[at]! : ignoreCase(pair[at]!));
      return sorted(entries(mapping(value, 'dictsort')), key, isTrue(reverse ?? false)).map((pair) => new Tuple(pair));
    },
  ),
  combine: filter('*dicts, **options', 'One dict of several; later ones win.', (value, args) =>
    combine(value, args.rest, args.keywords),
  ),
  rekey_on_member: filter(
    'key, duplicates?',
    'A dict of dicts by one of their members.',
    (value, [key, duplicates = 'error']) => rekey(value, key!, stringOf(duplicates, 'duplicates')),
  ),
};

export function mapping(value: Value, what: string): Mapping {
  if (isMapping(value)) return value;
  need(value);
  throw typeError(`${what} requires a dictionary, got ${shownType(value)} instead.`);
}

export function entries(dict: Mapping): [Value, Value][] {
  return [...dict.keys()].map((key) => [key, mappingGet(dict, key)!]);
}

function fromItems(value: Value, keyName: Value, valueName: Value): Value {
  need(value);
  if (!isList(value)) throw typeError(`items2dict requires a list, got ${shownType(value)} instead.`);
  return new Dict(
    items(value).map((item) => {
      const pair = mapping(item, 'items2dict');
      return [member(pair, keyName), member(pair, valueName)];
    }),
  );
}

function member(dict: Mapping, key: Value): Value {
  const value = mappingGet(dict, key);
  if (value === undefined) throw typeError(`items2dict: ${pyRepr(dict)} has no key ${pyRepr(key)}`);
  return value;
}

type ListMerge = 'replace' | 'keep' | 'append' | 'prepend' | 'append_rp' | 'prepend_rp';
const listMerges = ['replace', 'keep', 'append', 'prepend', 'append_rp', 'prepend_rp'];

function combine(value: Value, others: readonly Value[], options: ReadonlyMap<string, Value>): Value {
  const { recursive, listMerge } = combineOptions(options);
  const dicts = flatten([value, ...others], 1, true);
  dicts.forEach(needAll);
  if (dicts.length === 0) return new Dict();
  if (dicts.length === 1) return dicts[0]!;
  return dicts
    .map((dict) => mapping(dict, 'combine'))
    .reduce((low, high) => merge(low, high, recursive, listMerge)) as Value;
}

/** Refuses what is undefined anywhere in the dicts; Unknown items may stay. */
function needAll(value: Value): void {
  if (value instanceof Undefined) need(value);
  if (Array.isArray(value)) value.forEach(needAll);
  if (value instanceof Map) value.forEach(needAll);
}

function combineOptions(options: ReadonlyMap<string, Value>) {
  const unknown = [...options.keys()].filter((name) => name !== 'recursive' && name !== 'list_merge');
  if (unknown.length > 0) throw typeError("'recursive' and 'list_merge' are the only valid keyword arguments");
  const listMerge = rawText(stringOf(options.get('list_merge') ?? 'replace', 'list_merge'));
  if (!listMerges.includes(listMerge)) throw typeError(`combine: list_merge must be one of ${listMerges.join(', ')}`);
  return { recursive: isTrue(options.get('recursive') ?? false), listMerge: listMerge as ListMerge };
}

function merge(low: Mapping, high: Mapping, recursive: boolean, listMerge: ListMerge): PyDict {
  if (equals(low, high)) return new Dict(entries(high));
  const result = new Dict(entries(low));
  for (const [key, value] of entries(high)) {
    const old = result.get(key);
    result.set(key, old === undefined ? value : mergeValues(old, value, recursive, listMerge));
  }
  return result;
}

function mergeValues(old: Value, value: Value, recursive: boolean, listMerge: ListMerge): Value {
  if (isMapping(old) && isMapping(value)) return recursive ? merge(old, value, recursive, listMerge) : value;
  return Array.isArray(old) && Array.isArray(value) ? mergeLists(old, value, listMerge) : value;
}

/** `_rp`: an item of the old list that the new one has too stands at the new one's place. */
function mergeLists(old: Value[], added: Value[], listMerge: ListMerge): Value[] {
  const kept = () => old.filter((item) => !added.some((other) => equals(item, other)));
  switch (listMerge) {
    case 'replace':
      return added;
    case 'keep':
      return old;
    case 'append':
      return [...old, ...added];
    case 'prepend':
      return [...added, ...old];
    case 'append_rp':
      return [...kept(), ...added];
    case 'prepend_rp':
      return [...added, ...kept()];
  }
}

function rekey(value: Value, key: Value, duplicates: string): Value {
  if (!['error', 'overwrite'].includes(duplicates))
    throw typeError(`rekey_on_member: duplicates cannot be '${duplicates}'`);
  const list = isMapping(value) ? entries(value).map(([, item]) => item) : isString(value) ? [] : items(value);
  const result = new Dict();
  for (const item of list) {
    const name = mappingGet(mapping(item, 'rekey_on_member'), key);
    if (name === undefined) throw typeError(`Key ${pyRepr(key)} was not found`);
    if (duplicates === 'error' && result.has(name))
      throw typeError(`Key ${pyRepr(name)} is not unique, cannot correctly turn into dict`);
    result.set(name, item);
  }
  return result;
}
