import { isTrue } from '../python/compare.ts';
import { pyStr } from '../python/repr.ts';
import { type Match, type PythonRegex, pythonRegex } from '../regex/regex.ts';
import { groupIndex, replacementOf } from '../regex/template.ts';
import { stringOf } from './helpers.ts';
import { type FilterTable, filter, Tuple, typeError, type Value } from './types.ts';

export const regexFilters: FilterTable = {
  regex_replace: filter(
    'pattern?, replacement?, ignorecase?, multiline?',
    'Replaces what a regular expression matches.',
    (value, args) => {
      const [pattern = '', replacement = '', ignoreCase, multiline] = args;
      const regex = compile(pattern, ignoreCase, multiline);
      return regex.replace(pyStr(value), replacementOf(regex, stringOf(replacement, 'the replacement')));
    },
  ),
  regex_search: filter(
    'regex, *groups, **options',
    'The first match of a regular expression, or its groups.',
    (value, args) => {
      const regex = compile(args[0]!, args.keywords.get('ignorecase'), args.keywords.get('multiline'));
      const groups = args.rest.map((group) => groupIndex(regex, groupName(stringOf(group, 'a group'))));
      const found = regex.search(pyStr(value));
      if (!found) return null;
      return groups.length === 0 ? found.text : groups.map((index) => groupOf(found, index));
    },
  ),
  regex_findall: filter(
    'regex, multiline?, ignorecase?',
    'All matches of a regular expression.',
    (value, [pattern, multiline, ignoreCase]) =>
      [...compile(pattern!, ignoreCase, multiline).all(pyStr(value))].map(findallItem),
  ),
  regex_escape: filter('re_type?', 'Text as a regular expression that matches it.', (value, [type = 'python']) => {
    const kind = stringOf(type, 're_type');
    if (kind === 'python') return pyStr(value).replace(/[\t\n\v\f\r #$&()*+\-.?[\\\]^{|}~]/g, '\\$&');
    if (kind === 'posix_basic') return pyStr(value).replace(/[\].[^$*\\]/g, '\\$&');
    throw typeError(`Invalid regex type (${kind})`);
  }),
};

function compile(pattern: Value, ignoreCase: Value | undefined, multiline: Value | undefined): PythonRegex {
  const flags = { ignoreCase: isTrue(ignoreCase ?? false), multiline: isTrue(multiline ?? false) };
  return pythonRegex(stringOf(pattern, 'the regular expression'), flags);
}

/** `\\g<name>` or `\\1`. */
function groupName(source: string): string {
  const name = /^\\g<(\S+)>/.exec(source)?.[1] ?? /^\\(\d+)/.exec(source)?.[1];
  if (name === undefined) throw typeError('Unknown argument');
  return name;
}

function groupOf(found: Match, index: number): Value {
  return index === 0 ? found.text : (found.groups[index - 1] ?? null);
}

function findallItem({ text, groups }: Match): Value {
  if (groups.length === 0) return text;
  const all = groups.map((group) => group ?? '');
  return all.length === 1 ? all[0]! : new Tuple(all);
}
