import * as assert from 'uvu/assert';
import { at } from '../../../src/core/origin.ts';
import { Ids } from '../../../src/load/context.ts';
import { loadPlaybook } from '../../../src/load/playbook.ts';
import { failureBudget } from '../../../src/resolve/budget.ts';
import { createEvaluator } from '../../../src/resolve/evaluator.ts';
import { loadInventory } from '../../../src/resolve/inventory-load.ts';
import { areSelected, splitTags, tasksBefore } from '../../../src/resolve/tags.ts';
import { createWaves } from '../../../src/resolve/waves.ts';
import { suite } from '../../support/harness.ts';
import { caught } from '../load/support/caught.ts';
import { memorySources } from '../load/support/memory-files.ts';
import { modules } from '../load/support/modules.ts';

const test = suite('resolve/waves');

const hosts =
  'all:\n  hosts:\n    a1: {zone: a}\n    a2: {zone: a}\n    a3: {zone: a}\n    b1: {zone: b}\n    b2: {zone: b}\n    c1: {}\n    c2: {}\n';

interface Options {
  limit?: string[];
  failed?: string[];
  extra?: string;
  /** Hosts that a run before came to, and those of them that failed. */
  earlier?: [hosts: string, failed: string];
}

function waveOf(play: string, options: Options = {}) {
  const sources = memorySources({ 'h.yml': hosts, 'p.yml': `- hosts: all\n  tasks: []\n${play}` });
  const inventory = loadInventory(['h.yml'], sources);
  const extraVars = options.extra ? sources.parse('-e', options.extra) : undefined;
  const { playbook } = loadPlaybook('p.yml', { sources, modules, extraVars });
  const evaluator = createEvaluator({ inventory, sources, extraVars });
  const limit = options.limit ? new Set(options.limit) : undefined;
  const [came, bad] = options.earlier ?? [];
  const earlier = [{ at: at(playbook.plays[0]!.origin), hosts: came?.split(' ') ?? [], failed: bad?.split(' ') ?? [] }];
  const waves = createWaves({
    inventory,
    evaluator,
    playbook,
    limit,
    ...(came === undefined ? {} : { earlier }),
    randomAt: () => (n) => new Uint8Array(n).fill(7),
  });
  return waves.wave(playbook.plays[0]!, new Set(options.failed));
}

const shown = (batches: string[][]) => batches.map((batch) => batch.join(' ')).join(' | ');

// `serial` → batches of the seven hosts.
const serials: [string, string][] = [
  ['', 'a1 a2 a3 b1 b2 c1 c2'],
  ['  serial: 3\n', 'a1 a2 a3 | b1 b2 c1 | c2'],
  ['  serial: "30%"\n', 'a1 a2 | a3 b1 | b2 c1 | c2'],
  ['  serial: "1%"\n', 'a1 | a2 | a3 | b1 | b2 | c1 | c2'],
  ['  serial: [1, 2]\n', 'a1 | a2 a3 | b1 b2 | c1 c2'],
  ['  serial: [1, "50%"]\n', 'a1 | a2 a3 b1 | b2 c1 c2'],
  ['  serial: 0\n', 'a1 a2 a3 b1 b2 c1 c2'],
  ['  serial: 99\n', 'a1 a2 a3 b1 b2 c1 c2'],
  ['  serial: "{{ n }}"\n  vars: {n: 4}\n', 'a1 a2 a3 b1 | b2 c1 c2'],
  ['  serial: {by: zone, max: 1}\n', 'a1 b1 c1 c2 | a2 b2 | a3'],
  ['  serial: {by: zone, max: 2}\n', 'a1 a2 b1 b2 c1 c2 | a3'],
  ['  order: reverse_sorted\n  serial: 4\n', 'c2 c1 b2 b1 | a3 a2 a1'],
  ['  order: reverse_inventory\n  serial: 6\n', 'c2 c1 b2 b1 a3 a2 | a1'],
];
for (const [play, batches] of serials)
  test(play.trim() || 'no serial', () => assert.is(shown(waveOf(play).batches), batches));

test('failed and limited hosts are left out before the wave is cut', () => {
  assert.is(shown(waveOf('  serial: 2\n', { failed: ['a1'], limit: ['a1', 'a2', 'b1', 'c1'] }).batches), 'a2 b1 | c1');
});
// What is left of a run is cut as the whole was, in its order: play, hosts of that run, hosts left → batches.
const resumed: [string, string, string[], string][] = [
  ['  serial: [1, "50%"]\n', 'a1 a2 a3 b1 b2 c1 c2', ['a3', 'b1', 'b2', 'c1', 'c2'], 'a3 b1 | b2 c1 c2'],
  ['  serial: [1, 2]\n', 'a1 a2 a3', ['a1', 'a3', 'b1', 'b2'], 'a1 | a3 | b1 b2'],
  ['  serial: {by: zone, max: 1}\n', 'a1 a2 b1 b2', ['a2', 'b2'], 'a2 b2'],
  ['  serial: 2\n  order: reverse_inventory\n', 'c2 c1 b2 b1', ['b1', 'c1'], 'c1 | b1'],
  ['  serial: 2\n  order: shuffle\n', 'b1 a1 c2 a2', ['a2', 'c2', 'a1'], 'a1 | c2 a2'],
];
for (const [play, came, limit, batches] of resumed)
  test(`gone on with: ${play.trim().replace(/\s+/g, ' ')}, ${limit.join(' ')} left`, () => {
    const wave = waveOf(play, { limit, earlier: [came, 'a1'] });
    assert.is(shown(wave.batches), batches);
    assert.equal(wave.hosts, wave.batches.flat());
  });
