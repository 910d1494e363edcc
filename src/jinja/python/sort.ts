import { spend } from '../budget.ts';
import type { Value } from '../values.ts';
import { order } from './compare.ts';

/** Python's sorted(): stable, also in reverse. Throws when two keys have no order. */
export function sorted<T>(list: readonly T[], key: (item: T) => Value, reverse = false): T[] {
  spend(list.length);
  const keyed = list.map((item) => ({ item, key: key(item) }));
  keyed.sort((a, b) => (reverse ? order(b.key, a.key) : order(a.key, b.key)) || 0);
  return keyed.map(({ item }) => item);
}
