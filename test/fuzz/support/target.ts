import { formatInputError } from '../../../src/core/error-frame.ts';
import { InputErrors, KpushError } from '../../../src/core/errors.ts';

/** One reader of text or bytes that others write. */
export interface Target {
  /** Words of its grammar, for the mutations to put in. */
  words: readonly string[];
  /**
   * Reads one input. Returns in a few words what came of it: an input that gives new words is worth mutating. Throws
   * for a defect: an error that is none of kpush's, a property that does not hold.
   */
  run(input: Buffer): string | Promise<string>;
  /** Makes what the mutations broke whole again (check sums), so that they reach what lies behind; for half the cases. */
  repair?(input: Buffer): Buffer;
  /** Processor time one input may take, in milliseconds. */
  limitMs?: number;
}

/** What `read` gives, or the message of an input error, which must be one that can be shown at its place. */
export function outcome(read: () => string, textOf: (file: string) => string | undefined): string {
  try {
    return read();
  } catch (error) {
    return shape(shown(error, textOf));
  }
}

/** The messages of input errors; any other error is a defect and thrown on. */
function shown(error: unknown, textOf: (file: string) => string | undefined): string {
  const errors = error instanceof InputErrors ? error.errors.slice(0, 20) : [error];
  for (const each of errors) {
    if (!(each instanceof KpushError) || each.kind !== 'input') throw error;
    checkPlace(each, textOf);
    formatInputError(each, textOf);
  }
  return [...new Set((errors as KpushError[]).map(({ message }) => shape(message)))].sort().slice(0, 4).join(' + ');
}

/** The place of an error lies in the text. */
function checkPlace({ message, facts: { origin } }: KpushError, textOf: (file: string) => string | undefined): void {
  const text = origin && textOf(origin.file);
  if (!origin || text === undefined) return;
  const line = text.split('\n')[origin.line - 1];
  if (line === undefined || origin.column < 1 || origin.column > line.length + 1)
    throw new Error(`'${message}' is said to be at ${origin.line}:${origin.column}, where there is nothing`);
}

/** A message without what is different in each input. */
export function shape(message: string): string {
  return message
    .replace(/'[^']*'|"[^"]*"/g, '…')
    .replace(/\d+/g, '#')
    .slice(0, 80);
}
