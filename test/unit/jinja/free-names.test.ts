import * as assert from 'uvu/assert';
import { freeNames, parseExpression, parseYamlString } from '../../../src/jinja/index.ts';
import { suite } from '../../support/harness.ts';

const test = suite('jinja/free-names');
const shown = (names: ReturnType<typeof freeNames>) =>
  names.map(({ name, guarded }) => (guarded ? `(${name})` : name)).join(' ');

// Expression → names in order, guarded ones in brackets.
const expressions: [string, string][] = [
  ['a', 'a'],
  ['a.b[c] + d(e, f=g) ~ "h"', 'a c d e g'],
  ['a is defined', '(a)'],
  ['a is defined and a.b == c', '(a) (a) c'],
  ['a.b.c | default(d)', '(a) d'],
  ['a[k] | default(1)', '(a) k'],
  ['a | default(b) | length', '(a) b'],
  ['not x is undefined', '(x)'],
  ['a if b else c', 'b a c'],
  ['[x, {y: z}] | map("f", w)', 'x y z w'],
  ['true and None or False', ''],
];
for (const [source, names] of expressions)
  test(source, () =>
    assert.is(
      [...shown(freeNames(parseExpression(source))).split(' ')].sort().join(' '),
      [...names.split(' ')].sort().join(' '),
    ),
  );

// Template → names.
const templates: [string, string][] = [
  ['plain', ''],
  ['x {{ a }} y {{ b.c }}', 'a b'],
  ['{% for i in items if i.x > n %}{{ i }}{{ loop.index }}{% endfor %}', 'items n'],
  ['{% for k, v in d.items() %}{{ k }}{{ v }}{{ w }}{% endfor %}', 'd w'],
  ['{% set x = y %}{{ x }}', 'y'],
  ['{% macro m(p, q=r) %}{{ p }}{{ q }}{{ s }}{% endmacro %}{{ m(1) }}', 'r s'],
  ['{% if a is defined %}{{ a }}{% endif %}', '(a) (a)'],
  ['{% with x = y %}{{ x }}{% endwith %}', 'y'],
  ['{% raw %}{{ a }}{% endraw %}', ''],
];
for (const [source, names] of templates)
  test(source, () => assert.is(shown(freeNames(parseYamlString(source))), names));

test('knows the place', () => {
  const [first] = freeNames(parseYamlString('one\n  {{ name }}'));
  assert.equal([first?.line, first?.column], [2, 6]);
});
test.run();
