import type { KpushError } from './errors.ts';
import { at, type Origin } from './origin.ts';

/**
 * An error as a person reads it: `file:line:column: message`, the line with a caret, then what was expected, the
 * nearest valid name, what to try, and further places. `readFile` gives the text of a file, undefined if it cannot.
 */
export function formatInputError(error: KpushError, readFile: (file: string) => string | undefined): string {
  const { origin, expected, nearest, hint, related } = error.facts;
  return [
    origin ? `${at(origin)}: ${error.message}` : error.message,
    ...(origin ? frame(origin, readFile) : []),
    ...(expected === undefined ? [] : [`  expected: ${expected}`]),
    ...(nearest === undefined ? [] : [`  did you mean: ${nearest}`]),
    ...(hint === undefined ? [] : [`  hint: ${hint}`]),
    ...(related ?? []).flatMap((place) => [`  ${at(place.origin)}: ${place.text}`, ...frame(place.origin, readFile)]),
  ].join('\n');
}

/** Columns of source shown around the caret; longer lines are cut. */
const width = 110;

function frame(origin: Origin, readFile: (file: string) => string | undefined): string[] {
  const line = readFile(origin.file)?.split('\n')[origin.line - 1];
  if (line === undefined) return [];
  const { text, caret } = cut(printable(line.replace(/\r$/, '')), origin.column - 1);
  const number = String(origin.line);
  return [`  ${number} | ${text}`, `  ${' '.repeat(number.length)} | ${' '.repeat(caret)}^`];
}

/** A long line around the column in question. */
function cut(line: string, column: number): { text: string; caret: number } {
  const start = column > width - 20 ? column - Math.floor(width / 2) : 0;
  const text = line.slice(start, start + width);
  const head = start > 0 ? '… ' : '';
  return { text: `${head}${text}${start + width < line.length ? ' …' : ''}`, caret: head.length + column - start };
}

/** A file may hold anything: tabs take one column, escape sequences never reach the terminal. */
function printable(line: string): string {
  return line.replaceAll('\t', ' ').replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
}
