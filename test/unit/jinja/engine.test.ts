import * as assert from 'uvu/assert';
import { filter } from '../../../src/jinja/definitions.ts';
import {
  compare,
  Dict,
  Float,
  fromPlain,
  LazyDict,
  parsePythonLiteral,
  parseTemplate,
  parseYamlString,
  pyEquals,
  pyRepr,
  pyStr,
  render,
  renderNative,
  standardEnvironment,
  Tuple,
  toPlain,
  truthy,
  Undefined,
  Unknown,
  Unsafe,
  usedNames,
  type Value,
} from '../../../src/jinja/index.ts';
import { suite } from '../../support/harness.ts';
import { errorOf, file, native, scopeOf, value } from './support/evaluate.ts';

const test = suite('jinja/engine');

test('values go to plain JavaScript and back', () => {
  const plain = { a: [1, 2.5, 'x', true, null], b: { c: {} } };
  assert.equal(toPlain(fromPlain(plain)), plain);
  assert.equal(
    toPlain(
      new Dict([
        ['f', new Float(2)],
        ['u', new Unsafe('t')],
        ['t', new Tuple([1])],
      ] as [Value, Value][]),
    ),
    { f: 2, u: 't', t: [1] },
  );
  assert.throws(() => toPlain(new Undefined('x')));
  assert.throws(() => fromPlain(() => 1));
});

test('dicts find keys as Python does', () => {
  const dict = new Dict([
    [1, 'int'],
    ['1', 'text'],
    [new Tuple([1, 'a']), 'tuple'],
    [new Unsafe('k'), 'unsafe'],
  ]);
  assert.is(dict.get(new Float(1)), 'int');
  assert.is(dict.get(true), 'int');
  assert.is(dict.get('1'), 'text');
  assert.is(dict.get(new Tuple([1, 'a'])), 'tuple');
  assert.is(dict.get('k'), 'unsafe');
  dict.set(true, 'again');
  assert.is(dict.size, 4);
  assert.is(pyRepr(dict), "{1: 'again', '1': 'text', (1, 'a'): 'tuple', 'k': 'unsafe'}");
  assert.is(dict.delete('k'), true);
  assert.is(dict.has(new Unsafe('k')), false);
  assert.throws(() => dict.get([1]), /unhashable/);
});

test("Python's own views of values", () => {
  assert.is(pyStr(new Float(2)), '2.0');
  assert.is(pyRepr("it's"), '"it\'s"');
  assert.is(pyEquals(1, true), true);
  assert.is(pyEquals([1], [new Float(1)]), true);
  assert.is((compare('a', 'b') as number) < 0, true);
  assert.is(truthy([]), false);
  assert.instance(truthy(new Unknown('x')), Unknown);
  assert.instance(pyStr([new Unknown('x')]), Unknown);
  assert.equal(
    parsePythonLiteral("{'a': [1, 2.0, (3,)], 'b': None}"),
    new Dict([
      ['a', [1, new Float(2), new Tuple([3])]],
      ['b', null],
    ] as [Value, Value][]),
  );
  assert.is(parsePythonLiteral('a + 1'), undefined);
});

test('a variable that is a template itself becomes text, any other keeps its type', () => {
  const scope = { ...scopeOf({ a: 5 }), isTemplated: () => true };
  assert.is(renderNative('{{ a }}', scope, standardEnvironment()), '5');
  assert.is(native('{{ a }}', { a: 5 }), 5);
});

test('lazy dicts compute what is asked for', () => {
  const asked: string[] = [];
  class Hosts extends LazyDict {
    get(key: string): Value | undefined {
      asked.push(key);
      return key === 'n1' ? 'one' : undefined;
    }
    keys(): string[] {
      return ['n1'];
    }
  }
  const vars = { hostvars: new Hosts() };
  assert.is(value("hostvars['n1']", vars), 'one');
  assert.is(value('hostvars.n1 ~ (hostvars | length)', vars), 'one1');
  assert.is(value("'n2' in hostvars", vars), false);
  assert.instance(value('hostvars.n2', vars), Undefined);
  assert.is(value('hostvars is mapping', vars), true);
  assert.equal(value('hostvars.keys() | list', vars), ['n1']);
  assert.equal(asked.includes('n2'), true);
});

