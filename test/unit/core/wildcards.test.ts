import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { type WildcardOptions, wildcards } from '../../../src/core/wildcards.ts';
import { suite } from '../../support/harness.ts';

const test = suite('wildcards');

const cases: [pattern: string, text: string, fits: boolean, options?: WildcardOptions][] = [
  ['*', '', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b', 'a-b-c', false],
  ['?', '', false],
  ['[ab]', '[ab]', true],
  ['[z-a]', 'b', false, { classes: '!' }],
  ['[!z-a]', 'b', true, { classes: '!' }],
  ['[]]', ']', true, { classes: '!' }],
  ['[^a]', '^', true, { classes: '!' }],
  ['[^a]', 'b', true, { classes: '!^' }],
  ['[a', '[a', true, { classes: '!' }],
  ['/etc/*', '/etc/a/b', false, { keepSlashes: true }],
  ['/etc/*/b', '/etc/a/b', true, { keepSlashes: true }],
  ['/etc/[!x]b', '/etc//b', false, { classes: '!', keepSlashes: true }],
];
for (const [pattern, text, fits, options] of cases)
  test(`${JSON.stringify(pattern)} ${fits ? 'fits' : 'does not fit'} ${JSON.stringify(text)}${options ? `, ${JSON.stringify(options)}` : ''}`, () =>
    assert.is(wildcards(pattern, options).test(text), fits));

test('many stars end in bounded time', () => {
  const start = process.cpuUsage();
  assert.not.ok(wildcards(`${'*a'.repeat(60)}*b`).test('a'.repeat(255)));
  assert.ok(process.cpuUsage(start).user < 200_000);
});

test("the same as Python's fnmatch", () => {
  const signs = fc.constantFrom('a', 'b', 'z', '-', '*', '?', '[', ']', '!', '^', '\\', '.');
  const pairs = fc.sample(
    fc.tuple(fc.string({ unit: signs, maxLength: 9 }), fc.string({ unit: signs, maxLength: 5 })),
    { numRuns: 3000, seed: 2026 },
  );
  const program =
    'import fnmatch, json, sys\nprint(json.dumps([fnmatch.fnmatchcase(t, p) for p, t in json.load(sys.stdin)]))';
  const theirs = JSON.parse(
    execFileSync('python3', ['-c', program], { input: JSON.stringify(pairs), encoding: 'utf8' }),
  );
  const differing = pairs.filter(
    ([pattern, text], at) => wildcards(pattern, { classes: '!' }).test(text) !== theirs[at],
  );
  assert.equal(differing, []);
  assert.ok(theirs.filter(Boolean).length > 50);
});

test.run();
