import * as assert from 'uvu/assert';
import type { EventBody, RunEvent } from '../../../src/core/events.ts';
import { earlierPlays, remainingHosts } from '../../../src/report/remaining.ts';
import { suite } from '../../support/harness.ts';

const test = suite('hosts that a run left over');
type End = Extract<EventBody, { type: 'host-end' }>['state'];

const start: EventBody = {
  type: 'run-start',
  run: 'r',
  verb: 'apply',
  playbook: 'site.yml',
  inventory: [],
  hosts: ['h1', 'h2', 'h3'],
  check: false,
  plays: [
    { play: 'p1', name: 'one', hosts: ['h1', 'h2', 'h3'] },
    { play: 'p2', name: 'two', hosts: ['h1'] },
  ],
};
const end = (play: string, host: string, state: End = 'done'): EventBody => ({ type: 'host-end', host, play, state });
const phase = (name: 'plan' | 'apply' | 'declined'): EventBody => ({ type: 'phase', phase: name });
const all = [end('p1', 'h1'), end('p1', 'h2'), end('p1', 'h3'), end('p2', 'h1')];

const cases: [string, EventBody[], string[]][] = [
  ['none, when all came to the end', [start, ...all], []],
  ['all, when it was cut off at once', [start], ['h1', 'h2', 'h3']],
  [
    'a failed and an unreachable host',
    [start, end('p1', 'h1', 'failed'), end('p1', 'h2', 'unreachable'), end('p1', 'h3')],
    ['h1', 'h2'],
  ],
  ['a host that was stopped', [start, ...all.slice(0, 2), end('p1', 'h3', 'stopped'), all[3]!], ['h3']],
  ['a host whose second play was not come to', [start, ...all.slice(0, 3)], ['h1']],
  ['all, when only the plan was made', [start, phase('plan'), ...all, phase('declined')], ['h1', 'h2', 'h3']],
  ['all, when the apply had just begun', [start, phase('plan'), ...all, phase('apply')], ['h1', 'h2', 'h3']],
  [
    'none, when what was planned was applied',
    [start, phase('plan'), end('p1', 'h1', 'failed'), phase('apply'), ...all],
    [],
  ],
];

for (const [name, bodies, wanted] of cases)
  test(name, () => {
    const events = bodies.map((body, time): RunEvent => ({ time, ...body }));
    assert.equal(remainingHosts(events), wanted);
  });

const begin = (play: string, line: number, hosts: string[]): EventBody => ({
  type: 'play-start',
  play,
  name: play,
  origin: { file: 'site.yml', line, column: 3 },
  wave: 1,
  waves: 2,
  hosts,
  batches: [hosts],
});
const timed = (bodies: EventBody[]) => bodies.map((body, time): RunEvent => ({ time, ...body }));
const first = [start, begin('p1', 1, ['h1', 'h2', 'h3']), end('p1', 'h1', 'failed'), end('p1', 'h2')];

test('what a run came to in each play, with those that failed', () => {
  const events = timed([...first, end('p1', 'h3', 'unreachable'), begin('p2', 9, ['h2']), end('p2', 'h2', 'stopped')]);
  assert.equal(earlierPlays(events), [
    { at: 'site.yml:1:3', hosts: ['h1', 'h2', 'h3'], failed: ['h1', 'h3'] },
    { at: 'site.yml:9:3', hosts: ['h2'], failed: [] },
  ]);
});

test('runs that went on after one another add up, each host once', () => {
  const again = timed([start, begin('p1', 1, ['h1', 'h3']), end('p1', 'h1', 'failed'), end('p1', 'h3', 'failed')]);
  assert.equal(earlierPlays(again, earlierPlays(timed(first))), [
    { at: 'site.yml:1:3', hosts: ['h1', 'h2', 'h3'], failed: ['h1', 'h3'] },
  ]);
});

test('what was only planned is no failure', () => {
  const asked = [phase('plan'), ...first.slice(1), phase('apply'), begin('p1', 1, ['h1', 'h2', 'h3'])];
  assert.equal(earlierPlays(timed([start, ...asked]))[0]!.failed, []);
});

test.run();
