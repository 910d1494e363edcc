import { checkText } from '../budget.ts';
import { concatenated } from '../python/arithmetic.ts';
import { isTrue } from '../python/compare.ts';
import { Dict } from '../python/dict.ts';
import { formatPercent } from '../python/percent.ts';
import { pyStr } from '../python/repr.ts';
import { items } from '../python/sequence.ts';
import { capitalize, replaceFirst, splitLines, splitText, strip } from '../python/strings.ts';
import { characterCount, characters } from '../python/text.ts';
import { attributeGetter, given, intOf, stringOf } from './helpers.ts';
import { type FilterTable, filter, isString, Tuple, typeError, type Value } from './types.ts';

export const textFilters: FilterTable = {
  lower: filter('', 'Small letters.', (value) => pyStr(value).toLowerCase()),
  upper: filter('', 'Large letters.', (value) => pyStr(value).toUpperCase()),
  capitalize: filter('', 'First letter large, the rest small.', (value) => capitalize(pyStr(value))),
  title: filter('', 'Every Word Like This.', (value) => title(pyStr(value))),
  trim: filter('chars?', 'Without blanks, or the characters given, at both ends.', (value, [set]) =>
    strip(pyStr(value), set ?? null, 'both'),
  ),
  replace: filter('old, new, count?', 'Replaces text.', (value, [old, replacement, count]) =>
    replaceFirst(pyStr(value), pyStr(old!), pyStr(replacement!), given(count) ? intOf(count, 'count') : -1),
  ),
  join: filter(
    'd?, attribute?',
    'The items as one text, with a separator between them.',
    (value, [separator, attribute], context) => {
      const read = given(attribute) ? attributeGetter(attribute, context) : (item: Value) => item;
      return concatenated(
        items(value).map((item) => pyStr(read(item))),
        pyStr(separator ?? ''),
      );
    },
  ),
  split: filter('sep?, maxsplit?', 'Splits text at blanks or a separator.', (value, [separator, limit]) =>
    splitText(stringOf(value), separatorOf(separator), given(limit) ? intOf(limit, 'maxsplit') : -1),
  ),
  indent: filter(
    'width?, first?, blank?',
    'Moves all lines but the first to the right.',
    (value, [width = 4, first = false, blank = false]) =>
      indent(
        stringOf(value),
        isString(width) ? stringOf(width) : ' '.repeat(Math.max(0, intOf(width, 'width'))),
        isTrue(first),
        isTrue(blank),
      ),
  ),
  center: filter('width?', 'Puts the text in the middle.', (value, [width = 80]) => {
    const source = pyStr(value);
    checkText(intOf(width, 'width'));
    const missing = Math.max(0, intOf(width) - characterCount(source));
    const left = Math.floor(missing / 2) + (missing & intOf(width) & 1);
    return ' '.repeat(left) + source + ' '.repeat(missing - left);
  }),
  format: filter('*args, **kwargs', 'Fills %-fields of the text.', (value, args) => {
    if (args.rest.length > 0 && args.keywords.size > 0)
      throw typeError('format takes values or named values, not both');
    return formatPercent(pyStr(value), args.keywords.size > 0 ? new Dict(args.keywords) : new Tuple(args.rest));
  }),
  truncate: filter('length?, killwords?, end?, leeway?', 'Cuts text that is too long.', (value, args) => {
    const [length = 255, killwords = false, end = '...', leeway = 5] = args;
    return truncate(stringOf(value), intOf(length), isTrue(killwords), stringOf(end), intOf(leeway ?? 5));
  }),
  wordcount: filter('', 'The number of words.', (value) => pyStr(value).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0),
  quote: filter('', 'Quotes text for the shell.', (value) => quoteForShell(value === null ? '' : pyStr(value))),
};

/** Jinja's own idea of words: split at blanks, hyphens and opening brackets. */
function title(source: string): string {
  return source
    .split(/([-\s({[<]+)/)
    .map(capitalize)
    .join('');
}

function separatorOf(value: Value | undefined): string | undefined {
  if (!given(value)) return undefined;
  if (stringOf(value, 'the separator') === '') throw typeError('empty separator');
  return stringOf(value);
}

function indent(source: string, by: string, first: boolean, blank: boolean): string {
  const lines = splitLines(`${source}\n`, false);
  const moved = lines.map((line, i) => (i > 0 && (blank || line !== '') ? by + line : line));
  return concatenated([(first ? by : '') + (moved[0] ?? ''), ...moved.slice(1)], '\n');
}

function truncate(source: string, length: number, killwords: boolean, end: string, leeway: number): string {
  const all = characters(source);
  if (length < characterCount(end)) throw typeError(`truncate: the length must be at least ${characterCount(end)}`);
  if (all.length <= length + leeway) return source;
  const cut = all.slice(0, length - characterCount(end)).join('');
  const words = cut.lastIndexOf(' ');
  return (killwords || words < 0 ? cut : cut.slice(0, words)) + end;
}

export function quoteForShell(source: string): string {
  if (source === '') return "''";
  return /[^\w@%+=:,./-]/.test(source) ? `'${source.replaceAll("'", `'"'"'`)}'` : source;
}
