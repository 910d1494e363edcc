import { names } from './context.ts';
import type { Chance } from './random.ts';

type Type = 'int' | 'float' | 'bool' | 'string' | 'ints' | 'strings' | 'dicts' | 'dict' | 'any';
type Rule = (g: Grammar) => string;

const quote = (text: string) => `'${text}'`;
const literals = ['a', 'b', 'abc', ',', '-', 'x', '1', '', ' '].map(quote);
const patterns = ['a', '[a-c]', '^a', 'b$', '(a)(b)?', '\\\\d+', '\\\\w', '.', 'x*', '(?i)A'].map(quote);
const versions = ["'1.2.3'", "'v1.2'", "'1.10'", "'2.0'"];

/** The ways to write an expression of each type, without the names and literals. */
const rules: Record<Type, Rule[]> = {
  int: [
    (g) => `(${g.of('int')} ${g.c.pick(['+', '-', '*', '//', '%'])} ${g.of('int')})`,
    (g) => `-${g.of('int')}`,
    (g) => `${g.of('string')} | length`,
    (g) => `(${g.list()} | length)`,
    (g) => `${g.of('ints')} | ${g.c.pick(['first', 'last', 'max', 'min', 'sum'])}`,
    (g) => `${g.of('any')} | int`,
    (g) => `${g.of('string')} | int(${g.of('int')})`,
    (g) => `${g.of('string')}.${g.c.pick(['find', 'count', 'rfind'])}(${g.of('string')})`,
    (g) => `${g.of('ints')}[${g.c.pick(['0', '-1', '1', '5'])}]`,
    (g) => `${g.of('int')} | abs`,
    (g) => `${g.of('dict')}.a`,
    (g) => `(${g.of('int')} ** 2)`,
  ],
  float: [
    (g) => `(${g.of('int')} / ${g.of('int')})`,
    (g) => `(${g.of('float')} ${g.c.pick(['+', '-', '*', '//', '%'])} ${g.of('int')})`,
    (g) => `${g.of('any')} | float`,
    (g) => `${g.of('float')} | round(${g.c.pick(['', '1', '2'])})`,
    (g) => `${g.of('float')} | round(1, ${g.c.pick(["'ceil'", "'floor'"])})`,
  ],
  bool: [
    (g) => `(${g.of('int')} ${g.c.pick(['==', '!=', '<', '<=', '>', '>='])} ${g.of(g.c.pick(['int', 'float']))})`,
    (g) => `(${g.of('string')} ${g.c.pick(['==', '!=', '<', 'in', 'not in'])} ${g.of('string')})`,
    (g) => `(${g.of('any')} ${g.c.pick(['==', '!='])} ${g.of('any')})`,
    (g) => `(${g.of('int')} ${g.c.pick(['in', 'not in'])} ${g.of('ints')})`,
    (g) => `(${g.of('string')} in ${g.of(g.c.pick(['strings', 'dict']))})`,
    (g) => `(${g.of('any')} ${g.c.pick(['and', 'or'])} ${g.of('any')})`,
    (g) => `not ${g.of('any')}`,
    (g) => `(${g.of('any')} is ${g.c.pick(['', 'not '])}${g.c.pick(typeTests)})`,
    (g) =>
      `(${g.c.pick([...names.undefined, 'd.zz', 'd.a', 'd.k.x'])} is ${g.c.pick(['defined', 'undefined', 'not defined'])})`,
    (g) => `(${g.of('string')} is ${g.c.pick(['match', 'search', 'regex'])}(${g.c.pick(patterns)}))`,
    (g) =>
      `(${g.c.pick([...versions, g.of('string')])} is version(${g.c.pick(versions)}, ${quote(g.c.pick(['>=', '<', '==', 'gt', '!=']))}))`,
    (g) => `(${g.of('int')} is ${g.c.pick(['odd', 'even', 'divisibleby 2', 'divisibleby(3)'])})`,
    (g) => `(${g.list()} is ${g.c.pick(['contains', 'subset', 'superset'])}(${g.list()}))`,
    (g) => `${g.of('any')} | bool`,
    (g) => `${g.of('string')}.${g.c.pick(['startswith', 'endswith'])}(${g.of('string')})`,
    (g) =>
      `${g.of('string')}.${g.c.pick(['isdigit', 'isalpha', 'islower', 'isupper', 'isspace', 'isalnum', 'istitle'])}()`,
    (g) => `(${g.list()} is ${g.c.pick(['any', 'all'])})`,
  ],
  string: [
    (g) => `(${g.of('string')} ~ ${g.of('any')})`,
    (g) => `(${g.of('string')} + ${g.of('string')})`,
    (g) => `(${g.of('string')} * ${g.c.pick(['0', '2', '-1'])})`,
    (g) => `${g.of('string')} | ${g.c.pick(textFilters)}`,
    (g) => `${g.of('string')}.${g.c.pick(textMethods)}()`,
    (g) => `${g.of('string')} | replace(${g.c.pick(literals)}, ${g.c.pick(literals)})`,
    (g) => `${g.of('string')}.replace(${g.c.pick(literals)}, ${g.c.pick(literals)})`,
    (g) => `${g.of('strings')} | join(${g.c.pick(literals)})`,
    (g) => `${g.of('any')} | string`,
    (g) => `${g.of('string')}[${g.c.pick(['0', '-1', '1:', ':2', '::-1', ':-1', '1:3'])}]`,
    (g) => `${g.of('string')} | regex_replace(${g.c.pick(patterns)}, ${quote(g.c.pick(['', 'X', '<\\\\g<0>>']))})`,
    (g) => `${g.of('any')} | to_json`,
    (g) => `${g.of('any')} | to_nice_yaml`,
    (g) => `${g.of('any')} | to_yaml`,
    (g) => `${quote(g.c.pick(['%s', '%5s|', '%-4s|', '%r']))} | format(${g.of('any')})`,
    (g) => `${quote(g.c.pick(['<{}>', '{!r}', '{0}{0}']))}.format(${g.of('string')})`,
    (g) => `${quote(g.c.pick(['<{}>', '{:>5}', '{:05d}', '{:x}']))}.format(${g.of('int')})`,
    (g) => `${quote(g.c.pick(['%d', '%05d', '%x', '%+d', '%.2f']))} % ${g.of('int')}`,
    (g) => `${g.of('string')} | default(${g.c.pick(literals)}, true)`,
    (g) => `${g.of('dict')}['b']`,
    (g) => `${g.of('bool')} | ternary(${g.of('string')}, ${g.of('string')})`,
    (g) => `(${g.of('string')} if ${g.of('bool')} else ${g.of('string')})`,
    (g) => `${g.of('string')} | regex_search(${g.c.pick(patterns)})`,
  ],
  ints: [
    (g) => `[${g.c.times(g.c.below(4), () => g.of('int')).join(', ')}]`,
    (g) => `(${g.of('ints')} + ${g.of('ints')})`,
    (g) => `${g.of('ints')} | ${g.c.pick(['sort', 'unique', 'list', 'reverse | list', 'sort(reverse=true)'])}`,
    (g) =>
      `${g.of('ints')} | ${g.c.pick(['select', 'reject'])}(${g.c.pick(["'odd'", "'even'", "'>', 1", "'defined'"])}) | list`,
    (g) =>
      `${g.of('ints')} | ${g.c.pick(['union', 'intersect', 'difference', 'symmetric_difference'])}(${g.of('ints')})`,
    (g) => `${g.of('ints')}[${g.c.pick(['1:', ':2', '::-1', '-2:'])}]`,
    (g) => `range(${g.c.below(5)}) | list`,
    (g) => `${g.of('dicts')} | map(attribute='v') | list`,
    (g) => `[${g.of('ints')}, ${g.of('ints')}] | flatten`,
  ],
  strings: [
    (g) => `[${g.c.times(g.c.below(4), () => g.of('string')).join(', ')}]`,
    (g) => `${g.of('string')}.split(${g.c.pick(["','", '', "' '", "'a'"])})`,
    (g) => `${g.of('string')} | split(${g.c.pick(["','", "'b'"])})`,
    (g) =>
      `${g.of('strings')} | map(${g.c.pick(["'upper'", "'length'", "'trim'", "'replace', 'a', 'b'", "'regex_replace', '^', 'p'"])}) | list`,
    (g) =>
      `${g.of('strings')} | ${g.c.pick(['sort', 'unique', 'list', 'sort(case_sensitive=true)', 'reverse | list'])}`,
    (g) => `${g.of('strings')} | ${g.c.pick(['select', 'reject'])}('match', ${g.c.pick(patterns)}) | list`,
    (g) => `${g.of('strings')} | ${g.c.pick(['union', 'intersect', 'difference'])}(${g.of('strings')})`,
    (g) => `${g.of('dicts')} | map(attribute='name') | list`,
    (g) => `${g.of('dict')} | ${g.c.pick(['list', 'dictsort | map("first") | list'])}`,
    (g) => `${g.of('dict')}.keys() | list`,
    (g) => `${g.of('string')} | regex_findall(${g.c.pick(patterns)})`,
  ],
  dicts: [
    (g) => `[${g.c.times(g.c.below(3), () => g.of('dict')).join(', ')}]`,
    (g) => `${g.of('dicts')} | ${g.c.pick(['selectattr', 'rejectattr'])}(${g.c.pick(attributeTests)}) | list`,
    (g) => `${g.of('dicts')} | sort(attribute=${g.c.pick(["'v'", "'name'"])})`,
    (g) => `${g.of('dict')} | dict2items`,
    (g) => `${g.of('dicts')} | groupby('v')`,
  ],
  dict: [
    (g) => `{'a': ${g.of('int')}, 'b': ${g.of('string')}}`,
    (g) => `{'n': ${g.of('any')}, ${g.of('int')}: 1}`,
    (g) =>
      `${g.of('dict')} | combine(${g.of('dict')}${g.c.pick(['', ', recursive=true', ", list_merge='append', recursive=true"])})`,
    (g) => `${g.of('dict')} | dict2items | items2dict`,
    (g) => `dict(a=${g.of('any')})`,
    (g) => `dict(${g.of('strings')} | zip(${g.list()}))`,
  ],
  any: [
    (g) => `(${g.of('any')} if ${g.of('bool')} else ${g.of('any')})`,
    (g) => `${g.c.pick(names.undefined)} | default(${g.of('any')})`,
    (g) => `${g.of('dict')}.get(${g.c.pick(["'a'", "'zz'", "'k'"])}${g.c.pick(['', ', 5'])})`,
    (g) => `${g.of('dict')}.${g.c.pick(['a', 'k', 'zz', 'b'])}`,
    (g) => `${g.list()} | ${g.c.pick(['first', 'last', 'max', 'min'])}`,
    (g) =>
      `${g.list()} | ${g.c.pick(['batch(2) | list', 'slice(2) | list', 'flatten', 'zip(li) | list', 'product([1, 2]) | list'])}`,
    (g) => `${g.of('any')} | type_debug`,
    (g) => `(${g.of('any')} and ${g.of('any')} or ${g.of('any')})`,
    (g) => `(${g.of('any')}, ${g.of('any')})`,
  ],
};

