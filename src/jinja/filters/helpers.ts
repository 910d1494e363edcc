import { typeError } from '../errors.ts';
import { pyStr } from '../python/repr.ts';
import { rawText, text } from '../python/text.ts';
import { need, shownType } from '../python/types.ts';
import { type Context, isInt, isString, Undefined, Unsafe, type Value } from './types.ts';

/** The characters of an argument that must be a string. */
export function stringOf(value: Value | undefined, what = 'the value'): string {
  if (isString(value)) return text(value);
  need(value ?? null);
  throw typeError(`${what} must be a string, not ${shownType(value ?? null)}`);
}

/** An argument that must be an int, as a number. */
export function intOf(value: Value | undefined, what = 'the value'): number {
  if (isInt(value)) return Number(value);
  need(value ?? null);
  throw typeError(`${what} must be an int, not ${shownType(value ?? null)}`);
}

export const given = (value: Value | undefined): value is Value => value !== undefined && value !== null;

/** Strings in small letters, everything else as it is: how Jinja compares without case. */
export function ignoreCase(value: Value): Value {
  if (typeof value === 'string') return value.toLowerCase();
  return value instanceof Unsafe ? value.text.toLowerCase() : value;
}

/** `a.0.b` as Jinja cuts it: digits are positions. */
export function attributePath(attribute: Value): (string | number)[] {
  if (isInt(attribute)) return [Number(attribute)];
  return rawText(pyStr(attribute))
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** What `attribute=` reads from an item; `fallback` replaces each missing link. */
export function attributeGetter(attribute: Value, context: Context, fallback?: Value): (item: Value) => Value {
  const path = attributePath(attribute);
  return (item) => {
    let current = item;
    for (const part of path) {
      current = context.item(current, part);
      if (current instanceof Undefined && given(fallback)) current = fallback;
    }
    return current;
  };
}

/** The key by which `sort`, `unique`, `min` … look at an item. */
export function keyGetter(
  attribute: Value | undefined,
  caseSensitive: boolean,
  context: Context,
): (item: Value) => Value {
  const read = given(attribute) ? attributeGetter(attribute, context) : (item: Value) => item;
  return caseSensitive ? read : (item) => ignoreCase(read(item));
}
