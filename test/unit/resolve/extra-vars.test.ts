import * as assert from 'uvu/assert';
import { readExtraVars } from '../../../src/resolve/extra-vars.ts';
import { suite } from '../../support/harness.ts';
import { caught } from '../load/support/caught.ts';
import { memorySources } from '../load/support/memory-files.ts';

const test = suite('resolve/extra-vars');
const sources = memorySources({ 'v.yml': 'a: 1\nb: two\n', 'list.yml': '- a\n', 'empty.yml': '' });
const read = (...flags: string[]) =>
  Object.fromEntries((readExtraVars(flags, sources)?.value ?? new Map()) as Map<string, unknown>);

const cases: [string[], Record<string, unknown>][] = [
  [['a=5 b="x y"'], { a: '5', b: 'x y' }],
  [['{"a": 5}'], { a: 5 }],
  [['{a: yes, b: 0644}'], { a: true, b: 420 }],
  [['@v.yml'], { a: 1, b: 'two' }],
  [['a=1', '@v.yml', 'b={{ a }}'], { a: 1, b: '{{ a }}' }],
  [['@empty.yml'], {}],
  [[''], {}],
  [[], {}],
];
for (const [flags, want] of cases) test(flags.join(' ') || 'nothing', () => assert.equal(read(...flags), want));

const refused: [string, RegExp][] = [
  ['hello', /'hello' is no variable/],
  ['a=1 hello', /'hello' is no variable/],
  ['@none.yml', /there is no file 'none.yml' for -e/],
  ['@list.yml', /'list.yml' is a list/],
  ['{a: [}', /./],
];
for (const [flag, message] of refused)
  test(`refuses ${flag}`, () => assert.match(caught(() => read(flag)).message, message));
test.run();
