/**
 * Starts work on several hosts at once, on each one after another; most of it is waiting. The result finds the outcome
 * of a piece of work, so that each can be a test of its own.
 */
export function inLanes<T, R>(lanes: readonly (readonly T[])[], work: (item: T, lane: number) => Promise<R>) {
  const outcomes = new Map<T, Promise<R>>();
  for (const [lane, items] of lanes.entries()) {
    let last: Promise<unknown> = Promise.resolve();
    for (const item of items) {
      const outcome = last.then(() => work(item, lane));
      outcomes.set(item, outcome);
      last = outcome.catch(() => {}); // told by who asks for it
    }
  }
  return (item: T): Promise<R> => outcomes.get(item)!;
}

/** Every nth item for each of n lanes. */
export function dealt<T>(items: readonly T[], lanes: number): T[][] {
  return Array.from({ length: lanes }, (_, lane) => items.filter((_item, at) => at % lanes === lane));
}