test('an environment takes filters, a clock and random bytes', () => {
  const env = standardEnvironment({ now: () => new Date(0), randomBytes: (count) => new Uint8Array(count) });
  env.filters.set(
    'shout',
    filter('mark?', 'Louder.', (input, [mark = '!']) => `${pyStr(input)}${pyStr(mark)}`),
  );
  assert.is(value("'a' | shout | shout(mark='?')", {}, env), 'a!?');
  assert.is(value('now(utc=true).year', {}, env), 1970);
  assert.is(value("now(true, '%Y-%m-%d')", {}, env), '1970-01-01');
  assert.is(value('[1, 2, 3] | random', {}, env), 1);
});

test('variables are not changed by the methods that a template calls on them', () => {
  const list: Value[] = [1];
  const dict = new Dict([['a', 1]]);
  assert.is(
    file("{% set _ = l.append(2) %}{% set _ = d.update({'b': 2}) %}{{ l }}{{ d }}", { l: list, d: dict }),
    "[1, 2]{'a': 1, 'b': 2}",
  );
  assert.equal(list, [1]);
  assert.is(dict.size, 1);
  assert.is(value('l.append(3)', { l: list }), null);
  assert.equal(list, [1]);
});

test('do, break and continue work too', () => {
  assert.is(file('{% set l = [] %}{% do l.append(1) %}{{ l }}'), '[1]');
  assert.is(
    file(
      '{% for i in range(9) %}{% if i == 2 %}{% continue %}{% endif %}{% if i == 4 %}{% break %}{% endif %}{{ i }}{% endfor %}',
    ),
    '013',
  );
});

test('template options: blocks, newlines, header', () => {
  const env = standardEnvironment();
  const show = (source: string, options = {}) => render(parseTemplate(source, options), scopeOf({}), env);
  assert.is(show('{% if true %}\nx\n{% endif %}\n'), 'x\n');
  assert.is(show('{% if true %}\nx\n{% endif %}\n', { trimBlocks: false }), '\nx\n');
  assert.is(show('  {% if true %}x{% endif %}', { lstripBlocks: true }), 'x');
  assert.is(show('a\nb\n', { newlineSequence: '\r\n' }), 'a\r\nb\r\n');
  assert.is(show('#jinja2: lstrip_blocks: True\n  {% if true %}x{% endif %}'), 'x');
});

test('the same text is parsed once', () => {
  assert.is(parseTemplate('{{ a }} once'), parseTemplate('{{ a }} once'));
  assert.is.not(parseTemplate('{{ a }} once'), parseTemplate('{{ a }} once', { trimBlocks: false }));
});

test('what a template needs of the engine', () => {
  const used = usedNames(
    parseYamlString(
      "{{ a | default('x') | map('upper') }}{% if b is version('1') %}{{ lookup('env', 'H').split(':') }}{% endif %}{% filter indent %}x{% endfilter %}{{ l | selectattr('a', 'match', 'x') }}",
    ),
  );
  assert.equal(used.filters.map(({ name }) => name).sort(), ['default', 'indent', 'map', 'selectattr', 'upper']);
  assert.equal(used.tests.map(({ name }) => name).sort(), ['match', 'version']);
  assert.equal(
    used.lookups.map(({ name }) => name),
    ['env'],
  );
  assert.equal(
    used.methods.map(({ name }) => name),
    ['split'],
  );
});

test('an unknown filter is an error even where evaluation would not come', () => {
  assert.is(errorOf(() => file('{% if false %}{{ 1 | nosuch }}{% endif %}')).kind, 'syntax');
  assert.is(errorOf(() => file('{% if false %}{% filter nosuch %}{% endfilter %}{% endif %}')).kind, 'syntax');
});

test('every filter and test has a line of documentation', () => {
  const { filters, tests } = standardEnvironment();
  for (const [name, { doc }] of [...filters, ...tests]) assert.match(doc, /^[A-Z"'%][^\n]{3,}$|^true for/, name);
});
test.run();
