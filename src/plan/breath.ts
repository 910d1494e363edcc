/** Milliseconds of planning after which timers, sockets and signals get their turn. */
const slice = 15;

/**
 * Shares the thread between the programs of many hosts and everything else. A program that comes by after the slice is
 * used up waits, and goes on alone in a turn of the event loop of its own.
 */
export class Breath {
  private began = performance.now();
  private readonly waiting: (() => void)[] = [];

  /** Undefined: there is time left. */
  pause(): Promise<void> | undefined {
    if (performance.now() - this.began < slice) return undefined;
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length === 1) setImmediate(this.turn);
    });
  }

  private readonly turn = () => {
    this.began = performance.now();
    const goOn = this.waiting[0];
    goOn?.();
    this.waiting.shift();
    if (this.waiting.length > 0) setImmediate(this.turn);
  };
}
