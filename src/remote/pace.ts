/** 512 KiB in a deadline of 30 s bears a link of 17 KB/s. */
const blockSize = 512 * 1024;

/** A chunk is a quarter of a second at the rate so far: a link may become a hundred times slower on its way. */
const chunkSeconds = 0.25;

const mostBlocks = 16;

/**
 * How much of an upload is told to a host at once. Each chunk costs it a few processes and is a sign of life: many are
 * dear on a fast link, few are deadly on a slow one.
 */
export class Pace {
  private readonly start: number;
  private readonly whole: number | undefined;
  private readonly now: () => number;
  private readonly begun: number;
  /** Bytes a second, by what the host says it has. */
  private rate = 0;

  /** `start`: bytes that are there already. `whole`: all that is to come goes in one chunk. `now`: milliseconds. */
  constructor(start: number, whole?: number, now = () => performance.now()) {
    this.start = start;
    this.whole = whole;
    this.now = now;
    this.begun = now();
  }

  /** The host has so many bytes. */
  arrived(bytes: number): void {
    const seconds = Math.max(0.001, (this.now() - this.begun) / 1000);
    this.rate = (bytes - this.start) / seconds;
  }

  /** The next chunk of `rest` bytes: so many blocks of a size. */
  next(rest: number): { blocks: number; size: number } {
    if (this.whole !== undefined) return { blocks: 1, size: this.whole };
    if (rest < blockSize) return { blocks: 1, size: rest };
    const wanted = Math.floor((this.rate * chunkSeconds) / blockSize);
    return { blocks: Math.max(1, Math.min(wanted, mostBlocks, Math.floor(rest / blockSize))), size: blockSize };
  }
}
