/** Results by key, the oldest dropped when there are too many: templates made at run time must not pile up. */
export class BoundedCache<T> {
  private readonly entries = new Map<string, T>();

  constructor(private readonly capacity: number) {}

  get(key: string, make: () => T): T {
    const found = this.entries.get(key);
    if (found !== undefined) return found;
    const made = make();
    if (this.entries.size >= this.capacity) this.entries.delete(this.entries.keys().next().value!);
    this.entries.set(key, made);
    return made;
  }
}
