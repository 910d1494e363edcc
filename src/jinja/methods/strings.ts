import { checkText } from '../budget.ts';
import type { Bound } from '../environment.ts';
import { typeError } from '../errors.ts';
import { concatenated } from '../python/arithmetic.ts';
import { formatBraces } from '../python/braces.ts';
import { pyRepr } from '../python/repr.ts';
import { items } from '../python/sequence.ts';
import {
  capitalize,
  expandTabs,
  replaceFirst,
  splitFromRight,
  splitLines,
  splitText,
  strip,
  swapCase,
  titleCase,
} from '../python/strings.ts';
import { characterCount, text } from '../python/text.ts';
import { shownType } from '../python/types.ts';
import { isInt, isString, Tuple, type Unsafe, type Value } from '../values.ts';
import { type Method, method } from './define.ts';

type Str = string | Unsafe;

/** A method of the plain text; the trust mark travels by itself. */
const on = (parameters: string, doc: string, run: (s: string, args: Bound) => Value): Method<Str> =>
  method(parameters, doc, (self, args) => run(text(self), args));

export const stringMethods = {
  capitalize: on('', 'First letter large, the rest small.', (s) => capitalize(s)),
  casefold: on('', 'Small letters, for comparing.', (s) => s.toLowerCase().replaceAll('ß', 'ss')),
  center: on('width, fill?', 'Puts the text in the middle.', (s, [width, fill]) => {
    const missing = padding(s, width);
    const left = Math.floor(missing / 2) + (missing & int(width) & 1);
    return filler(fill, left) + s + filler(fill, missing - left);
  }),
  expandtabs: on('tabsize?', 'Replaces tabs by spaces.', (s, [size]) =>
    expandTabs(s, size === undefined ? 8 : int(size)),
  ),
  format: method<Str>('*args, **kwargs', 'Fills `{}` in the text.', (self, args, context) =>
    formatBraces(text(self), args.rest, args.keywords, context),
  ),
  join: on('items', 'Joins strings with this one between them.', (s, [list]) =>
    concatenated(items(list!).map(joinable), s),
  ),
  ljust: on('width, fill?', 'Fills up at the right.', (s, [width, fill]) => s + filler(fill, padding(s, width))),
  lower: on('', 'Small letters.', (s) => s.toLowerCase()),
  lstrip: on('characters?', 'Removes blanks, or the characters given, at the left.', (s, [set]) =>
    strip(s, set ?? null, 'left'),
  ),
  partition: on('separator', 'Before, separator and after, at the first one.', (s, [separator]) => {
    const at = s.indexOf(nonEmpty(separator));
    return at < 0 ? new Tuple([s, '', '']) : parts(s, at, str(separator));
  }),
  removeprefix: on('prefix', 'Without the prefix, if it is there.', (s, [prefix]) =>
    s.startsWith(str(prefix)) ? s.slice(str(prefix).length) : s,
  ),
  removesuffix: on('suffix', 'Without the suffix, if it is there.', (s, [suffix]) =>
    str(suffix) && s.endsWith(str(suffix)) ? s.slice(0, -str(suffix).length) : s,
  ),
  replace: on('old, new, count?', 'Replaces text.', (s, [old, replacement, count]) =>
    replaceFirst(s, str(old), str(replacement), count === undefined ? -1 : int(count)),
  ),
  rjust: on('width, fill?', 'Fills up at the left.', (s, [width, fill]) => filler(fill, padding(s, width)) + s),
  rpartition: on('separator', 'Before, separator and after, at the last one.', (s, [separator]) => {
    const at = s.lastIndexOf(nonEmpty(separator));
    return at < 0 ? new Tuple(['', '', s]) : parts(s, at, str(separator));
  }),
  rsplit: on('sep?, maxsplit?', 'Splits from the right.', (s, [separator, count]) =>
    splitFromRight(s, separatorOf(separator), count === undefined ? -1 : int(count)),
  ),
  rstrip: on('characters?', 'Removes blanks, or the characters given, at the right.', (s, [set]) =>
    strip(s, set ?? null, 'right'),
  ),
  split: on('sep?, maxsplit?', 'Splits at blanks or at a separator.', (s, [separator, count]) =>
    splitText(s, separatorOf(separator), count === undefined ? -1 : int(count)),
  ),
  splitlines: on('keepends?', 'The lines.', (s, [keep]) => splitLines(s, keep === true)),
  strip: on('characters?', 'Removes blanks, or the characters given, at both ends.', (s, [set]) =>
    strip(s, set ?? null, 'both'),
  ),
  swapcase: on('', 'Large letters small and small ones large.', (s) => swapCase(s)),
  title: on('', 'Every Word Like This.', (s) => titleCase(s)),
  upper: on('', 'Large letters.', (s) => s.toUpperCase()),
  zfill: on('width', 'Fills up with zeros behind the sign.', (s, [width]) => {
    const sign = /^[-+]/.exec(s)?.[0] ?? '';
    return sign + '0'.repeat(padding(s, width)) + s.slice(sign.length);
  }),
};

function parts(s: string, at: number, separator: string): Tuple {
  return new Tuple([s.slice(0, at), separator, s.slice(at + separator.length)]);
}

function str(value: Value | undefined): string {
  if (isString(value)) return text(value);
  throw typeError(`a string is needed here, not ${shownType(value ?? null)}`);
}

function nonEmpty(value: Value | undefined): string {
  if (str(value) === '') throw typeError('empty separator');
  return str(value);
}

function separatorOf(value: Value | undefined): string | undefined {
  return value === undefined || value === null ? undefined : nonEmpty(value);
}

function int(value: Value | undefined): number {
  if (isInt(value)) return Number(value);
  throw typeError(`'${shownType(value ?? null)}' object cannot be interpreted as an integer`);
}

function padding(s: string, width: Value | undefined): number {
  checkText(int(width));
  return Math.max(0, int(width) - characterCount(s));
}

function filler(fill: Value | undefined, count: number): string {
  const character = fill === undefined ? ' ' : str(fill);
  if (characterCount(character) !== 1) throw typeError('The fill character must be exactly one character long');
  return character.repeat(count);
}

function joinable(item: Value, index: number): string {
  if (isString(item)) return text(item);
  throw typeError(`sequence item ${index}: expected str instance, ${shownType(item)} found: ${pyRepr(item)}`);
}
