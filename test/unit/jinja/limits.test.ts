import * as assert from 'uvu/assert';
import { standardEnvironment, type Value } from '../../../src/jinja/index.ts';
import { suite } from '../../support/harness.ts';
import { errorOf, file, native, value, when } from './support/evaluate.ts';

const test = suite('jinja/limits', { timeout: 30_000 });
const bomb = (depth: number) => `${'('.repeat(depth)}1${')'.repeat(depth)}`;

// Bombs: each must end with an error of kind limit or syntax, soon.
const expressions = [
  'range(10 ** 12) | list',
  'range(10 ** 12) | length > 0 and (range(10 ** 12) | join)',
  "'x' * 10 ** 12",
  "('x' * 10 ** 6) * 10 ** 6",
  '[1] * 10 ** 12',
  '9 ** (9 ** 9)',
  '10 ** (10 ** 7)',
  "'x' | center(10 ** 12)",
  "'%1000000000s' % 1",
  "'{:1000000000}'.format(1)",
  "'x'.ljust(10 ** 12)",
  '([range(1000) | list] * 100000) | flatten',
  'range(3000) | product(range(3000)) | list',
  'range(20) | permutations | list',
  "query('sequence', 'count=1000000000')",
  "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' is match('(a+)+$')",
  "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' | regex_replace('(a|aa)+$', 'x')",
  "('ab' * 50000) is search('(a|b|ab)*c')",
  bomb(5000),
  ...['1 + ', '2 ** ', 'true and ', 'false or ', '1 if 1 else '].map((link) => `${link.repeat(20_000)}1`),
  `x${' | list'.repeat(20_000)}`,
  `x${'.y'.repeat(20_000)}`,
  `x${' is defined'.repeat(20_000)}`,
  `${'['.repeat(3000)}${']'.repeat(3000)}`,
  `${'not '.repeat(5000)}x`,
  `${'-'.repeat(5000)}1`,
  `${'['.repeat(100000)}`,
];
for (const source of expressions)
  test(`bounded: ${source.slice(0, 60)}`, () => {
    const start = performance.now();
    const error = errorOf(() => value(source));
    assert.ok(['limit', 'syntax'].includes(error.kind), `${error.kind}: ${error.message}`);
    assert.ok(performance.now() - start < 10_000);
  });

const templates = [
  '{% for a in range(3000) %}{% for b in range(3000) %}{% for c in range(3000) %}{% endfor %}{% endfor %}{% endfor %}',
  '{% for a in range(100000) %}{{ "x" * 1000 }}{% endfor %}',
  '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}',
  '{% macro m(n) %}{{ n }}{{ m(n + 1) }}{% endmacro %}{{ m(0) }}',
  '{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}',
  '{% set l = [1] %}{% for i in range(100) %}{% set _ = l.extend(l) %}{% endfor %}',
  '{% set l = [] %}{% set _ = l.append(l) %}{{ l }}',
  '{% set l = [] %}{% set _ = l.append(l) %}{{ l | to_json }}',
  '{% if 1 %}'.repeat(2000),
];
for (const source of templates)
  test(`bounded: ${source.slice(0, 60)}`, () => {
    const error = errorOf(() => file(source));
    assert.ok(['limit', 'syntax', 'type'].includes(error.kind), `${error.kind}: ${error.message}`);
  });

test('variables that need each other end with an error', () => {
  const env = standardEnvironment();
  const texts: Record<string, string> = { a: '{{ b }}', b: '{{ a }}' };
  const vars = new Proxy({} as Record<string, Value>, {
    get: (_, name) => native(texts[name as string]!, vars, env),
    getOwnPropertyDescriptor: (_, name) =>
      name in texts ? { enumerable: true, configurable: true, value: undefined } : undefined,
  });
  assert.is(errorOf(() => native('{{ a }}', vars, env)).kind, 'limit');
});

test("limits are the environment's", () => {
  const env = standardEnvironment({ limits: { output: 100, depth: 5, range: 10, iterations: 50, regexSteps: 100 } });
  assert.is(errorOf(() => value("'x' * 101", {}, env)).kind, 'limit');
  assert.is(errorOf(() => value('range(11) | list', {}, env)).kind, 'limit');
  assert.is(
    errorOf(() => file('{% for a in range(9) %}{% for b in range(9) %}{% endfor %}{% endfor %}', {}, env)).kind,
    'limit',
  );
  assert.is(errorOf(() => value("('a' * 50) is match('(a?)*b')", {}, env)).kind, 'limit');
  assert.is(value("('x' * 99) | length", {}, env), 99);
});

test('a rendering that ended with an error leaves the next one its whole account', () => {
  for (let i = 0; i < 30; i++) errorOf(() => when('range(10 ** 9) | list'));
  assert.is(when('(range(1000) | list | length) == 1000'), true);
});
test.run();
