import { methodOf } from '../methods/index.ts';
import { pyRepr } from '../python/repr.ts';
import { itemOf } from '../python/sequence.ts';
import { rawText } from '../python/text.ts';
import { shownType } from '../python/types.ts';
import { isMapping, isString, PyObject, Undefined, Unknown, type Value } from '../values.ts';

/** `value.name`: methods and attributes first, then items; Undefined when there is neither. */
export function attributeOf(value: Value, name: string): Value {
  if (value instanceof Undefined || value instanceof Unknown) return value;
  return ownAttribute(value, name) ?? itemOf(value, name) ?? missing(value, name);
}

/** `value[key]`: items first, then methods and attributes; Undefined when there is neither. */
export function subscript(value: Value, key: Value): Value {
  if (value instanceof Undefined || value instanceof Unknown) return value;
  if (key instanceof Unknown) return key;
  const item = itemOf(value, key);
  if (item !== undefined) return item;
  return (isString(key) ? ownAttribute(value, rawText(key)) : undefined) ?? missing(value, key);
}

/** As `subscript`, for the paths of `map(attribute='a.0.b')`. */
export function followPath(value: Value, path: readonly (string | number)[]): Value {
  let current = value;
  for (const key of path) current = subscript(current, key);
  return current;
}

function ownAttribute(value: Value, name: string): Value | undefined {
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
