import * as assert from 'uvu/assert';
import { Callable, Dict, fromPlain, isMapping, toPlain, Undefined, type Value } from '../../../src/jinja/index.ts';
import { suite } from '../../support/harness.ts';
import { errorOf, value } from './support/evaluate.ts';

const test = suite('jinja/security');
const vars = {
  s: 'text',
  n: 5,
  f: 2.5,
  b: true,
  l: [1] as Value[],
  d: new Dict([['a', 1]]),
  none: null,
  plain: fromPlain(JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}')),
};
const names = [
  '__class__',
  '__proto__',
  'constructor',
  'prototype',
  '__init__',
  '__globals__',
  '__subclasses__',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  '__lookupGetter__',
  'length',
  'call',
  'apply',
  'bind',
  'caller',
  'arguments',
  'mro',
  'func_globals',
  'items_',
  'size',
  'map',
  'filter',
  'forEach',
  'text',
  'push',
  'then',
];
const roots = [
  's',
  'n',
  'f',
  'b',
  'l',
  'd',
  'none',
  's.upper',
  'd.items()',
  'range(3)',
  'dict',
  'range',
  'namespace()',
  'cycler(1)',
  '(1, 2)',
  'now()',
  'lookup',
  'joiner()',
  "('2024-01-01 00:00:00' | to_datetime)",
  '(now() - now())',
];

for (const root of roots)
  test(`nothing of JavaScript or Python is reachable from ${root}`, () => {
    for (const name of names)
      for (const source of [`${root}.${name}`, `${root}['${name}']`, `(${root}) | attr('${name}')`])
        assert.ok(reachesNothing(source), source);
  });

function reachesNothing(source: string): boolean {
  const found = value(source, vars);
  return found instanceof Undefined;
}

test('dicts give their own keys only, whatever these are called', () => {
  assert.is(value('plain.constructor', vars), 2);
  assert.is(value("plain['__proto__'].x", vars), 1);
  assert.is(value("'toString' in d", vars), false);
  assert.is(value("'__proto__' in d", vars), false);
  assert.is(value("d.get('constructor', 7)", vars), 7);
  assert.equal(toPlain(value('plain', vars)), JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}'));
  assert.is(({} as { x?: number }).x, undefined);
});

test('assignments reach no object but dicts and namespaces', () => {
  const result = value("d.__setitem__('__proto__', {'polluted': 1})", vars);
  assert.is(result, null);
  assert.is(({} as { polluted?: number }).polluted, undefined);
});

test('names of globals are those that are listed', () => {
  for (const name of [
    'process',
    'require',
    'globalThis',
    'eval',
    'Function',
    'constructor',
    '__proto__',
    'self',
    'environment',
  ])
    assert.instance(value(name), Undefined, name);
});

test('filters, tests, lookups and paths by the names of prototypes are unknown names', () => {
  assert.is(errorOf(() => value('1 | constructor')).kind, 'syntax');
  assert.is(errorOf(() => value('1 | __proto__')).kind, 'syntax');
  assert.is(errorOf(() => value('1 is toString')).kind, 'syntax');
  assert.is(errorOf(() => value("lookup('constructor')")).kind, 'type');
  assert.is(errorOf(() => value("[1] | map('constructor') | list")).kind, 'syntax');
  assert.is(errorOf(() => value("'x' | comment('constructor')")).kind, 'type');
  assert.is(errorOf(() => value("'x' | password_hash('constructor')")).kind, 'type');
  assert.is(errorOf(() => value("'1.1.1.1' | ipaddr('constructor')")).kind, 'type');
  assert.equal(value("[d] | map(attribute='constructor.name') | list | length", vars), 1);
  assert.is(value("{'a': 1} | json_query('constructor')"), null);
  assert.is(value("{'a': 1} | json_query('__proto__')"), null);
});

test('format strings reach what templates reach, no more', () => {
  for (const path of ['__class__', '__init__.__globals__', 'constructor', '__proto__'])
    assert.is(errorOf(() => value(`'{0.${path}}'.format(s)`, vars)).kind, 'undefined', path);
  assert.is(errorOf(() => value("'{0[__proto__]}'.format(d)", vars)).kind, 'undefined');
});

test('what cannot be called is an error, not a crash', () => {
  for (const source of ['s()', 'n()', 'l()', 'd()', 's.nothing()', 'd.a()', "l['push'](2)"]) {
    const { kind } = errorOf(() => value(source, vars));
    assert.ok(kind === 'type' || kind === 'undefined', source);
  }
  assert.instance(value('s.upper', vars), Callable);
  assert.ok(isMapping(value('d', vars)));
});
test.run();
