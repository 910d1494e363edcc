import * as assert from 'uvu/assert';
import { Float, Unsafe } from '../../../src/jinja/values.ts';
import { parseYaml } from '../../../src/load/yaml.ts';
import { suite } from '../../support/harness.ts';
import { cpuMs } from './support/cpu.ts';

const test = suite('load/yaml');
const read = (text: string | Buffer) => parseYaml(text, { file: 'a.yml' });

// What PyYAML's SafeLoader gives for each plain scalar.
const scalars: [string, unknown][] = [
  ['1.0', new Float(1)],
  ['1.', new Float(1)],
  ['.5', 0.5],
  ['1.20', 1.2],
  ['1.5e+3', new Float(1500)],
  ['1e3', '1e3'],
  ['1.5e3', '1.5e3'],
  ['0644', 420],
  ['0o644', '0o644'],
  ['0x1F', 31],
  ['0b101', 5],
  ['089', '089'],
  ['1_000', 1000],
  ['12:30:45', 45045],
  ['-1:30', -90],
  ['1:30.5', 90.5],
  ['+5', 5],
  ['-0', 0],
  ['9007199254740993', 9007199254740993n],
  ['.inf', Infinity],
  ['-.INF', -Infinity],
  ['yes', true],
  ['Off', false],
  ['yEs', 'yEs'],
  ['y', 'y'],
  ['~', null],
  ['Null', null],
  ['', null],
  ['2020-01-01', '2020-01-01'],
  ['1.2.3', '1.2.3'],
  ['v1', 'v1'],
  ["'yes'", 'yes'],
  ['"0644"', '0644'],
];

for (const [text, want] of scalars)
  test(`reads ${text || 'nothing'} as PyYAML does`, () =>
    assert.equal(read(`a: ${text}\n`).entries?.get('a')?.node.value, want));

test('keeps the text and the place of a scalar', () => {
  const node = read('x:\n  - k: 1.20\n').entries?.get('x')?.node.items?.[0]?.entries?.get('k');
  assert.is(node?.node.source, '1.20');
  assert.equal(node?.node.origin, { file: 'a.yml', line: 2, column: 8 });
  assert.equal(node?.keyOrigin, { file: 'a.yml', line: 2, column: 5 });
});

test('merges << with own keys and earlier maps winning', () => {
  const node = read('a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc:\n  <<: [*a, *b]\n  x: 3\n').entries?.get('c')?.node;
  assert.equal(
    [...((node?.value ?? new Map()) as Map<string, number>)],
    [
      ['x', 3],
      ['y', 1],
      ['z', 2],
    ],
  );
});

test('types keys as values', () =>
  assert.equal([...(read('8: a\nyes: b\n').value as Map<unknown, unknown>).keys()], [8, true]));
test('keeps hostile keys as plain keys', () => {
  const node = read('__proto__: {polluted: yes}\nconstructor: 1\n');
  assert.equal([...(node.value as Map<string, unknown>).keys()], ['__proto__', 'constructor']);
  assert.is(({} as { polluted?: boolean }).polluted, undefined);
});
test('marks !unsafe, deeply', () => {
  const node = read('a: !unsafe "{{ x }}"\nb: !unsafe\n  - "{{ y }}"\n  - 5\n');
  assert.equal(node.entries?.get('a')?.node.value, new Unsafe('{{ x }}'));
  assert.equal(node.entries?.get('b')?.node.value, [new Unsafe('{{ y }}'), 5]);
  assert.ok(node.literal);
});
test('knows what holds a template', () => {
  const node = read('a: "{{ x }}"\nb: [1, {c: "{% if x %}"}]\nd: "{x}"\n');
  assert.equal(
    [...(node.entries ?? [])].map(([name, entry]) => [name, entry.node.literal]),
    [
      ['a', false],
      ['b', false],
      ['d', true],
    ],
  );
});
test('reads CRLF, a BOM and JSON', () => {
  assert.equal(read('a: |\r\n  x\r\n  y\r\n').entries?.get('a')?.node.value, 'x\ny\n');
  assert.is(read(Buffer.from('\ufeffa: 1\n')).entries?.get('a')?.node.value, 1);
  assert.is(read('{"a": "\\u00e9"}').entries?.get('a')?.node.value, 'é');
});
test('takes duplicate keys as warnings when asked', () => {
  const warnings: string[] = [];
  const node = parseYaml('a: 1\na: 2\n', { file: 'a.yml', onDuplicate: (warning) => warnings.push(warning.message) });
  assert.is(node.entries?.get('a')?.node.value, 2);
  assert.equal(warnings, ["the key 'a' stands twice in this mapping"]);
});
test('a vaulted value without a password is a fault, not an error', () => {
  const node = read('a: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  3132\n').entries?.get('a')?.node;
  assert.match(node?.fault?.message ?? '', /no password is given/);
});

const refused: [string, string | Buffer, string, string][] = [
  ['a tab', 'a:\n\tb: 1\n', '2:1', 'a tab is used for indentation'],
  ['a second document', 'a: 1\n---\nb: 2\n', '3:1', 'a second YAML document starts here'],
  [
    'a tag that would build an object',
    'a: !!python/object:os.system x\n',
    '1:4',
    'the tag !!python/object:os.system is not known',
  ],
  ['an alias inside what it names', '&a [*a]', '1:5', 'the alias *a stands inside what it names'],
  ['an unknown alias', 'a: *x\n', '1:4', 'no anchor &x stands before the alias *x'],
  ['deep nesting', '['.repeat(100_000), '1:202', 'the YAML is nested too deeply'],
  ['a NUL byte', 'a: b\0c\n', '1:5', 'the file holds a NUL byte'],
  ['binary', Buffer.from([0x61, 0x3a, 0x20, 0xc3, 0x28]), '1:4', 'the file is not UTF-8 text'],
  ['UTF-16', Buffer.from('\ufeffa: 1\n', 'utf16le'), '1:1', 'the file is UTF-16'],
  ['an unquoted template', 'a: {{ b }}\n', '1:4', 'a value that starts with {{ must be quoted'],
  ['an unquoted template with a tail', 'x: 1\na: {{ b }}/c\n', '2:4', 'a value that starts with {{ must be quoted'],
  ['an unclosed quote', 'c: "ok"\na: "foo\nb: 1\n', '2:4', 'a quote that opens is never closed'],
  ['a list as key', '? [a]\n: c\n', '1:3', 'a mapping key is a list or a mapping'],
];

for (const [name, text, place, message] of refused)
  test(`refuses ${name}`, () => {
    const error = thrown(() => read(text)) as { message: string; facts: { origin: { line: number; column: number } } };
    assert.is(error.message, message);
    assert.is(`${error.facts.origin.line}:${error.facts.origin.column}`, place);
  });

test('ends an alias bomb at once', () => {
  const lines = [...'bcdefghi'].map((name, i) => `${name}: &${name} [${Array(10).fill(`*${'abcdefgh'[i]}`)}]`);
  const taken = cpuMs(() => {
    assert.match(
      (thrown(() => read(`a: &a [${Array(10).fill(1)}]\n${lines.join('\n')}\n`)) as Error).message,
      /alias bomb/,
    );
  });
  assert.ok(taken < 1000, `${taken} ms`);
});
test.run();

function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