const typeTests = [
  'none',
  'number',
  'integer',
  'float',
  'string',
  'mapping',
  'sequence',
  'iterable',
  'boolean',
  'true',
  'false',
  'truthy',
  'falsy',
  'defined',
  'lower',
  'upper',
];
const attributeTests = [
  "'v', '>', 1",
  "'name', 'equalto', s",
  "'opt'",
  "'opt', 'defined'",
  "'name', 'match', '^a'",
  "'v', 'in', li",
];
const textFilters = [
  'upper',
  'lower',
  'title',
  'capitalize',
  'trim',
  'reverse',
  'b64encode',
  'quote',
  'hash',
  'indent',
  'regex_escape',
  'basename',
  'dirname',
  'urlencode',
  'comment',
  'first',
  'last',
  'list | join',
  'wordcount',
  'length',
  'from_yaml',
  'string',
  'center(9)',
  'truncate(4)',
];
const textMethods = [
  'upper',
  'lower',
  'title',
  'capitalize',
  'strip',
  'swapcase',
  'lstrip',
  'rstrip',
  'splitlines',
  'split',
  'expandtabs',
];
const literalOf: Record<Type, string[]> = {
  int: ['0', '1', '2', '7', '-3', '10'],
  float: ['0.5', '1.0', '2.75'],
  bool: ['true', 'false', 'True', 'False'],
  string: literals,
  ints: ['[]', '[1, 2, 3]'],
  strings: ['[]', "['a', 'b']"],
  dicts: ["[{'name': 'q', 'v': 1}]"],
  dict: ['{}', "{'a': 1}"],
  any: ['none', '1', "'a'", '[]', '()'],
};

/** Writes random expressions; now and then of the wrong type, because errors must agree too. */
export class Grammar {
  private depth = 0;

  constructor(readonly c: Chance) {}

  expression(): string {
    return this.of(this.c.pick(Object.keys(rules) as Type[]));
  }

  list(): string {
    return this.of(this.c.pick(['ints', 'strings', 'dicts'] as const));
  }

  of(wanted: Type): string {
    const type = this.c.chance(0.04) ? this.c.pick(Object.keys(rules) as Type[]) : wanted;
    if (this.depth >= 3 || this.c.chance(0.3)) return this.leaf(type);
    this.depth++;
    const text = this.c.pick(rules[type])(this);
    this.depth--;
    return text.startsWith('(') || text.startsWith('[') || text.startsWith('{') ? text : `(${text})`;
  }

  private leaf(type: Type): string {
    if (this.c.chance(0.02)) return this.c.pick(names.undefined);
    if (type === 'any' && this.c.chance(0.8))
      return this.leaf(this.c.pick(['int', 'float', 'bool', 'string', 'ints', 'strings', 'dict']));
    return this.c.chance(0.7) ? this.c.pick(names[type]) : this.c.pick(literalOf[type]);
  }
}
