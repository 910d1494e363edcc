import * as assert from 'uvu/assert';
import {
  evaluateCondition,
  parseExpression,
  parseTemplate,
  render,
  renderNative,
  standardEnvironment,
  type TemplateError,
} from '../../../src/jinja/index.ts';
import { suite } from '../../support/harness.ts';
import { errorOf, scopeOf } from './support/evaluate.ts';

const test = suite('jinja/errors');
const env = standardEnvironment();
const scope = scopeOf({ name: 'x', names: ['a'], server: { get: () => null } as never });
const origin = { name: 'roles/etcd/templates/etcd.conf.j2' };
const at = (error: TemplateError) => `${error.kind} ${error.origin}:${error.line}:${error.column} ${error.message}`;
const fileError = (source: string) => at(errorOf(() => render(parseTemplate(source, {}, origin), scope, env)));

// Template → kind, file:line:column, message.
const cases: [string, string][] = [
  ['one\ntwo {{ nmae }}', "undefined FILE:2:8 'nmae' is undefined"],
  ['{% if name %}\n  {{ name +\n 1 }}{% endif %}', "type FILE:2:11 unsupported operand type(s) for +: 'str' and 'int'"],
  ['a\n{{ name | nosuch }}', "syntax FILE:2:9 there is no filter named 'nosuch'"],
  ['{{ name is nosuch }}', "syntax FILE:1:9 there is no test named 'nosuch'"],
  ['{{ name', "syntax FILE:1:8 missing '}}'"],
  ['x\n{% if name %}y', "syntax FILE:2:4 the template ends before 'endif'"],
  ['{% fro %}', "syntax FILE:1:4 unknown tag 'fro', did you mean 'for'?"],
  ['{{ "a" "\\u12" }}', 'syntax FILE:1:8 invalid escape sequence in a string'],
  ['{{ (1 }}', "syntax FILE:1:7 unexpected '}'"],
  ['{{ a $ b }}', "syntax FILE:1:6 unexpected character '$'"],
  ['{{ name[1:2].x.y ~ "z" }}', "undefined FILE:1:13 'str object' has no attribute 'x'"],
  ['{{ names | first | int / 0 }}', 'type FILE:1:24 division by zero'],
  ['{# open', 'syntax FILE:1:1 missing end of comment tag'],
  ['{% raw %}', "syntax FILE:1:1 missing end of raw directive ('endraw')"],
  ['{% for x in 5 %}{% endfor %}', "type FILE:1:1 'int' object is not iterable"],
  ['{% set 5 = 1 %}', "syntax FILE:1:8 expected a variable name, got '5'"],
  ['{{ a b }}', "syntax FILE:1:6 unexpected 'b'"],
  ['{{ f(a=1, 2) }}', 'syntax FILE:1:11 a positional argument cannot stand behind keyword arguments'],
  ['{{ name | regex_search("(") }}', "type FILE:1:9 invalid regular expression '(': missing ) at position 1"],
];
for (const [source, expected] of cases)
  test(JSON.stringify(source), () => assert.is(fileError(source), expected.replace('FILE', origin.name)));

test('the nearest name is told', () => {
  assert.is(errorOf(() => render(parseTemplate('{{ nmaes }}'), scope, env)).nearest, 'names');
  assert.is(errorOf(() => render(parseTemplate('{{ nmaes }}'), scope, env)).undefinedName, 'nmaes');
  assert.is(errorOf(() => render(parseTemplate('{{ {"address": 1}.adress }}'), scope, env)).nearest, 'address');
  assert.is(errorOf(() => render(parseTemplate('{{ 1 | defualt }}'), scope, env)).nearest, 'default');
  assert.is(errorOf(() => render(parseTemplate('{{ qqqqqq }}'), scope, env)).nearest, undefined);
});

test('a string in the middle of a file knows its place there', () => {
  const place = { name: 'site.yml', line: 10, column: 20 };
  const inString = errorOf(() => renderNative('ab {{ nosuch }}', scope, env, place));
  assert.equal([inString.origin, inString.line, inString.column], ['site.yml', 10, 26]);
  const later = errorOf(() => renderNative('ab\n{{ nosuch }}', scope, env, place));
  assert.equal([later.line, later.column], [11, 4]);
  const condition = errorOf(() => evaluateCondition('name == nosuch', scope, env, place));
  assert.equal([condition.line, condition.column], [10, 28]);
  const syntax = errorOf(() => parseExpression('name ==', place));
  assert.equal([syntax.line, syntax.column], [10, 27]);
});

test('the header #jinja2: is checked', () => {
  assert.match(errorOf(() => parseTemplate('#jinja2: nosuch: 1\nx')).message, /has no option 'nosuch'/);
  assert.match(errorOf(() => parseTemplate('#jinja2: trim_blocks: maybe\nx')).message, /no Python literal/);
  const below = errorOf(() =>
    render(parseTemplate('#jinja2: trim_blocks: False\n{{ nosuch }}', {}, origin), scope, env),
  );
  assert.is(below.line, 2);
});
test.run();
