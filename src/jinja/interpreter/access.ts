import { methodOf } from '../methods/index.ts';
import { pyRepr } from '../python/repr.ts';
import { itemOf } from '../python/sequence.ts';
import { rawText } from '../python/text.ts';
import { shownType, undefinedError } from '../python/types.ts';
import { isMapping, isString, PyObject, Tuple, Undefined, Unknown, type Value } from '../values.ts';

/** `value.name`: methods and attributes first, then items; Undefined when there is neither. */
export function attributeOf(value: Value, name: string): Value {
  if (value instanceof Undefined || value instanceof Unknown) return chained(value);
  const own = attributeOrMethod(value, name);
  if (own !== undefined) return own;
  const item = itemOf(value, name);
  return item === undefined ? missing(value, name) : item;
}

/** `value[key]`: items first, then methods and attributes; Undefined when there is neither. */
export function subscript(value: Value, key: Value): Value {
  if (value instanceof Undefined || value instanceof Unknown) return chained(value);
  if (key instanceof Unknown) return key;
  const item = itemOf(value, key);
  if (item !== undefined) return item;
  const own = isString(key) ? attributeOrMethod(value, rawText(key)) : undefined;
  return own === undefined ? missing(value, key) : own;
}

function chained(value: Undefined | Unknown): Value {
  if (value instanceof Undefined && value.isSoft) throw undefinedError(value);
  return value;
}

/** What a value has under a name without being asked for an item. */
export function attributeOrMethod(value: Value, name: string): Value | undefined {
  if (value instanceof Tuple && value.names.includes(name)) return value.items[value.names.indexOf(name)];
  if (value instanceof PyObject) return value.attribute(name);
  return methodOf(value, name);
}

export function missing(value: Value, key: Value): Undefined {
  if (!isString(key)) return new Undefined(pyRepr(key), `${shownType(value)} object has no element ${pyRepr(key)}`);
  const name = rawText(key);
  const owner = value === null ? 'None' : `'${shownType(value)} object'`;
  return new Undefined(name, `${owner} has no attribute ${pyRepr(name)}`, () => keysOf(value));
}

function keysOf(value: Value): string[] {
  return isMapping(value) ? [...value.keys()].filter(isString).map(rawText) : [];
}
