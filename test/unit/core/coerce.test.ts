import * as assert from 'uvu/assert';
import { coerceParams } from '../../../src/core/coerce.ts';
import type { ParamSpec } from '../../../src/core/params.ts';
import { Float, Tuple, Unknown, Unsafe, type Value } from '../../../src/jinja/values.ts';
import { suite } from '../../support/harness.ts';

const t = suite('parameter coercion');
const options = { module: 'demo' };

/** What one value becomes, or the first problem's text. */
function as(spec: Omit<ParamSpec, 'doc'>, value: Value): unknown {
  const { params, problems } = coerceParams({ x: { ...spec, doc: '' } }, { x: value }, options);
  return problems.length ? `! ${problems[0]!.message}` : params.x;
}

const cases: [string, Omit<ParamSpec, 'doc'>, Value, unknown][] = [
  ...['y', 'Yes', 'ON', '1', 'true', 'T', 1, true].map((v) => bool(v, true)),
  ...['n', 'No', 'off', '0', 'False', 'f', 0, false].map((v) => bool(v, false)),
  ['a float is a truth', { type: 'bool' }, new Float(1), true],
  ['an int of text', { type: 'int' }, ' 5 ', 5],
  ['an int of a boolean', { type: 'int' }, true, 1],
  ['no int of a float', { type: 'int' }, 1.5, refusal('float', 'int', '1.5 cannot be converted to an int')],
  ['no int of words', { type: 'int' }, 'five', refusal('str', 'int', 'five cannot be converted to an int')],
  ['a float of text', { type: 'float' }, '1e3', 1000],
  ['text of an int', { type: 'str' }, 5, '5'],
  ['text of a float', { type: 'str' }, new Float(2), '2.0'],
  ['text of a small float', { type: 'str' }, 0.00001, '1e-05'],
  ['text of a boolean', { type: 'str' }, true, 'True'],
  ['text from a host', { type: 'str' }, new Unsafe('{{ x }}'), '{{ x }}'],
  ['no text of a list', { type: 'str' }, ['a'], refusal('list', 'str', 'list cannot be converted to a str')],
  ['a list of text', { type: 'list', elements: 'str' }, 'a, b', ['a', ' b']],
  ['a list of one number', { type: 'list', elements: 'str' }, 5, ['5']],
  ['a list of ints', { type: 'list', elements: 'int' }, ['1', 2], [1, 2]],
  ['a list of a tuple', { type: 'list', elements: 'str' }, new Tuple(['a']), ['a']],
  ['no list of a dict', { type: 'list' }, new Map(), refusal('dict', 'list', 'dict cannot be converted to a list')],
  ['a dict', { type: 'dict' }, new Map<Value, Value>([['a', [new Float(1)]]]), { a: [1] }],
  ['a dict of pairs', { type: 'dict' }, `a=1, b="x y" c=d\\ e`, { a: '1', b: 'x y', c: 'd e' }],
  ['a dict of JSON', { type: 'dict' }, '{"a": {"b": 1}}', { a: { b: 1 } }],
  [
    'no dict of words',
    { type: 'dict' },
    'a b',
    refusal('str', 'dict', 'dictionary requested, could not parse JSON or key=value'),
  ],
  ['a size', { type: 'bytes' }, '1.5K', 1536],
  ['a size in bytes', { type: 'bytes' }, '10MB', 10485760],
  ['a size as int', { type: 'bytes' }, 512, 512],
  ['a version', { type: 'version' }, '1.20', '1.20'],
  ['no version of a number', { type: 'version' }, 1.2, '! x: the version 1.2 is a number'],
  ['a mode as YAML reads 0644', { type: 'mode' }, 0o644, 0o644],
  ['a mode as text', { type: 'mode' }, '0644', '0644'],
  ['a symbolic mode', { type: 'mode' }, 'u=rw,g=r,o=', 'u=rw,g=r,o='],
  ['preserve', { type: 'mode' }, 'preserve', 'preserve'],
  ['a decimal mode', { type: 'mode' }, 644, '! x: mode 644 is a decimal number and means 01204'],
  ['a decimal mode with setgid', { type: 'mode' }, 2775, '! x: mode 2775 is a decimal number and means 05327'],
  ['a sticky mode', { type: 'mode' }, 0o1777, 0o1777],
  ['no mode', { type: 'mode' }, 'rw', '! x: bad symbolic permission for mode: rw'],
  ['a mode out of range', { type: 'mode' }, '77777', '! x: mode 77777 is out of range'],
  ['a choice', { type: 'str', choices: ['a', 'b'] }, 'b', 'b'],
  [
    'a bad choice',
    { type: 'str', choices: ['present', 'absent'] },
    'presnt',
    '! value of x must be one of: present, absent, got: presnt',
  ],
];
for (const [name, spec, value, expected] of cases) t(name, () => assert.equal(as(spec, value), expected));

