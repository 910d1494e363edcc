import { isMapping, LazyDict, Tuple, Unknown, type Value } from '../values.ts';

/** What an operation over these values gives after it reached one Unknown in them: a pending one anywhere wins. */
export function strongest(reached: Unknown, values: Iterable<Value>): Unknown {
  if (reached.kind === 'pending') return reached;
  for (const value of values) {
    const found = pendingIn(value);
    if (found) return found;
  }
  return reached;
}

function pendingIn(value: Value): Unknown | undefined {
  if (value instanceof Unknown) return value.kind === 'pending' ? value : undefined;
  for (const item of itemsOf(value)) {
    const found = pendingIn(item);
    if (found) return found;
  }
  return undefined;
}

function itemsOf(value: Value): Iterable<Value> {
  if (Array.isArray(value)) return value;
  if (value instanceof Tuple) return value.items;
  return isMapping(value) && !(value instanceof LazyDict) ? value.values() : [];
}
