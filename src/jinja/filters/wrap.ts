import { isTrue } from '../python/compare.ts';
import { splitLines } from '../python/strings.ts';
import { characterCount, characters } from '../python/text.ts';
import { given, intOf, stringOf } from './helpers.ts';
import { type FilterTable, filter, typeError } from './types.ts';

export const wrapFilters: FilterTable = {
  wordwrap: filter(
    'width?, break_long_words?, wrapstring?, break_on_hyphens?',
    'Breaks lines that are too long.',
    (value, args) => {
      const [width = 79, breakLong = true, separator, hyphens = true] = args;
      const size = intOf(width, 'width');
      if (size < 1) throw typeError(`invalid width ${size} (must be > 0)`);
      const newline = given(separator) ? stringOf(separator) : '\n';
      const wrapped = splitLines(stringOf(value), false).map((line) =>
        wrap(line, size, isTrue(breakLong), isTrue(hyphens)).join(newline),
      );
      return wrapped.join(newline);
    },
  ),
};

/** Python's textwrap: blanks at line ends go, words that do not fit are broken. */
function wrap(line: string, width: number, breakLong: boolean, hyphens: boolean): string[] {
  const chunks = chunksOf(line, hyphens).reverse();
  const lines: string[] = [];
  while (chunks.length > 0) {
    if (lines.length > 0 && isBlank(chunks.at(-1)!)) chunks.pop();
    const current = takeLine(chunks, width, breakLong, hyphens);
    if (current.length > 0 && isBlank(current.at(-1)!)) current.pop();
    if (current.length > 0) lines.push(current.join(''));
  }
  return lines;
}

const isBlank = (chunk: string) => chunk.trim() === '';

function takeLine(chunks: string[], width: number, breakLong: boolean, hyphens: boolean): string[] {
  const current: string[] = [];
  let used = 0;
  while (chunks.length > 0 && used + characterCount(chunks.at(-1)!) <= width) {
    used += characterCount(chunks.at(-1)!);
    current.push(chunks.pop()!);
  }
  const next = chunks.at(-1);
  if (next !== undefined && characterCount(next) > width) breakChunk(chunks, current, width - used, breakLong, hyphens);
  return current;
}

/** With no room left an empty piece is taken, as Python does: it shields the blank before it. */
function breakChunk(chunks: string[], current: string[], room: number, breakLong: boolean, hyphens: boolean) {
  const chunk = characters(chunks.pop()!);
  if (breakLong) {
    const size = hyphens ? hyphenBefore(chunk, room) : room;
    current.push(chunk.slice(0, size).join(''));
    chunks.push(chunk.slice(size).join(''));
  } else if (current.length > 0) chunks.push(chunk.join(''));
  else current.push(chunk.join(''));
}

/** Behind the last hyphen that fits, when letters stand before it. */
function hyphenBefore(chunk: string[], room: number): number {
  const at = chunk.slice(0, room).lastIndexOf('-');
  return chunk.length > room && at > 0 && chunk.slice(0, at).some((c) => c !== '-') ? at + 1 : room;
}

/** Words and the blanks between them; words also end behind hyphens between letters, and at dashes. */
function chunksOf(line: string, hyphens: boolean): string[] {
  const parts = line.split(/([\t\n\v\f\r ]+)/).filter((part) => part !== '');
  if (!hyphens) return parts;
  return parts.flatMap((part) => part.split(breakPoint).filter(Boolean));
}

const breakPoint = /(?<=[\p{L}_]{2}-)(?=[\p{L}_]{2})|(?=-{2,}[\p{L}\p{N}])|(?<=[^-]-{2,})(?=[\p{L}\p{N}])/u;
