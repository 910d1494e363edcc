import { Dict } from '../python/dict.ts';
import type { Value } from '../values.ts';

/** The value with every list and dict in it made anew. */
export function copyContainers(value: Value): Value {
  if (Array.isArray(value)) return value.map(copyContainers);
  if (value instanceof Map) return new Dict([...value].map(([key, item]) => [key, copyContainers(item)]));
  return value;
}
