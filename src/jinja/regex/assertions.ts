import type { Assertion } from './ast.ts';
import { isWord } from './sets.ts';
import type { Subject } from './subject.ts';

/** Whether an assertion holds at a position of the text. */
export function holds(what: Assertion, subject: Subject, position: number, ascii: boolean): boolean {
  switch (what) {
    case 'start':
      return position === 0;
    case 'line-start':
      return position === 0 || subject.code(position - 1) === 10;
    case 'very-end':
      return position === subject.length;
    case 'end':
      return position === subject.length || (position === subject.length - 1 && subject.code(position) === 10);
    case 'line-end':
      return position === subject.length || subject.code(position) === 10;
    default:
      return atWordEdge(subject, position, ascii) === (what === 'word');
  }
}

/** Undefined in an empty text: neither `\b` nor `\B` matches there. */
function atWordEdge(subject: Subject, position: number, ascii: boolean): boolean | undefined {
  if (subject.length === 0) return undefined;
  const before = position > 0 && isWord(subject.code(position - 1), ascii);
  const after = position < subject.length && isWord(subject.code(position), ascii);
  return before !== after;
}
