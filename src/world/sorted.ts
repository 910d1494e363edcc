import btree from 'sorted-btree';

/** A map sorted by its keys. Copying costs nothing: copies share what neither has changed since. */
export class Sorted<V> {
  private readonly tree: InstanceType<typeof btree.default<string, V>>;

  constructor(tree?: InstanceType<typeof btree.default<string, V>>) {
    this.tree = tree ?? new btree.default<string, V>(undefined, compare);
  }

  copy(): Sorted<V> {
    return new Sorted(this.tree.clone());
  }

  get size(): number {
    return this.tree.size;
  }

  get(key: string): V | undefined {
    return this.tree.get(key);
  }

  has(key: string): boolean {
    return this.tree.has(key);
  }

  set(key: string, value: V): void {
    this.tree.set(key, value);
  }

  delete(key: string): void {
    this.tree.delete(key);
  }

  /** Values of keys from `low` up to, without, `high`; the map may be changed meanwhile. */
  between(low: string, high: string): V[] {
    const found: V[] = [];
    this.tree.forRange(low, high, false, (_key, value) => {
      found.push(value);
    });
    return found;
  }

  /** Whether there is a key from `low` up to, without, `high`. */
  hasBetween(low: string, high: string): boolean {
    const next = this.tree.has(low) ? low : this.tree.nextHigherKey(low);
    return next !== undefined && next < high;
  }

  values(): V[] {
    return this.tree.valuesArray();
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a === b ? 0 : 1;
}
