import type { Context } from '../environment.ts';
import { TemplateError, typeError } from '../errors.ts';
import { product, subelements } from '../filters/combinations.ts';
import { entries, mapping } from '../filters/dicts.ts';
import { flatten, isList } from '../filters/lists.ts';
import { isTrue } from '../python/compare.ts';
import { Dict, mappingGet } from '../python/dict.ts';
import { nearestName } from '../python/nearest.ts';
import { pyStr } from '../python/repr.ts';
import { items } from '../python/sequence.ts';
import { pythonRegex } from '../regex/regex.ts';
import { isMapping, isString, Tuple, Undefined, type Value } from '../values.ts';
import { sequence } from './sequence.ts';

export interface Lookup {
  /** One line for the reference pages. */
  doc: string;
  run(terms: readonly Value[], kwargs: ReadonlyMap<string, Value>, context: Context): Value[];
}

/** Lookups that need nothing but their terms and the variables. */
export const standardLookups: Record<string, Lookup> = {
  items: { doc: 'The terms, lists in them opened once.', run: (terms) => openOnce(terms) },
  list: { doc: 'The terms as they are.', run: (terms) => [...terms] },
  dict: { doc: 'A {key, value} for each entry of the dicts.', run: (terms) => terms.flatMap(keyValues) },
  flattened: { doc: 'The terms, all lists in them opened.', run: (terms) => flatten(terms, Infinity, true) },
  indexed_items: {
    doc: 'Pairs of place and item.',
    run: (terms) => openOnce(terms).map((item, i) => new Tuple([i, item])),
  },
  nested: { doc: 'All combinations with one item of each list.', run: (terms) => nested(terms) },
  cartesian: { doc: 'All combinations with one item of each list.', run: (terms) => nested(terms) },
  together: { doc: 'Lists of the items at the same place.', run: (terms) => together(terms) },
  sequence: { doc: 'Numbers from start to end.', run: (terms) => sequence(terms) },
  subelements: { doc: 'Each item with each entry of a list in it.', run: (terms) => subelementsOf(terms) },
  random_choice: { doc: 'One of the terms.', run: (terms, _, context) => choice(terms, context) },
  vars: { doc: 'The variables of these names.', run: (terms, kwargs, context) => variables(terms, kwargs, context) },
  varnames: { doc: 'The names of variables that match.', run: (terms, _, context) => variableNames(terms, context) },
};

function openOnce(terms: readonly Value[]): Value[] {
  return terms.flatMap((term) => (isList(term) ? [...items(term)] : [term]));
}

function keyValues(term: Value): Value[] {
  return entries(mapping(term, 'with_dict')).map(
    ([key, value]) =>
      new Dict([
        ['key', key],
        ['value', value],
      ]),
  );
}

function nested(terms: readonly Value[]): Value[] {
  if (terms.length === 0) throw typeError('with_nested requires at least one element in the nested list');
  const lists = terms.map((term) => (isList(term) ? items(term) : [term]));
  return product(lists).map((row) => flatten(items(row), 1, false));
}

function together(terms: readonly Value[]): Value[] {
  if (terms.length === 0) throw typeError('with_together requires at least one element in each list');
  const lists = terms.map((term) => (isList(term) ? items(term) : [term]));
  const length = Math.max(...lists.map((list) => list.length));
  return Array.from({ length }, (_, i) => lists.map((list) => list[i] ?? null));
}

function subelementsOf([list, path, flags]: readonly Value[]): Value[] {
  if (list === undefined || path === undefined)
    throw typeError('subelements lookup expects a list of two or three items');
  const skip = isMapping(flags) && isTrue(mappingGet(flags, 'skip_missing') ?? false);
  const present = isMapping(list) ? entries(list).map(([, item]) => item) : [...items(list)];
  const kept = present.filter((item) => !isMapping(item) || !isTrue(mappingGet(item, 'skipped') ?? false));
  const keys = pyStr(path).split('.');
  return subelements(kept, keys, skip).map((pair) => {
    const [element, item] = items(pair);
    return new Tuple([without(element!, keys), item!]);
  });
}

/** The element without the list that was taken from it: unlike the filter, the lookup takes it out. */
function without(element: Value, [first, ...rest]: string[]): Value {
  if (!isMapping(element) || first === undefined) return element;
  const copy = new Dict(entries(element));
  const inner = copy.get(first);
  if (rest.length > 0 && inner !== undefined) copy.set(first, without(inner, rest));
  else copy.delete(first);
  return copy;
}

function choice(terms: readonly Value[], context: Context): Value[] {
  return terms.length === 0 ? [] : [context.filter('random', [...terms], { args: [], kwargs: new Map() })];
}

function variables(terms: readonly Value[], kwargs: ReadonlyMap<string, Value>, context: Context): Value[] {
  const fallback = kwargs.get('default');
  return terms.map((term) => {
    if (!isString(term)) throw typeError(`Invalid setting identifier, "${pyStr(term)}" is not a string`);
    const name = pyStr(term);
    const value = context.scope.get(name);
    if (value !== undefined && !(value instanceof Undefined)) return value;
    if (fallback !== undefined) return fallback;
    const nearest = nearestName(name, context.scope.names());
    throw new TemplateError('undefined', `No variable found with this name: ${name}`, { undefinedName: name, nearest });
  });
}

function variableNames(terms: readonly Value[], context: Context): Value[] {
  const names = [...context.scope.names()];
  return terms.flatMap((term) => {
    const regex = pythonRegex(pyStr(term));
    return names.filter((name) => regex.search(name) !== undefined);
  });
}
