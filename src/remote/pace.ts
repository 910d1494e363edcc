/** 512 KiB in a deadline of 30 s bears a link of 17 KB/s. */
const blockSize = 512 * 1024;

/** A chunk is a quarter of a second at the rate of late: a link may become a hundred times slower on its way. */
const chunkSeconds = 0.25;

const mostBlocks = 16;

/** Bytes a second. More comes only where both ends are busy with nothing else: a gigabit link brings 118 MB/s. */
const busyRate = 120e6;

/** Milliseconds that the rate of late looks back. */
const memory = 1000;

/** The window that sshd gives a channel: more is not under way at once. */
const window = 2 * 1024 * 1024;

/** A channel that waits this long (milliseconds) for every window is much slower than one processor and its network. */
const longRoundTrip = 30;

/** A further channel costs a host a shell, which is not worth it for less. */
const worthFurther = 4 * 1024 * 1024;

/** Channels that bring a file besides the first, over a link with this round trip in milliseconds. */
export function furtherChannels(size: number, roundTrip: number): number {
  return roundTrip < longRoundTrip || size < worthFurther ? 0 : 3;
}

export interface PaceOptions {
  /** Bytes that are there already. */
  start: number;
  /** Milliseconds. */
  roundTrip: number;
  /** All that is to come goes in one chunk of so many bytes. */
  whole?: number;
  /** Milliseconds by any clock. */
  now?: () => number;
}

/**
 * How much of an upload is told to a host at once. Each chunk costs it a few processes and is a sign of life: many are
 * dear on a fast link, few are deadly on a slow one.
 */
export class Pace {
  /** How many channels bring chunks. */
  channels = 1;
  /** Resolves when the window of a channel, and not the link, is what limits it. */
  readonly isWide: Promise<void>;
  private readonly options: PaceOptions;
  private readonly now: () => number;
  /** What the host had when. */
  private readonly marks: { time: number; bytes: number }[];
  /** Bytes a second. */
  private rate = 0;
  private widen: () => void = () => {};

  constructor(options: PaceOptions) {
    this.options = options;
    this.now = options.now ?? (() => performance.now());
    this.marks = [{ time: this.now(), bytes: options.start }];
    this.isWide = new Promise((resolve) => {
      this.widen = resolve;
    });
  }

  /** The host has so many bytes. */
  arrived(bytes: number): void {
    const { marks, options } = this;
    const time = this.now();
    marks.push({ time, bytes });
    while (marks.length > 2 && marks[1]!.time < time - memory) marks.shift();
    const [{ time: since, bytes: before }] = marks as [{ time: number; bytes: number }];
    this.rate = (bytes - before) / Math.max(0.001, (time - since) / 1000);
    const inOneTrip = (this.rate * options.roundTrip) / 1000;
    if (bytes - options.start >= window && inOneTrip > window / 2) this.widen();
  }

  /** Whether the host's processors have time for other work while it comes: where a link is waited for, they have. */
  get leavesTime(): boolean {
    return this.channels > 1 || this.rate < busyRate;
  }

  /** The next chunk of `rest` bytes: so many blocks of a size. */
  next(rest: number): { blocks: number; size: number } {
    const { whole } = this.options;
    if (whole !== undefined) return { blocks: 1, size: whole };
    if (rest < blockSize) return { blocks: 1, size: rest };
    const wanted = Math.floor((this.rate * chunkSeconds) / this.channels / blockSize);
    return { blocks: Math.max(1, Math.min(wanted, mostBlocks, Math.floor(rest / blockSize))), size: blockSize };
  }
}
