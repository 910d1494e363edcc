import { Dict, toPlain } from '../jinja/index.ts';
import { isString, Unknown, Unsafe, type Value } from '../jinja/values.ts';

/** A value as a person reads it: text as it is, the rest as JSON, unknown parts as "(known after …)". */
export function toNiceText(value: Value): string {
  if (isString(value)) return value instanceof Unsafe ? value.text : (value as string);
  return JSON.stringify(toPlain(withoutUnknown(value)), null, 4);
}

/** The value with each Unknown replaced by words, for showing. */
export function withoutUnknown(value: Value): Value {
  return holdsUnknown(value) ? replaced(value) : value;
}

function holdsUnknown(value: Value): boolean {
  if (value instanceof Unknown) return true;
  if (Array.isArray(value)) return value.some(holdsUnknown);
  if (value instanceof Map) for (const item of value.values()) if (holdsUnknown(item)) return true;
  return false;
}

function replaced(value: Value): Value {
  if (value instanceof Unknown) return `(known after ${value.why})`;
  if (Array.isArray(value)) return value.map(replaced);
  if (value instanceof Map) return new Dict([...value].map(([key, item]) => [key, replaced(item)]));
  return value;
}
