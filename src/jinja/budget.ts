import type { Limits } from './environment.ts';
import { limitError } from './errors.ts';

export const defaultLimits: Limits = {
  output: 32 * 1024 * 1024,
  depth: 400,
  range: 1_000_000,
  iterations: 5_000_000,
  regexSteps: 20_000_000,
};

/**
 * What the rendering under way may still use. Evaluation is synchronous, so one account serves all: renderings nested
 * by lazy variables draw on the account of the outermost one.
 */
let limits = defaultLimits;
let depth = 0;
let iterations = 0;

/** Runs one evaluation inside the account; the outermost opens it with its environment's limits. */
export function withBudget<T>(own: Limits, run: () => T): T {
  if (depth > 0) return deeper(run);
  limits = own;
  iterations = 0;
  try {
    return deeper(run);
  } catch (error) {
    if (error instanceof RangeError) throw limitError('the template is nested too deeply');
    throw error;
  } finally {
    limits = defaultLimits;
  }
}

/** One level of nesting: a macro call, a recursive loop, a variable in a variable. */
export function deeper<T>(run: () => T): T {
  if (depth >= limits.depth) throw limitError('recursive loop: templates or macros are nested too deeply');
  depth++;
  try {
    return run();
  } finally {
    depth--;
  }
}

/** Counts turns of a loop, or items that an operation visits. */
export function spend(count = 1): void {
  iterations += count;
  if (iterations > limits.iterations) throw limitError(`the template takes more than ${limits.iterations} loop turns`);
}

/** Refuses a string of this many characters before it is made. */
export function checkText(length: number): void {
  if (length > limits.output) throw limitError(`the result is longer than ${limits.output} characters`);
}

/** Refuses a list of this many items before it is made. */
export function checkItems(count: number): void {
  if (count > limits.range) throw limitError(`the list has more than ${limits.range} items`);
}

export const regexSteps = (): number => limits.regexSteps;
