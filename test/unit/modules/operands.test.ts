import * as assert from 'uvu/assert';
import { actions } from '../../../src/actions/registry.ts';
import { coerceParams } from '../../../src/core/coerce.ts';
import type { ParamSpec, ParamSpecs } from '../../../src/core/params.ts';
import { gates } from '../../../src/gates/registry.ts';
import { modules } from '../../../src/modules/registry.ts';
import { suite } from '../../support/harness.ts';
import { noOperands } from './operands.data.ts';

const test = suite('operands');
const all: readonly { name: string; params: ParamSpecs }[] = [...modules, ...gates, ...actions];

for (const { name, params } of all)
  test(`${name}: what a command could take for an option is refused, or is none`, () => {
    const ofGates = gates.some((gate) => gate.name === name) ? [noOperands['*']!] : [];
    const none = [...ofGates, noOperands[name] ?? {}].flatMap((why) => Object.values(why).join(' ').split(' '));
    const open = Object.entries(params).filter(([, spec]) => isText(spec) && !isRefused(spec));
    const unjudged = open.map(([param]) => param).filter((param) => !none.includes(param));
    assert.equal(unjudged, [], 'mark it as an operand, or say in operands.data.ts why it is none');
  });

test('nothing is judged that is not there, or is refused', () => {
  const stale = Object.entries(noOperands)
    .filter(([name]) => name !== '*')
    .flatMap(([name, why]) =>
      Object.values(why)
        .flatMap((names) => names.split(' '))
        .filter((param) => !all.some((one) => one.name === name && one.params[param] && !isRefused(one.params[param])))
        .map((param) => `${name}.${param}`),
    );
  assert.equal(stale, []);
});

const word = { type: 'str', operand: true, doc: '' } as const;
const path = { type: 'path', doc: '' } as const;
const refusals: [string, ParamSpec, string | string[], RegExp | undefined][] = [
  ['an option', word, '--root=/x', /^value of x must not begin with '-', got: "--root=\/x"$/],
  ['an option behind blanks, which some modules trim', word, ' -x', /must not begin with '-'/],
  ['an option in a list', { ...word, type: 'list', elements: 'str' }, ['a', '-y'], /got: "-y"/],
  ['a second line', word, 'a\nroot:x', /^value of x must be one line, got: "a\\nroot:x"$/],
  ['no last line break', word, 'a\n', undefined],
  ['no dash within', word, 'a-b', undefined],
  ['a path', path, '-rf', /must not begin with '-'/],
  ['paths', { ...path, type: 'list', elements: 'path' }, ['/a', '-rf'], /must not begin with '-'/],
  ['no path of two lines', path, '/a\nb', undefined],
  ['no relative path', path, './-rf', undefined],
  ['a secret, without showing it', { ...word, secret: true }, '-secret', /^value of x must not begin with '-'$/],
];
for (const [what, spec, value, expected] of refusals)
  test(`refuses ${what}`, () => {
    const [problem] = coerceParams({ x: spec }, { x: value }, { module: 'demo' }).problems;
    if (expected === undefined) assert.is(problem, undefined);
    else assert.match(problem?.message ?? 'nothing', expected);
  });

function isText({ type, elements, choices }: ParamSpec): boolean {
  return !choices && (type === 'str' || type === 'path' || type === 'raw' || (type === 'list' && elements !== 'int'));
}

function isRefused(spec: ParamSpec): boolean {
  const { problems } = coerceParams({ x: spec }, { x: spec.type === 'list' ? ['-x'] : '-x' }, { module: 'demo' });
  return problems.some(({ message }) => message.includes("must not begin with '-'"));
}

test.run();
