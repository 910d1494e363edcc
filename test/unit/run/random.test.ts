import * as assert from 'uvu/assert';
import type { EvalPoint } from '../../../src/core/evaluator.ts';
import type { Task } from '../../../src/core/play.ts';
import { Unsafe, type Value } from '../../../src/jinja/index.ts';
import { loadPlaybook } from '../../../src/load/playbook.ts';
import { createEvaluator } from '../../../src/resolve/evaluator.ts';
import { loadInventory } from '../../../src/resolve/inventory-load.ts';
import { playPoint } from '../../../src/resolve/waves.ts';
import { seededRandom } from '../../../src/run/random.ts';
import { suite } from '../../support/harness.ts';
import { memorySources } from '../load/support/memory-files.ts';
import { modules } from '../load/support/modules.ts';

const test = suite('run/random');
const seed = new Uint8Array(32).fill(1);

test('a place has the same stream each time, another place another; a stream does not repeat itself', () => {
  const at = seededRandom(seed);
  const drawn = (place: string) => {
    const source = at(place);
    return [source(3), source(40), source(0), source(1)].map((bytes) => Buffer.from(bytes).toString('hex'));
  };
  assert.equal(drawn('a'), drawn('a'));
  assert.not.equal(drawn('a'), drawn('b'));
  assert.equal(
    drawn('a').map((hex) => hex.length / 2),
    [3, 40, 0, 1],
  );
  const whole = Buffer.from(seededRandom(seed)('a')(44)).toString('hex');
  assert.is(drawn('a').join(''), whole);
  assert.not.equal(Buffer.from(seededRandom()('a')(44)).toString('hex'), whole);
});

/** What two tasks of a play render to: twice, with points of their own each time. */
function rendered(text: string, more: Partial<EvalPoint> = {}) {
  const sources = memorySources({
    'h.yml': 'all: {hosts: {h1: {}, h2: {}}}\n',
    'p.yml': `- hosts: all\n  vars: {made: "{{ 1000000000 | random }}"}\n  tasks:\n    - debug: {msg: ${text}}\n    - debug: {msg: ${text}}\n`,
    't.j2': '{{ 1000000000 | random }}',
  });
  const { playbook } = loadPlaybook('p.yml', { sources, modules });
  const evaluator = createEvaluator({
    inventory: loadInventory(['h.yml'], sources),
    sources,
    randomAt: seededRandom(seed),
  });
  const play = playbook.plays[0]!;
  const tasks = play.tasks.filter((tree): tree is Task => tree.kind === 'task' && !tree.implicit);
  return tasks.map((task) => {
    const point = () => ({ ...playPoint(play), host: 'h1', task, ...more });
    const node = task.params!.entries!.get('msg')!.node;
    const [first, again] = [evaluator.value(node, point()), evaluator.value(node, point())];
    assert.equal(first, again);
    return textOf(first);
  });
}

function textOf(value: Value): string {
  return value instanceof Unsafe ? value.text : String(value);
}

const texts: [string, string][] = [
  ['a filter', '"{{ 1000000000 | random }}"'],
  ['a variable', '"{{ made }}"'],
  ['a password', `"{{ lookup('password', '/dev/null') }}"`],
  ['a template file', `"{{ lookup('template', 't.j2') }}"`],
  ['a salt', `"{{ 'pw' | password_hash('sha512', rounds=1000) }}"`],
];
for (const [name, text] of texts)
  test(`${name}: planned again it renders the same; another task, host or item of a loop renders something else`, () => {
    const item = (value: string) => ({ locals: new Map<string, Value>([['item', value]]) });
    const all = [{}, { host: 'h2' }, item('a'), item('b')].flatMap((more) => rendered(text, more));
    assert.is(new Set(all).size, 8);
  });

test('two draws of one text differ', () => {
  const [first = ''] = rendered('"{{ 1000000000 | random }} {{ 1000000000 | random }}"');
  const [a, b] = first.split(' ');
  assert.is.not(a, b);
});
test.run();
