/** Milliseconds of planning after which timers, sockets and signals get their turn. */
const slice = 15;

/**
 * Shares the thread between the programs of many hosts and everything else. A program that comes by after the slice is
 * used up waits, and goes on alone in a turn of the event loop of its own. Who began first goes first, so that hosts
 * come to their end one after another and not all at once: what a host needs to be planned is freed then.
 */
export class Breath {
  private began = performance.now();
  private programs = 0;
  private readonly waiting = new Map<number, () => void>();

  /** The place of a program in the line. */
  join(): number {
    return this.programs++;
  }

  /** Undefined: there is time left. */
  pause(place: number): Promise<void> | undefined {
    return performance.now() - this.began < slice ? undefined : this.rest(place);
  }

  /** Until everything else had a turn. */
  rest(place: number): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.set(place, resolve);
      if (this.waiting.size === 1) setImmediate(this.turn);
    });
  }

  private readonly turn = () => {
    this.began = performance.now();
    const first = Math.min(...this.waiting.keys());
    this.waiting.get(first)?.();
    this.waiting.delete(first);
    if (this.waiting.size > 0) setImmediate(this.turn);
  };
}
