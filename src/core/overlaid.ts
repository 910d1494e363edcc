/** So many entries are copied at most when one is set; all of them only once in as many times. */
const most = 64;

/** The map with one entry set, as a new map: cheap also when there are thousands, which `new Map(map)` is not. */
export function withEntry<V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> {
  const { below, above } = map instanceof Overlaid ? (map as Overlaid<V>) : { below: map, above: new Map<string, V>() };
  const over = new Map(above).set(key, value);
  return over.size <= most ? new Overlaid(below, over) : new Map([...below, ...over]);
}

/** A map under a few newer entries, in the order in which their keys first came. */
class Overlaid<V> implements ReadonlyMap<string, V> {
  readonly below: ReadonlyMap<string, V>;
  readonly above: ReadonlyMap<string, V>;
  readonly size: number;

  constructor(below: ReadonlyMap<string, V>, above: ReadonlyMap<string, V>) {
    this.below = below;
    this.above = above;
    this.size = below.size + [...above.keys()].filter((key) => !below.has(key)).length;
  }

  get(key: string): V | undefined {
    return this.above.has(key) ? this.above.get(key) : this.below.get(key);
  }

  has(key: string): boolean {
    return this.above.has(key) || this.below.has(key);
  }

  *entries(): MapIterator<[string, V]> {
    for (const key of this.keys()) yield [key, this.get(key) as V];
    return undefined;
  }

  *keys(): MapIterator<string> {
    yield* this.below.keys();
    for (const key of this.above.keys()) if (!this.below.has(key)) yield key;
    return undefined;
  }

  *values(): MapIterator<V> {
    for (const key of this.keys()) yield this.get(key) as V;
    return undefined;
  }

  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries();
  }

  forEach(visit: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this) visit(value, key, this);
  }
}
