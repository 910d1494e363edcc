import * as assert from 'uvu/assert';
import { pythonRegex, replacementOf, TemplateError } from '../../../src/jinja/index.ts';
import { suite } from '../../support/harness.ts';

const test = suite('jinja/regex');

// Pattern, text, what the whole match and the groups are (undefined: no match).
const searches: [string, string, (string | undefined)[] | undefined][] = [
  ['a(b)?c', 'xacx', ['ac', undefined]],
  ['(?P<y>\\d{4})-(?P<m>\\d\\d)', 'on 2024-05', ['2024-05', '2024', '05']],
  ['(?P<q>[\'"]).*?(?P=q)', 'say "hi" now', ['"hi"', '"']],
  ['^b', 'a\nb', undefined],
  ['(?m)^b$', 'a\nb\nc', ['b']],
  ['a$', 'a\n', ['a']],
  ['a\\Z', 'a\n', undefined],
  ['\\Ab', 'ab', undefined],
  ['(?s)a.b', 'a\nb', ['a\nb']],
  ['a.b', 'a\nb', undefined],
  ['(?i)STRASSE|é', 'É', ['É']],
  ['(?i:a)b', 'Ab', ['Ab']],
  ['(?i:a)b', 'AB', undefined],
  ['(?x) a  # letter\n b', 'ab', ['ab']],
  ['\\bfoo\\b', 'a foo.', ['foo']],
  ['\\w+', 'Grüße_1 x', ['Grüße_1']],
  ['(?a)\\w+', 'Grüße', ['Gr']],
  ['(?<=a)b(?!c)', 'abc ab', ['b']],
  ['(?<!a)b', 'ab b', ['b']],
  ['(?>a+)ab', 'aaab', undefined],
  ['a++b', 'aaab', ['aaab']],
  ['(a)|b', 'b', ['b', undefined]],
  ['(?:(a)|b)*', 'ab', ['ab', 'a']],
  ['(<)?x(?(1)>|!)', '<x> x!', ['<x>', '<']],
  ['a{2,3}?', 'aaaa', ['aa']],
  ['a{,2}b', 'aaab', ['aab']],
  ['a{x}', 'a{x}', ['a{x}']],
  ['[]a-]+', ']-a', [']-a']],
  ['[^\\d\\s]+', '1 ab2', ['ab']],
  ['\\x41\\u00e9\\t\\101', 'Aé\tA', ['Aé\tA']],
  ['😀.', 'x😀y', ['😀y']],
  ['(?#note)a', 'a', ['a']],
];
for (const [pattern, text, expected] of searches)
  test(`${pattern} on ${JSON.stringify(text)}`, () => {
    const found = pythonRegex(pattern).search(text);
    assert.equal(found && [found.text, ...found.groups], expected);
  });

const invalid = [
  '(',
  ')',
  '[',
  '*a',
  'a**',
  'a{3,2}',
  '\\',
  '(?P<1>a)',
  '(?P<a>x)(?P<a>y)',
  '(?P=no)',
  '\\2(a)',
  '(?<=a+)b',
  '[z-a]',
  '\\q',
  '(?z)a',
  'a(?i)b',
  '(?(3)a|b)',
  '\\x4',
];
for (const pattern of invalid)
  test(`refused: ${pattern}`, () => {
    try {
      pythonRegex(pattern);
    } catch (error) {
      assert.instance(error, TemplateError);
      assert.match((error as Error).message, /invalid regular expression|look-behind/);
      return;
    }
    assert.unreachable();
  });

// Pattern, replacement, text, result.
const replacements: [string, string, string, string][] = [
  ['(\\w+) (\\w+)', '\\2 \\1', 'a b', 'b a'],
  ['(?P<x>a)', '<\\g<x>\\g<1>\\g<0>>', 'ba', 'b<aaa>'],
  ['x*', '-', 'abxd', '-a-b--d-'],
  ['(a)|b', '[\\1]', 'ab', '[a][]'],
  ['a', '\\n\\t\\\\', 'a', '\n\t\\'],
  ['a', '$1 $& \\.', 'a', '$1 $& \\.'],
  ['', '|', '😀é', '|😀|é|'],
];
for (const [pattern, replacement, text, expected] of replacements)
  test(`${pattern} → ${replacement}`, () => {
    const regex = pythonRegex(pattern);
    assert.is(regex.replace(text, replacementOf(regex, replacement)), expected);
  });

test('bad references in replacements are refused', () => {
  for (const replacement of ['\\1', '\\g<no>', '\\q', '\\'])
    assert.throws(() => replacementOf(pythonRegex('a'), replacement));
});

test('a count bounds the replacements', () => {
  const regex = pythonRegex('a');
  assert.is(
    regex.replace('aaa', () => 'b', 2),
    'bba',
  );
});

test('long texts need no deep stack', () => {
  assert.is(pythonRegex('(?:ab)*').match('ab'.repeat(20_000))?.end, 40_000);
  assert.is(pythonRegex('(a|b)+?c').search(`${'ab'.repeat(50)}c`)?.end, 101);
});
test.run();
