import * as assert from 'uvu/assert';
import { loadInventory } from '../../../src/resolve/inventory-load.ts';
import { limitedHosts } from '../../../src/resolve/limit.ts';
import { selectHosts, splitPattern } from '../../../src/resolve/patterns.ts';
import { suite } from '../../support/harness.ts';
import { caught } from '../load/support/caught.ts';
import { cpuMs } from '../load/support/cpu.ts';
import { memorySources } from '../load/support/memory-files.ts';

const test = suite('resolve/patterns');
const sources = memorySources({
  hosts: '[web]\nw[1:4]\n[db]\nd1\nw4\n[empty]\n[all:vars]\nx=1\n',
  'some.limit': 'w1 # first\n\nd1\n',
});
const inventory = loadInventory(['hosts'], sources);
const select = (pattern: string) => selectHosts([pattern], inventory, { what: 'the host pattern' }).join(' ');

// Pattern → hosts, as `ansible PATTERN --list-hosts` of 2.14 gives them.
const cases: [string, string][] = [
  ['all', 'w1 w2 w3 w4 d1'],
  ['*', 'w1 w2 w3 w4 d1'],
  ['web', 'w1 w2 w3 w4'],
  ['w2', 'w2'],
  ['db:web', 'd1 w4 w1 w2 w3'],
  ['db,w1', 'd1 w4 w1'],
  ['web:!db', 'w1 w2 w3'],
  ['web:&db', 'w4'],
  ['!web', 'd1'],
  ['&db', 'w4 d1'],
  ['web:!w1:!w2', 'w3 w4'],
  ['web[0]', 'w1'],
  ['web[-1]', 'w4'],
  ['web[1:2]', 'w2 w3'],
  ['web[2:]', 'w3 w4'],
  ['web[0:1]:d1', 'w1 w2 d1'],
  ['w*', 'w1 w2 w3 w4'],
  ['w?', 'w1 w2 w3 w4'],
  ['~w[13]', 'w1 w3'],
  ['~(w|d)1', 'w1 d1'],
  ['d*', 'd1 w4'],
  ['empty', ''],
  ['localhost', 'localhost'],
  ['web:!nope', 'w1 w2 w3 w4'],
];
for (const [pattern, hosts] of cases) test(pattern, () => assert.is(select(pattern), hosts));

const refused: [string, string, string | undefined][] = [
  ['wbe', "the host pattern 'wbe' matches no host", 'web'],
  ['web:dbb', "the host pattern 'dbb' matches no host", 'db'],
  ['w9*', "the host pattern 'w9*' matches no host", undefined],
  ['web[9]', "the host pattern 'web[9]' goes beyond the 4 hosts there are", undefined],
  ['~w(', 'the regular expression in the host pattern cannot be read', undefined],
];
for (const [pattern, message, near] of refused)
  test(`refuses ${pattern}`, () => {
    const error = caught(() => select(pattern));
    assert.is(error.message, message);
    if (near) assert.is(error.facts.nearest, near);
  });

// As split_host_pattern of 2.14 cuts them.
const cuts: [string, string[]][] = [
  ['a:b:c', ['a', 'b', 'c']],
  ['cafe:beef:dead', ['cafe', 'beef', 'dead']],
  ['a:b:c:', ['a', 'b', 'c']],
  ['a:b[1:2]:!c', ['a', 'b[1:2]', '!c']],
  ['10.0.0.1:10.0.0.2', ['10.0.0.1', '10.0.0.2']],
  ['~(a|b):c', ['~(a|b)', 'c']],
  ['a,~b:c', ['a', '~b:c']],
  ['fe80::1', ['fe80::1']],
  ['a:b:c::d', ['a:b:c::d']],
  ['::ffff:1.2.3.4', ['::ffff:1.2.3.4']],
  ['1:2:3:4:5:6:7:8', ['1:2:3:4:5:6:7:8']],
  ['h1:22', ['h1:22']],
  ['[::1]:22', ['[::1]:22']],
  ['h1:h2:22', ['h1', 'h2', '22']],
];
for (const [pattern, parts] of cuts)
  test(`${pattern} is cut into ${parts.length}`, () => assert.equal(splitPattern(pattern), parts));

test('each --limit narrows the others; @file gives a pattern a line', () => {
  assert.equal([...(limitedHosts(['web', 'db'], inventory, sources) ?? [])], ['w4']);
  assert.equal([...(limitedHosts(['@some.limit'], inventory, sources) ?? [])], ['w1', 'd1']);
  assert.is(limitedHosts([], inventory, sources), undefined);
  assert.match(caught(() => limitedHosts(['@nope'], inventory, sources)).message, /there is no file 'nope'/);
});

test('under --compat ansible what matches nothing is a warning', () => {
  const warnings: string[] = [];
  const found = selectHosts(['nope', 'w1'], inventory, {
    what: 'the host pattern',
    warn: (w) => warnings.push(w.message),
  });
  assert.equal(found, ['w1']);
  assert.equal(warnings, ["the host pattern 'nope' matches no host"]);
});

test('a pattern of many stars ends in bounded time', () => {
  const taken = cpuMs(() => assert.match(caught(() => select(`${'*'.repeat(40)}zz`)).message, /matches no host/));
  assert.ok(taken < 200, `${taken} ms`);
});
test.run();
