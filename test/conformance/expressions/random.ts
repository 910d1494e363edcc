import { Dice } from '../../support/dice.ts';

/** The chances of generated expressions. */
export class Chance {
  private readonly dice: Dice;

  constructor(seed: number) {
    this.dice = new Dice(seed);
  }

  /** From 0 to below 1. */
  next(): number {
    return this.dice.random();
  }

  below(limit: number): number {
    return this.dice.below(limit);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  times<T>(count: number, make: () => T): T[] {
    return Array.from({ length: count }, make);
  }
}
