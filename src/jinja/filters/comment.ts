import { concatenated, repeatText } from '../python/arithmetic.ts';
import { pyStr } from '../python/repr.ts';
import { strip } from '../python/strings.ts';
import { intOf, stringOf } from './helpers.ts';
import { type FilterTable, filter, isInt, typeError, type Value } from './types.ts';

const styles: Record<string, Record<string, string>> = {
  plain: { decoration: '# ' },
  erlang: { decoration: '% ' },
  c: { decoration: '// ' },
  cblock: { beginning: '/*', decoration: ' * ', end: ' */' },
  xml: { beginning: '<!--', decoration: ' - ', end: '-->' },
};

export const commentFilters: FilterTable = {
  comment: filter('style?, **options', 'The text as a comment of a configuration file.', (value, args) =>
    comment(stringOf(value), stringOf(args[0] ?? 'plain', 'style'), args.keywords),
  ),
};

function comment(source: string, style: string, options: ReadonlyMap<string, Value>): string {
  const base = Object.hasOwn(styles, style) ? styles[style]! : undefined;
  if (!base) throw typeError(`comment: '${style}' is not one of ${Object.keys(styles).join(', ')}`);
  const option = (name: string, absent: string) =>
    options.has(name) ? pyStr(options.get(name)!) : (base[name] ?? absent);
  const decoration = option('decoration', '');
  const edge = strip(decoration, null, 'right');
  const newline = option('newline', '\n');
  const beginning = option('beginning', '');
  const end = option('end', '');
  return concatenated([
    beginning ? beginning + newline : '',
    prefixLines(option('prefix', edge), newline, count(options, 'prefix_count')),
    decorated(source, decoration, newline),
    repeatText(newline + option('postfix', edge), count(options, 'postfix_count')),
    end ? newline + end : '',
  ]);
}

function prefixLines(prefix: string, newline: string, times: number): string {
  if (!prefix) return '';
  return repeatText(prefix === newline ? newline : prefix + newline, times);
}

/** Lines that hold nothing but the decoration lose its blanks. */
function decorated(source: string, decoration: string, newline: string): string {
  const lines = decoration + source.replaceAll(newline, newline + decoration);
  return decoration + newline === ''
    ? lines
    : lines.replaceAll(decoration + newline, strip(decoration, null, 'right') + newline);
}

function count(options: ReadonlyMap<string, Value>, name: string): number {
  const value = options.get(name) ?? 1;
  return Math.max(0, isInt(value) ? Number(value) : intOf(Number(pyStr(value)), name));
}
