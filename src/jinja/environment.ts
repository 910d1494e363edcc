import type { CallContext, Unknown, Value } from './values.ts';

/** Bounds of one rendering. Reaching one is a TemplateError of kind `limit`. */
export interface Limits {
  /** Characters of one rendering, and of any one string made in it. */
  output: number;
  /** Nested evaluations: expressions in expressions, macros calling macros. */
  depth: number;
  /** Items of a range or of a repeated list. */
  range: number;
  /** Loop turns and items visited by filters, in one rendering. */
  iterations: number;
  /** Steps of one regular expression match. */
  regexSteps: number;
}

/** What a filter, test or lookup sees of its surroundings. */
export interface Context extends CallContext {
  env: Environment;
}

/** Parameters of a filter, test or global in order: `name` required, `name?` optional, `*rest`, `**rest`. */
export interface Signature {
  names: string[];
  required: number;
  rest?: string;
  keywords?: string;
}

export interface Filter {
  signature: Signature;
  /** One line for the reference pages. */
  doc: string;
  /** Called even when the value or an argument is Unknown or undefined. */
  takesAnything?: boolean;
  run(value: Value, args: Bound, context: Context): Value;
}

export interface Test {
  signature: Signature;
  doc: string;
  takesAnything?: boolean;
  run(value: Value, args: Bound, context: Context): boolean;
}

/** Arguments by parameter position; missing optional ones are undefined. */
export interface Bound extends ReadonlyArray<Value | undefined> {
  rest: readonly Value[];
  keywords: ReadonlyMap<string, Value>;
}

/**
 * Runs a lookup plugin and returns its plain list (the engine joins it for `lookup`, keeps it for `query`, and marks it
 * unsafe); undefined when the caller has no such plugin.
 */
export type LookupFunction = (
  name: string,
  terms: readonly Value[],
  kwargs: ReadonlyMap<string, Value>,
  context: Context,
) => Value[] | Unknown | undefined;

export interface Environment {
  filters: Map<string, Filter>;
  tests: Map<string, Test>;
  globals: Map<string, Value>;
  /** Lookups that need files, processes or the inventory; asked before the engine's own. */
  lookups?: LookupFunction;
  limits: Limits;
  /** The clock of `now()` and `strftime`. */
  now(): Date;
  /** `count` random bytes: `random`, `shuffle` and salts when no seed is given. */
  randomBytes(count: number): Uint8Array;
}
