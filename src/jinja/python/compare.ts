import { typeError } from '../errors.ts';
import {
  Float,
  isMapping,
  isString,
  LazyDict,
  type PyDict,
  PyObject,
  Tuple,
  Undefined,
  Unknown,
  UnknownReached,
  type Value,
} from '../values.ts';
import { mappingGet } from './dict.ts';
import { rawText } from './text.ts';
import { need, shownType } from './types.ts';

/** Python's ==. Throws for Undefined, and for Unknown when the answer hangs on it. */
export function equals(a: Value, b: Value): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a === b;
  need(a);
  need(b);
  const x = numeric(a);
  if (x !== undefined) {
    const y = numeric(b);
    return y !== undefined && sameNumber(x, y);
  }
  if (isString(a)) return isString(b) && rawText(a) === rawText(b);
  if (Array.isArray(a)) return Array.isArray(b) && itemsEqual(a, b);
  if (a instanceof Tuple) return b instanceof Tuple && itemsEqual(a.items, b.items);
  if (isMapping(a)) return isMapping(b) && mappingsEqual(a, b);
  if (a instanceof PyObject) return a.equals(b);
  return a === b || (a instanceof Undefined && b instanceof Undefined);
}

/** The number a value is to arithmetic and comparison (bools are 0 and 1); undefined for everything else. */
export function numeric(value: Value): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value instanceof Float ? value.value : undefined;
}

function sameNumber(x: number | bigint, y: number | bigint): boolean {
  return typeof x === typeof y ? x === y : !(x < y) && !(x > y) && !Number.isNaN(Number(x)) && !Number.isNaN(Number(y));
}

function itemsEqual(a: readonly Value[], b: readonly Value[]): boolean {
  return a.length === b.length && allEqual(a.map((item, i) => [item, b[i]!]));
}

function mappingsEqual(a: PyDict | LazyDict, b: PyDict | LazyDict): boolean {
  const keys = [...a.keys()];
  const others = [...b.keys()];
  if (keys.length !== others.length) return false;
  const pairs: [Value, Value][] = [];
  for (const key of keys) {
    const other = mappingGet(b, key);
    if (other === undefined) return false;
    pairs.push([mappingGet(a, key)!, other]);
  }
  return allEqual(pairs);
}

/** One certain difference decides, even beside an Unknown. */
function allEqual(pairs: readonly (readonly [Value, Value])[]): boolean {
  let unknown: UnknownReached | undefined;
  for (const [x, y] of pairs) {
    try {
      if (!equals(x, y)) return false;
    } catch (error) {
      if (!(error instanceof UnknownReached)) throw error;
      unknown = error;
    }
  }
  if (unknown) throw unknown;
  return true;
}

/** Python's order: negative, 0 or positive, NaN when neither (nan). Throws when the types have no order. */
export function order(a: Value, b: Value, operator = '<'): number {
  need(a);
  need(b);
  const x = numeric(a);
  const y = numeric(b);
  if (x !== undefined && y !== undefined) return x < y ? -1 : x > y ? 1 : sameNumber(x, y) ? 0 : Number.NaN;
  if (isString(a) && isString(b)) return orderStrings(rawText(a), rawText(b));
  if (Array.isArray(a) && Array.isArray(b)) return orderItems(a, b, operator);
  if (a instanceof Tuple && b instanceof Tuple) return orderItems(a.items, b.items, operator);
  if (a instanceof PyObject && a.order) {
    const result = a.order(b);
    if (result !== undefined) return result;
  }
  throw typeError(`'${operator}' not supported between instances of '${shownType(a)}' and '${shownType(b)}'`);
}

function orderItems(a: readonly Value[], b: readonly Value[], operator: string): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (!equals(a[i]!, b[i]!)) return order(a[i]!, b[i]!, operator);
  }
  return a.length - b.length;
}

/** By code point, as Python; JavaScript compares UTF-16 units. */
export function orderStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    if (a.charCodeAt(i) !== b.charCodeAt(i)) return codePointAround(a, i) - codePointAround(b, i);
  }
  return a.length - b.length;
}

function codePointAround(string: string, index: number): number {
  const unit = string.charCodeAt(index);
  const start = unit >= 0xdc00 && unit <= 0xdfff && index > 0 ? index - 1 : index;
  return string.codePointAt(start)!;
}

/** Python's bool(). Throws for Undefined and Unknown. */
export function isTrue(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'object') return Boolean(value) || Number.isNaN(value);
  if (value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Map) return value.size > 0;
  return objectIsTrue(value);
}

function objectIsTrue(value: Exclude<Value, null | Value[] | PyDict | string | number | bigint | boolean>): boolean {
  if (value instanceof Undefined || value instanceof Unknown) {
    need(value);
    return false;
  }
  if (isString(value)) return rawText(value) !== '';
  if (value instanceof Float) return value.value !== 0;
  if (value instanceof Tuple) return value.items.length > 0;
  if (value instanceof LazyDict) return !value.keys()[Symbol.iterator]().next().done;
  return value instanceof PyObject ? value.truth() : true;
}
