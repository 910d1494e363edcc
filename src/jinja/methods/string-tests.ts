import { typeError } from '../errors.ts';
import { findFrom } from '../python/strings.ts';
import { characterCount, characters, rawText } from '../python/text.ts';
import { shownType } from '../python/types.ts';
import { isInt, isString, Tuple, type Unsafe, type Value } from '../values.ts';
import { type Method, method } from './define.ts';

type Str = string | Unsafe;
type Args = readonly (Value | undefined)[];

/** Methods that answer a question about the text: the answer needs no trust mark. */
const on = (parameters: string, doc: string, run: (s: string, args: Args) => Value): Method<Str> =>
  method(parameters, doc, (self, args) => run(rawText(self), args));

const every = (pattern: RegExp) => (s: string) => s !== '' && characters(s).every((c) => pattern.test(c));

export const stringTests = {
  count: on('sub, start?, end?', 'How often a text occurs.', (s, args) => {
    const part = window(s, args);
    const sub = needle(args);
    return sub === '' ? characterCount(part) + 1 : part.split(sub).length - 1;
  }),
  endswith: on('suffix, start?, end?', 'Whether the text ends so.', (s, args) =>
    alternatives(args[0]).some((suffix) => window(s, args).endsWith(suffix)),
  ),
  startswith: on('prefix, start?, end?', 'Whether the text begins so.', (s, args) =>
    alternatives(args[0]).some((prefix) => window(s, args).startsWith(prefix)),
  ),
  find: on('sub, start?, end?', 'Where a text first occurs, or -1.', (s, args) => position(s, args, false)),
  rfind: on('sub, start?, end?', 'Where a text last occurs, or -1.', (s, args) => position(s, args, true)),
  index: on('sub, start?, end?', 'Where a text first occurs.', (s, args) => found(position(s, args, false))),
  rindex: on('sub, start?, end?', 'Where a text last occurs.', (s, args) => found(position(s, args, true))),
  isalnum: on('', 'Only letters and digits.', every(/^[\p{L}\p{N}]$/u)),
  isalpha: on('', 'Only letters.', every(/^\p{L}$/u)),
  isascii: on('', 'Only ASCII.', (s) => /^[\x00-\x7f]*$/.test(s)),
  isdecimal: on('', 'Only decimal digits.', every(/^\p{Nd}$/u)),
  isdigit: on('', 'Only digits.', every(/^[\p{Nd}²³¹⁰⁴-⁹₀-₉]$/u)),
  isidentifier: on('', 'A valid name.', (s) => /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*$/u.test(s)),
  islower: on('', 'Letters, all small.', (s) => s !== s.toUpperCase() && s === s.toLowerCase()),
  isnumeric: on('', 'Only numerals.', every(/^\p{N}$/u)),
  isprintable: on('', 'Nothing invisible.', (s) => !/[^\P{C}]|[^\P{Z} ]/u.test(s)),
  isspace: on('', 'Only blanks.', every(/^[\s\x1c-\x1f\x85]$/)),
  istitle: on('', 'Every Word Like This.', (s) => /\p{Lu}/u.test(s) && !/\p{L}\p{Lu}|(?<!\p{L})\p{Ll}/u.test(s)),
  isupper: on('', 'Letters, all large.', (s) => s !== s.toLowerCase() && s === s.toUpperCase()),
};

function window(s: string, [, start, end]: Args): string {
  if (start === undefined && end === undefined) return s;
  return characters(s).slice(bound(start), bound(end)).join('');
}

function bound(value: Value | undefined): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (isInt(value)) return Number(value);
  throw typeError('slice indices must be integers or None or have an __index__ method');
}

function needle([sub]: Args): string {
  if (isString(sub)) return rawText(sub);
  throw typeError(`must be str, not ${shownType(sub ?? null)}`);
}

function alternatives(value: Value | undefined): string[] {
  if (isString(value)) return [rawText(value)];
  if (value instanceof Tuple && value.items.every(isString)) return value.items.map((item) => rawText(item as Str));
  throw typeError(`a string or a tuple of strings is needed here, not ${shownType(value ?? null)}`);
}

function position(s: string, args: Args, last: boolean): number {
  return findFrom(s, needle(args), bound(args[1]), bound(args[2]), last);
}

function found(at: number): number {
  if (at < 0) throw typeError('substring not found');
  return at;
}
