import * as assert from 'uvu/assert';
import { formatInputError } from '../../../src/core/error-frame.ts';
import { inputError } from '../../../src/core/errors.ts';
import { placeIn } from '../../../src/core/place.ts';
import { parseYaml } from '../../../src/load/yaml.ts';
import { suite } from '../../support/harness.ts';

const test = suite('core/error-frame');
const show = (text: string, column: number, facts = {}) =>
  formatInputError(inputError('wrong', { origin: { file: 'a.yml', line: 2, column }, ...facts }), (file) =>
    file === 'a.yml' ? text : undefined,
  );

test('message, line, caret, then what helps', () =>
  assert.is(
    show('x\n\ta: 1\n', 2, { expected: 'e', nearest: 'n', hint: 'h' }),
    'a.yml:2:2: wrong\n  2 |  a: 1\n    |  ^\n  expected: e\n  did you mean: n\n  hint: h',
  ));
test('a file that is gone costs only the frame', () =>
  assert.is(
    formatInputError(inputError('wrong', { origin: { file: 'b', line: 1, column: 1 } }), () => undefined),
    'b:1:1: wrong',
  ));
test('an error without a place is its message', () =>
  assert.is(
    formatInputError(inputError('wrong'), () => undefined),
    'wrong',
  ));
test('a long line is cut around the column', () => {
  const [, line = '', caret = ''] = show(`x\n${'a'.repeat(300)}B${'c'.repeat(300)}\n`, 301).split('\n');
  assert.is(line.length < 130, true);
  assert.is(line[caret.indexOf('^')], 'B');
});
test('escape sequences of a file never reach the terminal', () =>
  assert.not.match(show('x\na: \u001b[31mred\n', 1), /\u001b/));

// The place of X in the value of `k`, in every style of YAML scalar.
const styles: [string, string, string][] = [
  ['plain', 'k: one X\n', '1:8'],
  ['double quotes', 'k: "one X"\n', '1:9'],
  ['escapes', 'k: "\\t\\"a\\x41 X"\n', '1:15'],
  ['single quotes', "k: 'it''s X'\n", '1:11'],
  ['literal', 'k: |\n  one\n\n    two X\n', '4:9'],
  ['folded', 'k: >-\n  one\n  two X\n', '3:7'],
  ['plain over lines', 'k: one\n  two\n  X\n', '3:3'],
  ['quoted over lines', 'k: "one\n  two\n\n  X"\n', '4:3'],
];
for (const [name, yaml, place] of styles)
  test(`places a character in a ${name} scalar`, () => {
    const node = parseYaml(yaml.replace('X', '{{X'), { file: 'a.yml' }).entries!.get('k')!.node;
    const { line, column } = placeIn(node, String(node.value).indexOf('{{'));
    assert.is(`${line}:${column}`, place);
  });
test.run();
