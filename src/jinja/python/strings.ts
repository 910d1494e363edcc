import { typeError } from '../errors.ts';
import { isString, type Value } from '../values.ts';
import { repeatText } from './arithmetic.ts';
import { characters, rawText } from './text.ts';
import { shownType } from './types.ts';

/** Python's blanks: JavaScript's and the four separators of ASCII, without the byte order mark. */
const blank = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const blanksLeft = new RegExp(`^${blank}+`);
const blanksRight = new RegExp(`${blank}+$`);
const blanks = new RegExp(`${blank}+`, 'g');
const lineEnd = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g;

export function strip(s: string, set: Value, side: 'left' | 'right' | 'both'): string {
  if (set === null) return stripBlanks(s, side);
  if (!isString(set)) throw typeError(`strip arg must be None or str, not ${shownType(set)}`);
  const wanted = new Set(characters(rawText(set)));
  const all = characters(s);
  let from = 0;
  let to = all.length;
  if (side !== 'right') while (from < to && wanted.has(all[from]!)) from++;
  if (side !== 'left') while (to > from && wanted.has(all[to - 1]!)) to--;
  return all.slice(from, to).join('');
}

function stripBlanks(s: string, side: 'left' | 'right' | 'both'): string {
  const left = side === 'right' ? s : s.replace(blanksLeft, '');
  return side === 'left' ? left : left.replace(blanksRight, '');
}

/** Python's split: at blanks when there is no separator; `limit` -1 means all. */
export function splitText(s: string, separator: string | undefined, limit: number): string[] {
  if (separator === undefined) return splitBlanks(s, limit);
  const all = s.split(separator);
  if (limit < 0 || all.length <= limit + 1) return all;
  return [...all.slice(0, limit), all.slice(limit).join(separator)];
}

function splitBlanks(s: string, limit: number): string[] {
  let rest = s.replace(blanksLeft, '');
  if (limit < 0) return rest.replace(blanksRight, '').split(blanks).filter(Boolean);
  const result: string[] = [];
  for (; rest !== '' && result.length < limit; rest = rest.replace(blanksLeft, '')) {
    const at = rest.search(new RegExp(blank));
    if (at < 0) break;
    result.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return rest === '' ? result : [...result, rest];
}

export function splitFromRight(s: string, separator: string | undefined, limit: number): string[] {
  if (limit < 0) return splitText(s, separator, -1);
  const turn = (text: string) => characters(text).reverse().join('');
  return splitText(turn(s), separator === undefined ? undefined : turn(separator), limit)
    .map(turn)
    .reverse();
}

export function splitLines(s: string, keepEnds: boolean): string[] {
  const lines: string[] = [];
  let start = 0;
  for (const end of s.matchAll(lineEnd)) {
    lines.push(s.slice(start, keepEnds ? end.index + end[0].length : end.index));
    start = end.index + end[0].length;
  }
  return start < s.length ? [...lines, s.slice(start)] : lines;
}

export function capitalize(s: string): string {
  const [first = '', ...rest] = characters(s);
  return first.toUpperCase() + rest.join('').toLowerCase();
}

/** A letter behind a letter is small, every other one large. */
export function titleCase(s: string): string {
  return s.replace(/\p{L}+/gu, (word) => capitalize(word));
}

export function swapCase(s: string): string {
  return characters(s)
    .map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))
    .join('');
}

/** Python's replace: `count` -1 means all; an empty `old` stands between all characters. */
export function replaceFirst(s: string, old: string, replacement: string, count: number): string {
  if (old === '') return interleave(s, replacement, count);
  return count < 0 ? s.replaceAll(old, () => replacement) : splitText(s, old, count).join(replacement);
}

function interleave(s: string, replacement: string, count: number): string {
  const all = characters(s);
  const places = count < 0 ? all.length + 1 : Math.min(count, all.length + 1);
  repeatText(replacement, places);
  return Array.from({ length: all.length + 1 }, (_, i) => (i < places ? replacement : '') + (all[i] ?? '')).join('');
}

/** The position of `sub` in the window, in characters, or -1. */
export function findFrom(s: string, sub: string, start = 0, end: number | undefined, last: boolean): number {
  const all = characters(s);
  const from = clamp(start, all.length);
  const to = clamp(end ?? all.length, all.length);
  if (start > all.length) return -1;
  const part = all.slice(from, to).join('');
  const at = last ? part.lastIndexOf(sub) : part.indexOf(sub);
  return at < 0 || from > to ? -1 : from + characters(part.slice(0, at)).length;
}

function clamp(position: number, size: number): number {
  return Math.min(size, Math.max(0, position < 0 ? position + size : position));
}

export function expandTabs(s: string, size: number): string {
  let column = 0;
  return s.replace(/\t|[\n\r]|[^\t\n\r]+/g, (part) => {
    if (part !== '\t') {
      column = /[\n\r]/.test(part) ? 0 : column + characters(part).length;
      return part;
    }
    const width = size > 0 ? size - (column % size) : 0;
    column += width;
    return ' '.repeat(width);
  });
}
