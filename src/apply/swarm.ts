import type { Pulled } from '../core/session.ts';

/** Where a host serves a blob. */
export interface Place {
  address: string;
  port: number;
  token: string;
}

/** Whom to take it from, and for how many seconds without a byte. */
export interface Source {
  readonly from: Taker;
  readonly at: Place;
  readonly patience: number;
}

/** Each serves so many others at once: half a link for each, and few steps from the first to the last. */
const fanOut = 2;

/** Who is further down waits longer, so that the first below a gap closes it. */
const patience = { first: 10, each: 5 };

/** Others that failed to take from a host until none tries any more. */
const manyFailures = 3;

/** A host that wants, gets or has one blob. */
export class Taker {
  state: 'waiting' | 'taking' | 'complete' | 'gone' = 'waiting';
  /** Undefined while it is taking: it gets it from the controller. */
  parent: Taker | undefined;
  children = 0;
  failures = 0;
  /** It got wrong bytes once: from now on only whose own copy was verified will do. */
  isWary = false;
  readonly avoids = new Set<Taker>();
  readonly at: Place | undefined;

  constructor(at: Place | undefined) {
    this.at = at;
  }

  get depth(): number {
    return this.parent ? this.parent.depth + 1 : 0;
  }
}

/** Who takes one blob from whom. */
export class Swarm {
  private readonly takers: Taker[] = [];
  private uploads = 0;
  private waiting: (() => void)[] = [];

  join(at: Place | undefined): Taker {
    const taker = new Taker(at);
    this.takers.push(taker);
    return taker;
  }

  /** Another host to take it from, or the controller: waits until one of them has a place, and takes it. */
  async place(taker: Taker, only?: 'controller'): Promise<Source | 'controller'> {
    for (;;) {
      const parent = only ? undefined : this.best(taker);
      if (parent) return this.attach(taker, parent);
      if (this.uploads < fanOut) return this.upload(taker);
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /** Gives the place back, whatever came of it. */
  released(taker: Taker): void {
    if (taker.parent) taker.parent.children--;
    else this.uploads--;
    taker.parent = undefined;
    taker.state = 'waiting';
    this.changed();
  }

  failed(taker: Taker, { from }: Source, how: Exclude<Pulled, 'done'>): void {
    taker.avoids.add(from);
    if (how === 'wrong') taker.isWary = true;
    // Bytes handed on while they came in are nobody's fault that could be named.
    from.failures += how === 'wrong' && from.state === 'complete' ? manyFailures : 1;
    this.changed();
  }

  /** It is verified. */
  completed(taker: Taker): void {
    taker.state = 'complete';
    this.changed();
  }

  left(taker: Taker): void {
    taker.state = 'gone';
    this.changed();
  }

  private attach(taker: Taker, parent: Taker): Source {
    parent.children++;
    taker.parent = parent;
    taker.state = 'taking';
    this.changed();
    return { from: parent, at: parent.at!, patience: patience.first + patience.each * parent.depth };
  }

  private upload(taker: Taker): 'controller' {
    this.uploads++;
    taker.state = 'taking';
    this.changed();
    return 'controller';
  }

  private best(taker: Taker): Taker | undefined {
    return this.takers
      .filter((other) => serves(other, taker))
      .sort((a, b) => a.depth - b.depth || a.children - b.children)[0];
  }

  private changed() {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

function serves(other: Taker, taker: Taker): boolean {
  if (!other.at || other.children >= fanOut || other.failures >= manyFailures || taker.avoids.has(other)) return false;
  if (other.state === 'complete') return true;
  return other.state === 'taking' && !taker.isWary && other !== taker && !isBelow(other, taker);
}

/** What it has comes, by whatever way, from `above`. */
function isBelow({ parent }: Taker, above: Taker): boolean {
  return parent !== undefined && (parent === above || isBelow(parent, above));
}
