import {
  type Callable,
  isMapping,
  isString,
  LazyDict,
  type PyDict,
  Tuple,
  type Unsafe,
  type Value,
} from '../values.ts';
import { bound, type Method } from './define.ts';
import { dictMethods } from './dicts.ts';
import { listMethods, tupleMethods } from './lists.ts';
import { stringTests } from './string-tests.ts';
import { stringMethods } from './strings.ts';

/** The methods of each type, for the reference pages: nothing else can be called on a value. */
export const methods = {
  str: new Map<string, Method<string | Unsafe>>(Object.entries({ ...stringMethods, ...stringTests })),
  dict: new Map<string, Method<PyDict>>(Object.entries(dictMethods)),
  list: new Map<string, Method<Value[]>>(Object.entries(listMethods)),
  tuple: new Map<string, Method<readonly Value[]>>(Object.entries(tupleMethods)),
};

const lazyDictMethods = new Set(['get', 'items', 'keys', 'values']);

/** The method of this name, bound to the value; undefined when its type has none. */
export function methodOf(value: Value, name: string): Callable | undefined {
  if (isString(value)) return find(methods.str, name, value);
  if (Array.isArray(value)) return find(methods.list, name, value);
  if (value instanceof Tuple) return find(methods.tuple, name, value.items);
  if (!isMapping(value) || (value instanceof LazyDict && !lazyDictMethods.has(name))) return undefined;
  return find(methods.dict, name, value as PyDict);
}

function find<Self>(table: Map<string, Method<Self>>, name: string, self: Self): Callable | undefined {
  const found = table.get(name);
  return found && bound(name, found, self);
}
