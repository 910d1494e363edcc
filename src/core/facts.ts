import type { Identity } from './identity.ts';

/**
 * A read-only question. `family` owns its shell text, parser and reducer (src/world); `id` is what is asked about
 * (a path, a unit); `wants` refines it (the wanted sha256, whether text is needed) and may be merged.
 */
export interface FactKey {
  family: string;
  id: string;
  wants?: Wants;
}

export type Wants = Readonly<Record<string, string | number | boolean>>;

/** What is known about one key. `raw` is the host's own words, compared by the guard before a change. */
export type Answer<T = unknown> =
  | { state: 'known'; value: T; raw: string; wants?: Wants; provisional?: string }
  | { state: 'denied'; raw: string; path: string }
  | { state: 'unknown'; why: string };

/** How a family's raw answers are asked for and understood. */
export interface FactFamily<T = unknown> {
  name: string;
  /**
   * Shell text that prints one record per key, in order, each ended by `kp_sep` (a function of the ask's preamble
   * that prints the record separator). It reads only, forks as little as it can, and leaves no variable but kp_*.
   */
  script(keys: readonly FactKey[]): string;
  /** One record's bytes (latin1 text: one char per byte) to a value; throws on text it cannot understand. */
  parse(record: string, key: FactKey): Answer<T>;
  /** Whether an answer is rich enough for these wants (for example: it has the text). */
  satisfies(answer: Answer<T>, wants: Wants | undefined): boolean;
  /** Wants of two readers of one key, as one question. */
  mergeWants(a: Wants | undefined, b: Wants | undefined): Wants | undefined;
  /** The part of `raw` that a guard compares: stable while nothing changes. Absent: this family is never guarded. */
  guard?: { script(keys: readonly FactKey[]): string; raw(answer: Answer<T>): string };
}

/** Facts grouped by who asks. */
export interface Question {
  identity: Identity;
  keys: FactKey[];
}

export function keyText(key: FactKey): string {
  return `${key.family}:${key.id}`;
}
