import { typeError } from '../errors.ts';
import { Float, isMapping, LazyDict, PyObject, Tuple, Unknown, Unsafe, type Value } from '../values.ts';
import { Dict, mappingGet } from './dict.ts';
import { pyStr } from './repr.ts';
import { iterable } from './sequence.ts';
import { need } from './types.ts';

/** A value from JSON-like JavaScript: objects and Maps become dicts, undefined None, values stay as they are. */
export function fromPlain(plain: unknown): Value {
  if (plain === undefined || plain === null) return null;
  if (Array.isArray(plain)) return plain.map(fromPlain);
  if (typeof plain !== 'object') return primitive(plain);
  if (plain instanceof Map) return new Dict([...plain].map(([key, value]) => [fromPlain(key), fromPlain(value)]));
  if (isValueObject(plain)) return plain;
  return new Dict(Object.entries(plain).map(([key, value]) => [key, fromPlain(value)]));
}

function primitive(plain: unknown): Value {
  if (typeof plain === 'function' || typeof plain === 'symbol') throw typeError(`a ${typeof plain} is no value`);
  return plain as Value;
}

function isValueObject(plain: object): plain is Unsafe {
  return [Float, Unsafe, Tuple, Unknown, LazyDict, PyObject].some((type) => plain instanceof type);
}

/** JSON-like JavaScript from a value: dicts become objects, Float and Unsafe lose their class. Throws for Unknown. */
export function toPlain(value: Value): unknown {
  need(value);
  if (value instanceof Unsafe) return value.text;
  if (value instanceof Float) return value.value;
  if (isMapping(value)) return plainObject([...value.keys()].map((key) => [key, mappingGet(value, key)!]));
  const list = typeof value === 'object' ? iterable(value) : undefined;
  if (list) return list.map(toPlain);
  return value instanceof PyObject ? value.str() : value;
}

/** `__proto__` must become a key like any other. */
function plainObject(entries: [Value, Value][]): object {
  const result: Record<string, unknown> = {};
  for (const [key, item] of entries) {
    const [name, value] = [pyStr(key), toPlain(item)];
    if (name !== '__proto__') result[name] = value;
    else Object.defineProperty(result, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return result;
}
