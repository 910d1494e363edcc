import * as assert from 'uvu/assert';
import { Dict, hasUnsafe, standardEnvironment, Unsafe, type Value } from '../../../src/jinja/index.ts';
import { suite } from '../../support/harness.ts';
import { errorOf, file, native, value, when } from './support/evaluate.ts';

const test = suite('jinja/trust');
const u = new Unsafe('{{ 7*7 }} a');
const vars = {
  u,
  s: 'safe',
  l: [u, 'safe'] as Value[],
  d: new Dict([
    ['out', u],
    ['name', 'safe'],
  ]),
  json: new Unsafe('{"a": ["{{ x }}"]}'),
};

// What comes out of these is still the host's text.
const marked = `u | u ~ 'x' | s ~ u | u + s | s + u | u * 2 | u[1:] | u[0] | '%s' % u | '{}'.format(u) | u.upper() | u.split() | u.replace('a', 'b')
  | s.replace('s', u) | u.strip() | l[0] | d.out | d['out'] | [u] | {'a': u} | (u, 1) | u if true else s | u or s | ','.join(l)
  | s.join(l) | u.partition(' ') | u.splitlines() | u.title()`;
for (const source of marked.split(/\s+\|\s+/))
  test(`marked: ${source}`, () => assert.ok(hasUnsafe(value(source, vars))));

const filters = `upper lower trim string list first last reverse to_json to_nice_json to_yaml to_nice_yaml quote indent
  regex_replace('a','b') regex_search('a') regex_findall('.') replace('a','b') join(',') default('x') b64encode basename hash
  urlencode comment split(',') format title wordwrap(3) truncate(6,true) to_uuid escape center(20) regex_escape type_debug|string`;
for (const name of filters.split(/\s+/).filter((each) => !each.includes('type_debug')))
  test(`marked: u | ${name}`, () => assert.ok(hasUnsafe(value(`u | ${name}`, vars))));

const through = [
  'json | from_json',
  '(json | from_json).a[0]',
  'json | from_yaml',
  "'e3sgeCB9fQ==' ~ (u | replace(u, '')) | b64decode",
  'l | join',
  "l | map('upper') | list",
  "l | map('regex_replace', '^', 'x') | first",
  '[d] | map(attribute="out") | list',
  'd | dict2items',
  'd | combine({"x": 1})',
  'l | sort',
  'd | to_json',
  "[d] | json_query('[0].out')",
  'lookup("vars", "s")',
  'query("items", ["a"])',
  'l | unique',
  '[l] | flatten',
  'l | zip([1, 2]) | list',
  "dict([['k', u]])",
  "{'k': s}.get('no', u)",
];
for (const source of through) test(`marked: ${source}`, () => assert.ok(hasUnsafe(value(source, vars))));

// Questions about it are not text, and neighbours are not touched.
const clean = [
  'u | length',
  'u == s',
  's in u',
  'u is string',
  's',
  'd.name',
  'l[1]',
  's if u else "x"',
  '"x" if "7" in u else s',
  'u | bool',
  'u | int',
  'l | length',
  "[d] | selectattr('out', 'defined') | map(attribute='name') | list",
  'u.startswith("{")',
  'u.find("a")',
  "{'a': s}[('a' if u else 'b')]",
];
for (const source of clean) test(`not marked: ${source}`, () => assert.not(hasUnsafe(value(source, vars))));

test('marked text is never rendered', () => {
  assert.equal(native(u, vars), u);
  assert.equal(native('{{ u }}', vars), u);
  assert.equal(native(new Dict([['k', u]]), vars), new Dict([['k', u]]));
  assert.equal(native('x {{ u }}', vars), new Unsafe('x {{ 7*7 }} a'));
  assert.equal(file('x {{ u }}', vars), new Unsafe('x {{ 7*7 }} a'));
  assert.is(file('x {{ s }}', vars), 'x safe');
});

test('what looks like a literal stays marked when it is read back', () => {
  const list = native('{{ x }}', { x: new Unsafe("['{{ 1 }}']") });
  assert.equal(list, [new Unsafe('{{ 1 }}')]);
});

test('a condition made of marked text is refused', () => {
  const error = errorOf(() => when('{{ u }}', vars));
  assert.is(error.kind, 'security');
  assert.is(error.message, 'Conditional is marked as unsafe, and cannot be evaluated.');
  assert.is(when('u', vars), true);
  assert.is(when('{{ u | length > 0 }}', vars), true);
});

test('macros, set blocks and loops keep the mark', () => {
  assert.ok(hasUnsafe(file('{% macro m(x) %}{{ x }}{% endmacro %}{{ m(u) | upper }}', vars) as Value));
  assert.ok(hasUnsafe(file('{% set x %}{{ u }}{% endset %}{{ x }}', vars) as Value));
  assert.ok(hasUnsafe(file('{% for c in u %}{{ c }}{% endfor %}', vars) as Value));
  assert.ok(hasUnsafe(file('{% filter upper %}{{ u }}{% endfilter %}', vars) as Value));
});

test('lookups of the caller are marked, unless the playbook allows them to be rendered', () => {
  const env = standardEnvironment({ lookups: (name) => (name === 'mine' ? ['{{ x }}'] : undefined) });
  assert.equal(value("lookup('mine')", {}, env), new Unsafe('{{ x }}'));
  assert.equal(value("query('mine')", {}, env), [new Unsafe('{{ x }}')]);
  assert.equal(value("lookup('mine', allow_unsafe=true)", {}, env), ['{{ x }}']);
});
test.run();
