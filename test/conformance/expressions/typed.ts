import {
  Float,
  isMapping,
  isString,
  PyObject,
  Tuple,
  Undefined,
  Unsafe,
  type Value,
} from '../../../src/jinja/index.ts';

/** JSON, where what JSON cannot say has a tag: {float: repr}, {int: digits}, {tuple: []}, {dict: [[key, value]]}. */
export type Typed = null | boolean | number | string | Typed[] | { [tag: string]: unknown };

export function toTyped(value: Value): Typed {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint') return { int: String(value) };
  if (typeof value === 'number') return Number.isInteger(value) ? value : { float: floatText(value) };
  if (value instanceof Float) return { float: floatText(value.value) };
  if (Array.isArray(value)) return value.map(toTyped);
  if (value instanceof Tuple) return { tuple: value.items.map(toTyped) };
  if (isMapping(value))
    return { dict: [...value.keys()].map((key) => [toTyped(key), toTyped(value.get(key as string)!)]) };
  return rare(value);
}

function rare(value: Value): Typed {
  if (isString(value)) return (value as Unsafe).text;
  if (value instanceof Undefined) return { undefined: true };
  if (value instanceof PyObject && value.typeName === 'datetime') return { datetime: value.str() };
  if (value instanceof PyObject && value.typeName === 'timedelta') {
    return { timedelta: Number((value as PyObject & { seconds: number }).seconds) };
  }
  return { [(value as PyObject).typeName ?? 'object']: true };
}

/** Unsafe strings are tagged only on the way to the oracle: it marks whole results, kpush single strings. */
export function forOracle(value: Value): Typed {
  if (value instanceof Unsafe) return { unsafe: value.text };
  if (Array.isArray(value)) return value.map(forOracle);
  if (value instanceof Map) return { dict: [...value].map(([key, item]) => [forOracle(key), forOracle(item)]) };
  return toTyped(value);
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return Object.is(value, -0) ? '-0.0' : String(value);
}

/**
 * Whether two typed values are the same; floats by value, because their digits are written differently. Ansible marks
 * the text of some filters with a class of its own, which `type_debug` shows.
 */
export function sameTyped(theirs: Typed, ours: Typed): boolean {
  if (isSet(theirs) && Array.isArray(ours)) return sameTyped(theirs.set, sortedItems(ours));
  const text = JSON.stringify(canonical(theirs)).replaceAll('NativeJinjaText', 'str');
  return text === JSON.stringify(canonical(ours));
}

/** Of two strings or numbers Ansible's set filters make Python sets, kpush lists. */
function isSet(value: Typed): value is { set: Typed[] } {
  return value !== null && typeof value === 'object' && 'set' in value;
}

function sortedItems(items: Typed[]): Typed[] {
  const text = (item: Typed) => JSON.stringify(item);
  return items.toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
}

function canonical(value: Typed): Typed {
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== 'object') return value;
  if (typeof value.float === 'string') return { float: canonicalFloat(value.float) };
  return Object.fromEntries(Object.entries(value).map(([tag, inner]) => [tag, canonical(inner as Typed)]));
}

function canonicalFloat(text: string): string {
  return ['nan', 'inf', '-inf'].includes(text) ? text : Object.is(Number(text), -0) ? '-0' : String(Number(text));
}
