/** Numbers that are the same for the same seed. */
export class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** From 0 to below 1 (mulberry32). */
  random(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  chance(oneIn: number): boolean {
    return this.below(oneIn) === 0;
  }
}
