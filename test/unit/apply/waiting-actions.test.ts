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

const wait = { state: 'started', delay: 0, timeout: 10, sleep: 1, connect_timeout: 1, host: '127.0.0.1' };

test('a wait for neither a port nor a path is one for the time', async () => {
  const { reply, now, asked } = await act('wait_for', [], { ...wait, timeout: 7 });
  assert.equal([reply.failed, now, asked], [false, 7, 0]);
});

test('a text is searched by the rules of Python, and its groups are told', async () => {
  const search = { ...wait, path: '/x', search_regex: '^(?P<word>[a-z]+) is (\\w+)$' };
  const { reply, scripts } = await act('wait_for', ['', '1 2 3\nno\nit is so\n', ''], search);
  assert.equal(reply.values?.get('match_groups'), ['it', 'so']);
  assert.equal(reply.values?.get('match_groupdict'), new Map([['word', 'it']]));
  assert.is(scripts.length, 2);
  const bad = await act('wait_for', ['1 2 3\nx'], { ...search, search_regex: '(' });
  assert.match(bad.reply.msg, 'Invalid regular expression');
});

test('a text that does not come is looked for until time is up; a file that is the same is not read again', async () => {
  const { reply, scripts } = await act('wait_for', ['1 2 3\nno\n', ...Array(20).fill('')], {
    ...wait,
    path: '/x',
    search_regex: 'yes',
    timeout: 3,
  });
  assert.match(reply.msg, 'Timeout when waiting for search string yes in /x');
  assert.match(scripts[1]!, "!= '1 2 3'");
});

test('what a port says first is searched', async () => {
  const { reply, scripts } = await act('wait_for', ['', 'SSH-2.0-OpenSSH_9\n'], {
    ...wait,
    port: 22,
    search_regex: 'OpenSSH',
  });
  assert.is(reply.failed, false);
  assert.match(scripts[0]!, 'cat <&3');
});

test('a port is drained when its own connections are gone, but for those of hosts that do not count', async () => {
  const line = (local: string, remote: string, state = '01') => `  0: ${local} ${remote} ${state} 0:0\n`;
  const [mine, listening] = [line('0100007F:1F90', '0200000A:C350'), line('0100007F:1F90', '00000000:0000', '0A')];
  const other = line('0100007F:1F91', '0200000A:C350');
  const drained = { ...wait, state: 'drained', port: 8080 };
  const open = await act('wait_for', [`127.0.0.1\n--\n${mine}`, `127.0.0.1\n--\n${other}${listening}`], drained);
  assert.equal([open.reply.failed, open.scripts.length], [false, 2]);
  const spared = await act('wait_for', [`127.0.0.1\n10.0.0.2\n--\n${mine}`], {
    ...drained,
    exclude_hosts: ['10.0.0.2'],
  });
  assert.equal([spared.reply.failed, spared.scripts.length], [false, 1]);
  const six = line('0000000000000000FFFF00000100007F:1F90', '0000000000000000FFFF00000200000A:C350');
  const never = await act('wait_for', Array(20).fill(`127.0.0.1\n--\n${six}`), drained);
  assert.match(never.reply.msg, 'Timeout when waiting for 127.0.0.1:8080 to drain');
});

test('what cannot be waited for fails at once', async () => {
  for (const [given, says] of [
    [{ port: 1, path: '/x' }, 'can not both be passed'],
    [{ path: '/x', state: 'drained' }, 'should only be used for checking a port'],
    [{ port: 1, exclude_hosts: ['a'] }, 'should only be with state=drained'],
    [{ port: 1, state: 'drained', active_connection_states: ['OPEN'] }, 'unknown active_connection_state (OPEN)'],
  ] as const)
    assert.match((await act('wait_for', [], { ...wait, ...given })).reply.msg, says);
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
    values: acted?.values,
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
