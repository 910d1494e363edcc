import * as assert from 'uvu/assert';
import { type ActionTools, runAction } from '../../../src/apply/actions.ts';
import type { EventBody } from '../../../src/core/events.ts';
import type { FactKey } from '../../../src/core/facts.ts';
import type { Identity } from '../../../src/core/identity.ts';
import type { ActionCall } from '../../../src/core/needs.ts';
import { type Session, SessionError, type SessionErrorKind } from '../../../src/core/session.ts';
import { suite } from '../../support/harness.ts';

const test = suite('actions that wait');

const [before, after] = ['4fd52bd3-6e21-4b7f-a4ab-0c77eb3a6c40', '8c1d2ec8-93a6-4b6f-9a53-6d0d5f8d3f11'];
type Answer = string | SessionErrorKind;

test('a reboot is proven by another boot id; what is none is not taken for one', async () => {
  const { reply, asked } = await act('reboot', [before, 'lost', 'bash: fork: retry', before, after]);
  assert.equal([reply.failed, reply.changed, asked], [false, true, 5]);
});

test('a machine that never comes back fails at its deadline', async () => {
  const { reply, now } = await act('reboot', [before, ...Array(1000).fill('unreachable')]);
  assert.is(reply.failed, true);
  assert.match(reply.msg, 'timed out waiting for the host');
  assert.ok(now >= 600 && now < 620, `${now} s`);
});

test('a machine that answers but was not restarted fails, and says so', async () => {
  const { reply } = await act('reboot', Array(1000).fill(before));
  assert.match(reply.msg, 'its boot id is the same');
});

test('a wait for a host asks until it answers, whatever it said before', async () => {
  const { reply, asked, resets } = await act('wait_for_connection', ['unreachable', 'lost', '', 'noise', after]);
  assert.equal([reply.failed, asked, resets], [false, 5, 4]);
});

for (const kind of ['auth', 'host-key', 'become'] as const)
  test(`a wait for a host ends at once for ${kind}: waiting would not help`, async () => {
    const { reply, asked } = await act('wait_for_connection', [kind, after]);
    assert.equal([reply.failed, reply.kind, asked], [false, 'lost', 1]);
  });

for (const action of ['pause', 'wait_for'])
  test(`after ${action} nothing that was asked before holds`, async () => {
    const { forgets } = await act(action, ['']);
    assert.is(forgets, true);
  });

test('after a gate that had to wait nothing holds; after one that passed at once all does', async () => {
  const waiting = await act('gate', ['closed', 'open']);
  const open = await act('gate', ['open']);
  assert.equal([waiting.reply.failed, waiting.forgets, open.reply.failed, open.forgets], [false, true, false, false]);
});

const closed = { port: 22, state: 'absent', delay: 0, timeout: 10, sleep: 1, connect_timeout: 1 };
test('a host to wait for is no text of a shell', async () => {
  const { scripts } = await act('wait_for', [''], { ...closed, host: 'a$(touch /x)' });
  assert.match(scripts[0]!, `bash -c ': <"/dev/tcp/$1/$2"' - 'a$(touch /x)' 22`);
});

test('an action is a step that begins, says how it goes, and ends', async () => {
  const { events } = await act('reboot', [before, 'lost', after]);
  assert.equal(
    events.map(({ type }) => type),
    ['step-start', 'step-output', 'step-output', 'step-output', 'step-end'],
  );
  assert.match(JSON.stringify(events[0]), /"title":"reboot"/);
  assert.match(JSON.stringify(events[3]), /it is back after \d+ s/);
  const late = await act('reboot', Array(1000).fill(before));
  const [end] = late.events.slice(-1);
  assert.equal([end?.type, end?.type === 'step-end' && end.status], ['step-end', 'failed']);
});

test.run();

/** Runs an action against a host that gives these answers, one a question; time is what the action sleeps. */
async function act(action: string, answers: Answer[], given = params[action]) {
  let [asked, resets, now] = [0, 0, 0];
  const events: EventBody[] = [];
  const scripts: string[] = [];
  const session = {
    ask: async (_identity: unknown, [block]: { script: string }[]) => {
      scripts.push(block?.script ?? '');
      return [[answerOf(answers[asked++])]];
    },
    change: async () => ({ status: 'ran', steps: [{ rc: 0 }] }),
    reset: async () => void resets++,
  } as unknown as Session;
  const tools = {
    sessionOf: () => session,
    asker: {
      ask: async (_on: string, [question]: { identity: Identity; keys: FactKey[] }[]) =>
        question!.keys.map((key) => ({
          identity: question!.identity,
          key,
          answer: { state: 'known', raw: '', value: { state: answers[asked++] } },
        })),
    },
    settings: {},
    now: () => now * 1000,
    sleep: async (seconds: number) => {
      now += seconds;
    },
    stopped: () => false,
    emit: (event: EventBody) => void events.push(event),
    signal: new AbortController().signal,
  } as unknown as ActionTools;
  const reply = await runAction(
    { action, host: 'h1', on: 'h1', seq: 1, task, params: given, identity: {} } as unknown as ActionCall,
    tools,
  );
  const told = flat(reply);
  return { reply: told, forgets: told.forgets, asked, resets, now, events, scripts };
}

function answerOf(answer: Answer | undefined): string {
  if (answer === undefined) throw new Error('asked more often than there are answers');
  if (/^[a-z-]+$/.test(answer) && answer !== 'noise')
    throw new SessionError(answer as SessionErrorKind, 'tcp', answer, { transient: true });
  return answer;
}

function flat(reply: Awaited<ReturnType<typeof runAction>>) {
  const acted = reply.kind === 'acted' ? reply.result : undefined;
  return {
    kind: reply.kind,
    failed: acted?.failed ?? false,
    forgets: reply.kind === 'acted' && reply.forget === true,
    changed: acted?.changed,
    msg: String(acted?.values.get('msg') ?? ''),
  };
}

const task = { id: 't1', name: 'Restart it' };
const params: Record<string, Record<string, unknown>> = {
  pause: { seconds: 1 },
  gate: { gate: 'tcp', with: { host: 'h2', port: 6443 } },
  wait_for: { path: '/opt/x', state: 'absent', delay: 0, timeout: 10, sleep: 1 },
  reboot: { pre_reboot_delay: 0, post_reboot_delay: 0, reboot_timeout: 600, test_command: 'true' },
  wait_for_connection: { delay: 0, timeout: 600, sleep: 1 },
};
