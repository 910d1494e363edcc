import { type TestTable, test } from '../definitions.ts';
import { stringOf } from '../filters/helpers.ts';
import { isTrue } from '../python/compare.ts';
import { pyStr } from '../python/repr.ts';
import { type PythonRegex, pythonRegex } from '../regex/regex.ts';
import type { Value } from '../values.ts';

type Args = readonly (Value | undefined)[];

export const regexTests: TestTable = {
  match: test(
    'pattern?, ignorecase?, multiline?',
    'The text begins with what a regular expression matches.',
    (value, args) => has(compile(args).match(pyStr(value))),
  ),
  search: test(
    'pattern?, ignorecase?, multiline?',
    'A regular expression matches somewhere in the text.',
    (value, args) => has(compile(args).search(pyStr(value))),
  ),
  regex: test(
    'pattern?, ignorecase?, multiline?, match_type?',
    'As search, or match or fullmatch by match_type.',
    (value, args) => {
      const type = args[3] === undefined ? 'search' : stringOf(args[3], 'match_type');
      const regex = compile(args);
      if (type === 'match') return has(regex.match(pyStr(value)));
      return has(type === 'fullmatch' ? regex.fullMatch(pyStr(value)) : regex.search(pyStr(value)));
    },
  ),
};

const has = (match: unknown): boolean => match !== undefined;

function compile([pattern = '', ignoreCase, multiline]: Args): PythonRegex {
  const flags = { ignoreCase: isTrue(ignoreCase ?? false), multiline: isTrue(multiline ?? false) };
  return pythonRegex(stringOf(pattern, 'the regular expression'), flags);
}
