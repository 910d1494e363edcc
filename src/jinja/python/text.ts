import { Tuple, Unsafe, type Value } from '../values.ts';
import { Dict } from './dict.ts';

/**
 * The trust mark travels with the text: whoever takes the characters of an Unsafe with `text` leaves a trace here, and
 * `carryMark` then marks the strings of the operation's result. Comparisons use `rawText`, which leaves none.
 */
let unsafeReads = 0;

export function text(value: string | Unsafe): string {
  if (typeof value === 'string') return value;
  unsafeReads++;
  return value.text;
}

export function rawText(value: string | Unsafe): string {
  return typeof value === 'string' ? value : value.text;
}

/** Runs an operation; when it read unsafe text, every string of its result is unsafe. */
export function carryMark(operation: () => Value): Value {
  const before = unsafeReads;
  const result = operation();
  return settleMark(before, result);
}

/** The two halves of `carryMark`, for hot paths that cannot afford a closure. */
export const markNow = (): number => unsafeReads;
export function settleMark(before: number, result: Value): Value {
  if (unsafeReads === before) return result;
  unsafeReads = before;
  return markUnsafe(result);
}

/** Runs an operation whose result has no text in it (a test, a comparison). */
export function withoutMark<T>(operation: () => T): T {
  const before = unsafeReads;
  try {
    return operation();
  } finally {
    unsafeReads = before;
  }
}

/** Whether text was read from an Unsafe since `before`; forgets it. */
export function takeMark(before: number): boolean {
  const marked = unsafeReads !== before;
  unsafeReads = before;
  return marked;
}

/** The value with every string in it marked unsafe; containers are copied. */
export function markUnsafe(value: Value): Value {
  if (typeof value === 'string') return new Unsafe(value);
  if (Array.isArray(value)) return value.map(markUnsafe);
  if (value instanceof Tuple) return new Tuple(value.items.map(markUnsafe));
  if (value instanceof Map) return new Dict([...value].map(([k, v]) => [markUnsafe(k), markUnsafe(v)]));
  return value;
}

/** Whether any string in the value, at any depth, is unsafe. */
export function hasUnsafe(value: Value): boolean {
  if (value instanceof Unsafe) return true;
  if (Array.isArray(value)) return value.some(hasUnsafe);
  if (value instanceof Tuple) return value.items.some(hasUnsafe);
  if (value instanceof Map) return [...value].some(([k, v]) => hasUnsafe(k) || hasUnsafe(v));
  return false;
}

const surrogate = /[\ud800-\udfff]/;

/** Characters as Python counts them: code points. */
export function characters(string: string): string[] {
  return surrogate.test(string) ? Array.from(string) : string.split('');
}

export function characterCount(string: string): number {
  return surrogate.test(string) ? Array.from(string).length : string.length;
}
