import type { Effect } from './effects.ts';
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
  /**
   * `was`: what it is unless what it waits for changes it. `at` (files): the path where the same is found, for a step
   * puts a link above this one; asked there, since the host does not have that link yet.
   */
  | { state: 'unknown'; why: string; was?: Answer<T>; at?: string };

/**
 * How a family's raw answers are asked for, understood and predicted. One file each in src/world.
 * A record is latin1 text (a char a byte); `utf8()` of src/core/bytes.ts decodes it.
 */
export interface FactFamily<T = unknown> {
  name: string;
  /** Asked of the controller instead of the host: what an archive there holds. Never guarded. */
  onController?: true;
  /**
   * Shell functions that `script` calls, sent once to each living shell. Names of functions and variables begin with
   * `kf_`; `kp_` is the session's.
   */
  library?(): string;
  /**
   * Shell text that prints exactly one record per key, in order, each ended by `kp_sep` (a function of the ask's
   * preamble that prints the record separator; `$kp_rs` is its text, for tools that print it themselves). Reads
   * only, forks as little as it can, leaves no variable but kf_*, and sets each one before it reads it (the session has
   * some of its own).
   */
  script(keys: readonly FactKey[]): string;
  /** One record to an answer; throws on text it cannot understand. */
  parse(record: string, key: FactKey): Answer<T>;
  /** Whether an answer is rich enough for these wants. Default: the wants are equal or absent. */
  satisfies?(answer: Answer<T>, wants: Wants | undefined): boolean;
  /** Wants of two readers of one key as one question. Default: both merged, the later wins. */
  mergeWants?(a: Wants | undefined, b: Wants | undefined): Wants | undefined;
  /** Compared by the guard before a change, as the raw record; false for facts that move by themselves. */
  guarded: boolean | ((id: string) => boolean);
  /**
   * Why an answer is another one by the time a change comes to it, though nobody moved anything: a saved plan does not
   * hold a host to it, and defers what goes by it.
   */
  fleeting?: string;
  /** Folds an effect of any step into this family's answers. */
  reduce?(effect: Effect, draft: Draft): void;
  /** Ways in which what is there differs from what was predicted; unpredicted fields are not compared. */
  differs?(predicted: T, actual: T): string[];
  /** Facts that prove an effect of this family. */
  proves?(effect: Effect): FactKey[];
  /**
   * The path that a key is about, for families of files. While it is not known where that leads, neither is the
   * answer; where a link that is only planned leads is followed when the id is the path.
   */
  path?(id: string): string;
  /** Why the rest of a value that effects left poor cannot be had before they happened; undefined: the host can tell it. */
  open?(value: T): string | undefined;
  /** What a step asserts of it tells of this run, not of the host: it still holds when the step has run. */
  ofRun?: true;
  /** Of other machines, or of much at once: steps change it in ways that no effect names, so it is asked again after. */
  refreshed?: true;
  /** Whether a package install may turn this absent answer into something else (engine rule 3). */
  absent?(value: T): boolean;
}

/** `set` replaces the answer and marks it as asserted by a step. */
export type Visit = (id: string, answer: Answer, set: (answer: Answer) => void) => void;

/**
 * What a reducer may do: read and replace answers of any family, for every identity at once. An effect must cost what it
 * touches, not what is known: `each` is for families of which little is asked.
 */
export interface Draft {
  /** Each known or unknown answer of a family, or those whose ids begin with `prefix`. */
  each(family: string, visit: Visit, prefix?: string): void;
  /**
   * Answers about what is at the real path or below it, under whatever name it was asked: all of them, and perhaps some
   * that are elsewhere, so the visitor looks again. Families with `path` only.
   */
  near(family: string, real: string, visit: Visit): void;
  /** Those, and answers about the directories above. */
  around(family: string, real: string, visit: Visit): void;
  /** Answers with a mark of src/world/marks.ts: all of them, and perhaps others. */
  marked(mark: string, visit: Visit): void;
  get(family: string, id: string): Answer | undefined;
  /** Sets for every identity, also where it was never asked. */
  set(family: string, id: string, answer: Answer): void;
}

/** Facts grouped by who asks. */
export interface Question {
  identity: Identity;
  keys: FactKey[];
}

export function keyText(key: FactKey): string {
  return `${key.family}:${key.id}`;
}
