import { aliases, type TestTable, test } from '../definitions.ts';
import { typeError } from '../errors.ts';
import { given, stringOf } from '../filters/helpers.ts';
import { isTrue } from '../python/compare.ts';
import { pyStr } from '../python/repr.ts';
import type { Value } from '../values.ts';
import { compareLoose } from '../versions/loose.ts';
import { comparePep440 } from '../versions/pep440.ts';
import { compareSemantic } from '../versions/semantic.ts';
import { compareStrict } from '../versions/strict.ts';

type Compare = (a: string, b: string) => number;

const kinds: Record<string, Compare> = {
  loose: compareLoose,
  strict: compareStrict,
  semver: compareSemantic,
  semantic: compareSemantic,
  pep440: comparePep440,
};

const operators: Record<string, (order: number) => boolean> = {
  ...aliases('== = eq', (order: number) => order === 0),
  ...aliases('< lt', (order: number) => order < 0),
  ...aliases('<= le', (order: number) => order <= 0),
  ...aliases('> gt', (order: number) => order > 0),
  ...aliases('>= ge', (order: number) => order >= 0),
  ...aliases('!= <> ne', (order: number) => order !== 0),
};

const version = test(
  'version, operator?, strict?, version_type?',
  'The version stands so to another one.',
  (value, args) => {
    const [other, operator = 'eq', strict, type] = args;
    if (!isTrue(value)) throw typeError('Input version value cannot be empty');
    if (!isTrue(other!)) throw typeError('Version parameter to compare against cannot be empty');
    const holds = pick(operators, stringOf(operator, 'operator'), 'operator type');
    return holds(compareOf(strict, type)(pyStr(value), pyStr(other!)));
  },
);

export const versionTests: TestTable = aliases('version version_compare', version);

function compareOf(strict: Value | undefined, type: Value | undefined): Compare {
  if (given(strict) && given(type)) throw typeError("Cannot specify both 'strict' and 'version_type'");
  if (given(strict) && isTrue(strict)) return compareStrict;
  return given(type) && isTrue(type) ? pick(kinds, stringOf(type, 'version_type'), 'version type') : compareLoose;
}

function pick<T>(table: Record<string, T>, name: string, what: string): T {
  if (Object.hasOwn(table, name)) return table[name]!;
  throw typeError(`Invalid ${what} (${name}). Must be one of ${Object.keys(table).join(', ')}`);
}