t('every decimal of a common mode that is not itself an octal reading is refused', () => {
  const slips = [600, 640, 644, 664, 700, 750, 755, 770, 775, 777, 440, 444].map((n) => as({ type: 'mode' }, n));
  assert.ok(
    slips.every((text) => /is a decimal number/.test(String(text))),
    String(slips),
  );
});
t('every common mode written in octal is accepted', () => {
  const modes = [
    0o600, 0o640, 0o644, 0o660, 0o664, 0o700, 0o711, 0o750, 0o755, 0o770, 0o775, 0o777, 0o400, 0o440, 0o444,
  ];
  for (const mode of [...modes, 0o1777, 0o2755, 0o2775, 0o4755]) assert.is(as({ type: 'mode' }, mode), mode);
});
t('aliases count as the parameter, and a null as not given', () => {
  const specs = { path: { type: 'path', doc: '', required: true, aliases: ['dest'] } } as const;
  assert.equal(coerceParams(specs, { dest: '/x' }, options).params, { path: '/x' });
  assert.is(coerceParams(specs, { path: null }, options).problems[0]?.message, 'missing required arguments: path');
});
t('an unknown parameter names its nearest', () => {
  const [problem] = coerceParams({ owner: { type: 'str', doc: '' } }, { ownr: 'x' }, options).problems;
  assert.is(problem?.message, 'Unsupported parameters for (demo) module: ownr');
  assert.is(problem?.nearest, 'owner');
});
t('an unknown value blocks unless the parameter can stand it', () => {
  const later = new Unknown('known after task A');
  const specs = { a: { type: 'list', doc: '' }, b: { type: 'str', doc: '', unknownOk: true } } as const;
  assert.is(coerceParams(specs, { a: ['x', later] }, options).unknown, later);
  const easy = coerceParams(specs, { b: later }, options);
  assert.is(easy.unknown, undefined);
  assert.is(easy.params.b as unknown, later);
});
t('rules: exclusive, one of, together, required if', () => {
  const specs = { a: str(), b: str(), c: str(), state: { type: 'str', doc: '', default: 'present' } } as const;
  const rules = {
    exclusive: [['a', 'b']],
    oneOf: [['a', 'b', 'c']],
    together: [['b', 'c']],
    requiredIf: [{ param: 'state', value: 'present', needs: ['a'] }],
  };
  const texts = (given: Record<string, Value>) =>
    coerceParams(specs, given, { module: 'demo', rules }).problems.map((p) => p.message);
  assert.equal(texts({ a: 'x' }), []);
  assert.equal(texts({ a: 'x', b: 'y', c: 'z' }), ['parameters are mutually exclusive: a|b']);
  assert.equal(texts({ b: 'x', state: 'absent' }), ['parameters are required together: b, c']);
  assert.equal(texts({}), [
    'one of the following is required: a, b, c',
    'state is present but all of the following are missing: a',
  ]);
});
t.run();

function str() {
  return { type: 'str', doc: '' } as const;
}

function bool(value: Value, expected: boolean): (typeof cases)[number] {
  return [`${typeof value} ${value} is ${expected}`, { type: 'bool' }, value, expected];
}

function refusal(type: string, wanted: string, why: string) {
  return `! argument 'x' is of type <class '${type}'> and we were unable to convert to ${wanted}: ${why}`;
}