test('the budget of what is gone on with is that of the whole', () => {
  const wave = waveOf('  max_fail_percentage: 30\n', {
    limit: ['c1', 'c2'],
    earlier: ['a1 a2 a3 b1 b2 c1 c2', 'a2 c1'],
  });
  assert.equal([wave.budget?.failures, wave.failedBefore], [2, ['a2', 'c1']]);
});
test('only max_failures bears a batch that failed as a whole', () => {
  const bears = (play: string) => waveOf(play).budget?.bearsBatches;
  assert.equal([bears('  max_failures: 2\n'), bears('  max_fail_percentage: 50\n')], [true, undefined]);
});
test('a shuffle is a permutation that the random bytes decide', () => {
  const one = waveOf('  order: shuffle\n').hosts;
  assert.equal(one, waveOf('  order: shuffle\n').hosts);
  assert.equal([...one].sort(), ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'c2']);
});
test('strategy and any_errors_fatal may be templates', () => {
  const wave = waveOf('  strategy: "{{ s }}"\n  any_errors_fatal: "{{ false }}"\n', { extra: 's: linear' });
  assert.equal([wave.linear, wave.fatal], [true, false]);
  assert.equal([waveOf('').linear, waveOf('  any_errors_fatal: yes\n').fatal], [false, true]);
});
test('a serial that is no number is refused at its place', () => {
  const error = caught(() => waveOf('  serial: "{{ s }}"\n', { extra: 's: many' }));
  assert.equal([error.message, error.facts.origin?.line], ["'serial' cannot be used", 3]);
});

// total, max_fail_percentage, max_failures → failures that are still borne.
const budgets: [number, number | undefined, number | undefined, number | undefined][] = [
  [2, 50, undefined, 1],
  [2, 49, undefined, 0],
  [4, 25, undefined, 1],
  [3, 33, undefined, 0],
  [100, 29, undefined, 29],
  [10, undefined, 2, 2],
  [10, 50, 2, 2],
  [10, 10, 2, 1],
  [10, undefined, undefined, undefined],
];
const given = (value: number | undefined) =>
  value === undefined
    ? undefined
    : { value, node: { value, origin: { file: 'p', line: 1, column: 1 }, literal: true } };
for (const [total, percent, failures, borne] of budgets)
  test(`of ${total} with ${percent ?? 'no'} % and ${failures ?? 'no'} failures allowed, ${borne ?? 'any'} may fail`, () =>
    assert.is(failureBudget(total, given(percent), given(failures))?.failures, borne));

// task tags, -t, --skip-tags → runs?
const selections: [string, string, string, boolean][] = [
  ['', '', '', true],
  ['a', '', '', true],
  ['never', '', '', false],
  ['never,a', 'a', '', true],
  ['never', 'never', '', true],
  ['always,never', '', '', true],
  ['a', 'b', '', false],
  ['', 'b', '', false],
  ['always', 'b', '', true],
  ['a', 'tagged', '', true],
  ['', 'tagged', '', false],
  ['', 'untagged', '', true],
  ['a', 'untagged', '', false],
  ['never', 'tagged', '', false],
  ['a', 'all', '', true],
  ['a', 'a', 'a', false],
  ['a,b', 'a', 'b', false],
  ['always', '', 'always', false],
  ['always', '', 'all', true],
  ['a', '', 'all', false],
  ['always', '', 'all,always', false],
  ['a', '', 'tagged', false],
  ['', '', 'tagged', true],
  ['', '', 'untagged', false],
];
for (const [tags, only, skip, runs] of selections)
  test(`tags ${tags || 'none'} under -t ${only || 'nothing'} --skip-tags ${skip || 'nothing'}: ${runs ? 'runs' : 'does not'}`, () =>
    assert.is(areSelected(splitTags([tags]), { tags: splitTags([only]), skipTags: splitTags([skip]) }), runs));

test('--start-at-task finds tasks by name, role and glob', () => {
  const sources = memorySources({
    'p.yml':
      '- hosts: all\n  roles: [r]\n  tasks:\n    - {name: one, debug: {msg: x}}\n    - block:\n        - {name: two words, debug: {msg: x}}\n',
    'roles/r/tasks/main.yml': '- {name: in role, debug: {msg: x}}\n',
  });
  const { playbook } = loadPlaybook('p.yml', { sources, modules });
  const before = (name: string) => tasksBefore(playbook, name).size;
  assert.equal([before('in role'), before('r : in role'), before('one'), before('two*')], [1, 1, 2, 3]);
  assert.is(caught(() => before('too words')).facts.nearest, 'two words');
});
test('ids are in definition order', () => {
  const ids = new Ids('x.');
  assert.equal([ids.next('t'), ids.next('b'), ids.last], ['x.t1', 'x.b2', 2]);
});
test.run();
