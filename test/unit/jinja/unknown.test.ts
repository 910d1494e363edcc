import * as assert from 'uvu/assert';
import { Dict, Unknown, type Value } from '../../../src/jinja/index.ts';
import { suite } from '../../support/harness.ts';
import { errorOf, file, native, type Vars, value, when } from './support/evaluate.ts';

const test = suite('jinja/unknown');
const deferred = new Unknown('apply', 'deferred');
const pending = new Unknown('probe', 'pending');
const vars: Vars = {
  u: deferred,
  p: pending,
  one: 1,
  s: 'text',
  yes: true,
  no: false,
  list: [deferred, 2, 3],
  d: new Dict([
    ['known', 5],
    ['later', deferred],
  ]),
  r: new Dict([
    ['rc', deferred],
    ['changed', true],
    ['stdout', deferred],
  ]),
};

// Expressions that stay unknown, and those whose answer is certain all the same.
const unknown = `u | u.x | u['x'] | u[0] | u[1:] | -u | u + 1 | 1 + u | u ~ 'x' | u == 1 | u != u | 1 < u | u in [1] | 1 in [u]
  | s in u | not u | u and yes | yes and u | u or no | no or u | u and s | u or s | u and 0 | u if yes else 1 | 1 if u else 2 | u.method(1) | u()
  | u is none | u is string | u is version('1', '>') | r.rc == 0 | r.stdout is search('x') | d.later | list[0]
  | list == [1, 2, 3] | 4 in list | s.replace('t', u) | s is match(u)`;
for (const source of unknown.split(/\s+\|\s+/))
  test(`unknown: ${source}`, () => assert.instance(value(source, vars), Unknown));

const filters = [
  'u | upper',
  'u | default(1)',
  'u | int',
  'u | length',
  's | replace("t", u)',
  'u | bool',
  'u | ternary(1, 2)',
  'u | type_debug',
  'list | sort',
  'list | sum',
  'list | max',
  'list | join(",")',
  'list | unique',
  'list | map("upper") | join',
  'list | select("odd")',
  'd | to_json',
  'd | to_yaml',
  'd | string',
  'list | string',
  '[d] | selectattr("later", "equalto", 1)',
  '[d] | map(attribute="later") | first',
  'u | from_json',
  'u | to_nice_yaml',
  'u | hash',
  'u | list',
  'range(u)',
  'lookup("vars", u)',
];
for (const source of filters) test(`unknown: ${source}`, () => assert.instance(value(source, vars), Unknown));

const certain: [string, Value][] = [
  ['u is defined', true],
  ['u is undefined', false],
  ['u and false', false],
  ['false and u', false],
  ['u or true', true],
  ['true or u', true],
  ['u.a.b is defined', true],
  ['d.known', 5],
  ['d.later is defined', true],
  ['d.other is defined', false],
  ["'later' in d", true],
  ["'other' in d", false],
  ['d | length', 2],
  ['list | length', 3],
  ['list[1]', 2],
  ['2 in list', true],
  ['list == [1, 2]', false],
  ['list == [1, 9, 3]', false],
  ['d == {}', false],
  ['7 if u else 7', 7],
  ['[d] | selectattr("known", "equalto", 5) | list | length', 1],
  ['list | last', 3],
  ['[u, 1] | map("type_debug") | list | length', 2],
  ['r is changed', true],
  ['r.rc is defined and r.changed', true],
  ['[d] | map(attribute="known") | join', '5'],
  ['d.keys() | list | length', 2],
  ['list | first is defined', true],
  ['1 < 2 > u > 5 or true', true],
];
for (const [source, expected] of certain) test(`certain: ${source}`, () => assert.equal(value(source, vars), expected));

test('containers keep what is unknown in them', () => {
  assert.equal(value('[u, 1]', vars), [deferred, 1]);
  assert.equal(native('{{ d }}', vars), vars.d);
  assert.instance(native('{{ list }} and more', vars), Unknown);
  assert.equal(
    native(
      new Dict([
        ['a', '{{ u }}'],
        ['b', '{{ one }}'],
      ]),
      vars,
    ),
    new Dict([
      ['a', deferred],
      ['b', 1],
    ] as [Value, Value][]),
  );
});

test('pending wins when both kinds meet', () => {
  for (const source of [
    'u + p',
    'p + u',
    'u == p',
    '[u, p] | join',
    'u and p',
    'p or u',
    'u ~ p',
    'u | replace(p, "x")',
  ])
    assert.is((value(source, vars) as Unknown).kind, 'pending', source);
  assert.is((file('{{ u }}{{ p }}', vars) as Unknown).kind, 'pending');
  assert.is((value('u + 1', vars) as Unknown).kind, 'deferred');
});

test('a text is unknown as a whole when any of it is', () => {
  for (const source of [
    'a{{ u }}',
    '{% if u %}x{% endif %}',
    '{% for i in u %}{% endfor %}',
    '{% set x = u %}{{ x }}',
    '{{ [u] }}',
  ])
    assert.is((file(source, vars) as Unknown).why, 'apply', source);
  assert.is(file('{% if u is defined %}x{% endif %}{% if u and false %}y{% endif %}', vars), 'x');
  assert.is(file('{% set x = u %}ok', vars), 'ok');
});

test('behind an unknown branch an undefined name is no error yet', () => {
  assert.instance(file('{% if u %}{% set y = 1 %}{% endif %}{{ y }}', vars), Unknown);
  assert.instance(value('u and nosuch', vars), Unknown);
  assert.instance(value('1 if u else nosuch', vars), Unknown);
  assert.is(errorOf(() => value('u + nosuch.x + nosuch', { ...vars, u: 1 })).kind, 'undefined');
});

// Conditions: true, false or Unknown.
const conditions: [string, boolean | 'unknown'][] = [
  ['u', 'unknown'],
  ['not u', 'unknown'],
  ['u == 0 and no', false],
  ['u == 0 or yes', true],
  ['r.rc == 0', 'unknown'],
  ['r is changed and r.rc == 0', 'unknown'],
  ['u or s', true],
  ['u and 0', false],
  ['{{ u }}', 'unknown'],
  ['(u or yes) and (no or u)', 'unknown'],
  ['u | default(false)', 'unknown'],
  ['u is defined', true],
  ["s in (u, 'text')", true],
];
for (const [source, expected] of conditions)
  test(`condition ${source}`, () => {
    const verdict = when(source, vars);
    assert.is(verdict instanceof Unknown ? 'unknown' : verdict, expected);
  });
test.run();
