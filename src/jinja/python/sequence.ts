import { checkItems, spend } from '../budget.ts';
import { typeError } from '../errors.ts';
import {
  isInt,
  isMapping,
  isString,
  LazyDict,
  PyObject,
  Tuple,
  Undefined,
  UnknownReached,
  Unsafe,
  type Value,
} from '../values.ts';
import { equals } from './compare.ts';
import { mappingGet } from './dict.ts';
import { characterCount, characters, rawText } from './text.ts';
import { need, shownType } from './types.ts';

/** The items of anything Python can iterate, in a new array unless it is a list. Throws for everything else. */
export function items(value: Value): readonly Value[] {
  if (Array.isArray(value)) return counted(value);
  const found = iterable(value);
  if (found) return counted(found);
  need(value);
  throw typeError(`'${shownType(value)}' object is not iterable`);
}

/** As `items`, but undefined for what cannot be iterated. */
export function iterable(value: Value): readonly Value[] | undefined {
  if (Array.isArray(value)) return value;
  if (value instanceof Tuple) return value.items;
  if (isMapping(value)) return [...value.keys()];
  if (typeof value === 'string') return characters(value);
  if (value instanceof Unsafe) return characters(value.text).map((character) => new Unsafe(character));
  if (value instanceof Undefined && value.isSoft) return [];
  const own = value instanceof PyObject ? value.iterate() : undefined;
  return own && Array.from(own);
}

function counted(found: readonly Value[]): readonly Value[] {
  spend(found.length);
  return found;
}

/** Python's len(). */
export function length(value: Value): number {
  const size = sizeOf(value);
  if (size !== undefined) return size;
  need(value);
  throw typeError(`object of type '${shownType(value)}' has no len()`);
}

export function sizeOf(value: Value): number | undefined {
  if (isString(value)) return characterCount(rawText(value));
  if (Array.isArray(value)) return value.length;
  if (value instanceof Tuple) return value.items.length;
  if (value instanceof Map) return value.size;
  if (value instanceof LazyDict) return [...value.keys()].length;
  if (value instanceof Undefined && value.isSoft) return 0;
  return value instanceof PyObject ? value.length() : undefined;
}

/** Python's `needle in haystack`. */
export function contains(haystack: Value, needle: Value): boolean {
  need(haystack);
  if (isMapping(haystack)) return mappingGet(haystack, needle) !== undefined;
  if (isString(haystack)) {
    need(needle);
    if (isString(needle)) return rawText(haystack).includes(rawText(needle));
    throw typeError(`'in <string>' requires string as left operand, not ${shownType(needle)}`);
  }
  const found = iterable(haystack);
  if (!found) throw typeError(`argument of type '${shownType(haystack)}' is not iterable`);
  return anyEqual(counted(found), needle);
}

/** One equal item decides, even beside an Unknown. */
function anyEqual(found: readonly Value[], needle: Value): boolean {
  let unknown: UnknownReached | undefined;
  for (const item of found) {
    try {
      if (item === needle || equals(item, needle)) return true;
    } catch (error) {
      if (!(error instanceof UnknownReached)) throw error;
      unknown = error;
    }
  }
  if (unknown) throw unknown;
  return false;
}

/** `value[key]` of strings, lists, tuples and mappings; undefined when there is no such item. */
export function itemOf(value: Value, key: Value): Value | undefined {
  if (isMapping(value)) return mappingItem(value, key);
  if (value instanceof PyObject) return value.item(key);
  const list = Array.isArray(value) ? value : value instanceof Tuple ? value.items : undefined;
  if (list) return isInt(key) ? list.at(Number(key)) : undefined;
  if (!isString(value) || !isInt(key)) return undefined;
  const character = characters(rawText(value)).at(Number(key));
  return character === undefined ? undefined : sameTrust(value, character);
}

function mappingItem(value: Parameters<typeof mappingGet>[0], key: Value): Value | undefined {
  if (Array.isArray(key) || isMapping(key)) return undefined;
  return mappingGet(value, key);
}

function sameTrust(origin: string | Unsafe, part: string): string | Unsafe {
  return origin instanceof Unsafe ? new Unsafe(part) : part;
}

/** Python's `value[start:stop:step]`; undefined when the value has no slices. */
export function slice(value: Value, start: Value, stop: Value, step: Value): Value | undefined {
  if (isString(value)) return sameTrust(value, cut(characters(rawText(value)), start, stop, step).join(''));
  if (Array.isArray(value)) return cut(value, start, stop, step);
  if (value instanceof Tuple) return new Tuple(cut(value.items, start, stop, step));
  const own = value instanceof PyObject && value.length() !== undefined ? value.iterate() : undefined;
  return own && cut(Array.from(own), start, stop, step);
}

function cut<T>(list: readonly T[], start: Value, stop: Value, step: Value): T[] {
  const by = bound(step) ?? 1;
  if (by === 0) throw typeError('slice step cannot be zero');
  const [low, high] = by > 0 ? [0, list.length] : [-1, list.length - 1];
  const from = clamp(bound(start), by > 0 ? low : high, low, high, list.length);
  const to = clamp(bound(stop), by > 0 ? high : low, low, high, list.length);
  const result: T[] = [];
  for (let i = from; by > 0 ? i < to : i > to; i += by) result.push(list[i]!);
  return result;
}

function bound(value: Value): number | undefined {
  if (value === null) return undefined;
  need(value);
  if (isInt(value)) return Number(value);
  throw typeError('slice indices must be integers or None or have an __index__ method');
}

function clamp(value: number | undefined, absent: number, low: number, high: number, size: number): number {
  if (value === undefined) return absent;
  return Math.min(high, Math.max(low, value < 0 ? value + size : value));
}

/** Python's range(), as its items. */
export function rangeLength(start: number, stop: number, step: number): number {
  return Math.max(0, Math.ceil((stop - start) / step));
}

/** The ints from `start` to before `stop`, within the bounds of a rendering. */
export function rangeItems(start: number, stop: number, step: number): number[] {
  const count = rangeLength(start, stop, step);
  checkItems(count);
  return Array.from({ length: count }, (_, i) => start + i * step);
}
