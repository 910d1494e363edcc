import * as assert from 'uvu/assert';
import { type GateAbout, pollGate } from '../../../src/apply/gates.ts';
import type { EventBody } from '../../../src/core/events.ts';
import type { Value } from '../../../src/jinja/values.ts';
import type { Asker } from '../../../src/plan/asker.ts';
import { suite } from '../../support/harness.ts';

const test = suite('deadlines of gates');

test('what is true at 80 % of the deadline passes then', async () => {
  const { verdict, now } = await polled({ interval: 1, deadline: 100 }, 80);
  assert.equal([verdict, now], ['pass', 80]);
});

test('what is never true fails at the deadline, not before', async () => {
  const { verdict, reason, now } = await polled({ interval: 1, deadline: 100 }, Number.POSITIVE_INFINITY);
  assert.equal([verdict, now], ['fail', 100]);
  assert.match(reason, /^not within 100 s: /);
});

test('an interval that does not divide the deadline still ends with a look at the deadline', async () => {
  assert.equal(polls(await polled({ interval: 7, deadline: 30 }, Number.POSITIVE_INFINITY)), [0, 7, 14, 21, 28, 30]);
  assert.equal(polls(await polled({ interval: 60, deadline: 30 }, 29)), [0, 30]);
});

test('without a deadline there is one look', async () => {
  assert.equal(polls(await polled({ interval: 1, deadline: 0 }, Number.POSITIVE_INFINITY)), [0]);
});

test('an interrupted run ends the waiting', async () => {
  const { verdict, now } = await polled({ interval: 1, deadline: 100 }, Number.POSITIVE_INFINITY, 5);
  assert.equal([verdict, now], ['wait', 5]);
});

test.run();

interface Polled {
  verdict: string;
  reason: string;
  now: number;
  asked: number[];
  events: EventBody[];
}

/** Polls a gate that passes from `trueFrom` seconds on; time is what is slept. */
async function polled(
  times: { interval: number; deadline: number },
  trueFrom: number,
  stopAt = Number.POSITIVE_INFINITY,
): Promise<Polled> {
  let now = 0;
  const [asked, events]: [number[], EventBody[]] = [[], []];
  const clock = {
    now: () => now * 1000,
    sleep: async (seconds: number) => {
      now += seconds;
    },
    stopped: () => now >= stopAt,
  };
  const asker: Asker = {
    ask: async (_host, questions) => {
      asked.push(now);
      const value = { state: now >= trueFrom ? 'open' : 'closed' };
      return questions.flatMap(({ identity, keys }) =>
        keys.map((key) => ({ identity, key, answer: { state: 'known' as const, raw: 'r', value } })),
      );
    },
  };
  const given = new Map<Value, Value>([
    ['host', '127.0.0.1'],
    ['port', 1n],
  ]);
  const verdict = await pollGate(about, given, times, asker, clock, (event) => void events.push(event));
  const reason = 'reason' in verdict ? (verdict.reason ?? '') : '';
  return { verdict: verdict.verdict, reason, now, asked, events };
}

function polls({ asked }: Polled): number[] {
  return asked;
}

const about: GateAbout = {
  gate: 'tcp',
  name: 'open',
  play: 'p1',
  origin: { file: 'p', line: 1, column: 1 },
  host: 'h1',
  from: 'h1',
  identity: {},
  own: {},
};
