/** A list that is replaced, never changed, when something is added at its end; adding costs the same however long it is. */
export class Chain<T> implements Iterable<T> {
  private readonly before: Chain<T> | undefined;
  private readonly more: readonly T[];
  readonly length: number;

  private constructor(before: Chain<T> | undefined, more: readonly T[]) {
    this.before = before;
    this.more = more;
    this.length = (before?.length ?? 0) + more.length;
  }

  static of<T>(...items: readonly T[]): Chain<T> {
    return new Chain<T>(undefined, items);
  }

  with(...more: readonly T[]): Chain<T> {
    return more.length === 0 ? this : new Chain(this, more);
  }

  [Symbol.iterator](): Iterator<T> {
    return this.toArray()[Symbol.iterator]();
  }

  toArray(): T[] {
    const found = new Array<T>(this.length);
    let at = this.length;
    for (let link: Chain<T> | undefined = this; link; link = link.before)
      for (let n = link.more.length - 1; n >= 0; n--) found[--at] = link.more[n]!;
    return found;
  }
}
