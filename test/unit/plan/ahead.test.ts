import * as assert from 'uvu/assert';
import { SessionError } from '../../../src/core/session.ts';
import { makeAsker } from '../../../src/plan/asker.ts';
import { drive } from '../../../src/plan/drive.ts';
import type { Driver } from '../../../src/plan/driver.ts';
import { Rendezvous } from '../../../src/plan/rendezvous.ts';
import { suite } from '../../support/harness.ts';

const test = suite('plan/ahead');
const hosts = Array.from({ length: 10 }, (_, n) => `h${n}`);
const asks = [{ identity: {}, keys: [{ family: 'file', id: '/etc/hosts' }] }];

test('of many hosts twice as many find out what to ask as can be asked at once', async () => {
  const { asker, inside } = crowd(() => new Promise(() => {}));
  await settled();
  assert.equal(inside, hosts.slice(0, 4));
  assert.is(asker.expect?.('h0'), undefined, 'who is in is not held');
});

test('a host whose answers came, or failed to come, makes room for the next', async () => {
  const { asker, inside } = crowd((host) => (host === 'h0' ? Promise.resolve([]) : Promise.reject(lost())));
  await settled();
  await asker.ask('h0', []);
  await settled();
  assert.equal(inside, hosts.slice(0, 5));
  await asker.ask('h1', asks).catch((error) => assert.is(error.message, 'gone'));
  await settled();
  assert.equal(inside, hosts.slice(0, 6));
});

test('a host that comes to its end without having asked makes room, too', async () => {
  const { asker, inside } = crowd(() => new Promise(() => {}));
  await settled();
  const driver = { left: asker.left } as Driver;
  const meeting = new Rendezvous(hosts);
  await drive('h0', program('ended') as never, driver, meeting, () => {});
  await settled();
  assert.equal(inside, hosts.slice(0, 5));
  const broken = drive('h1', program('thrown') as never, driver, meeting, () => {});
  await broken.catch((error) => assert.is(error.message, 'thrown'));
  await settled();
  assert.equal(inside, hosts.slice(0, 6));
});

test('a run that is stopped meanwhile halts who is held, before anything is planned', async () => {
  const { asker } = crowd(() => new Promise(() => {}), hosts.slice(0, 4));
  const meeting = new Rendezvous(hosts);
  const replies: string[] = [];
  function* wanting(): Generator<unknown, unknown, { kind: string }> {
    replies.push((yield { kind: 'expect', on: 'late' }).kind);
    return { status: 'ended' };
  }
  const late = drive('late', wanting() as never, asker as never, meeting, () => {});
  await settled();
  meeting.halt('interrupted');
  await drive('early', wanting() as never, { expect: asker.expect } as never, meeting, () => {});
  assert.equal(replies, ['halt'], 'who had not begun is not held');
  asker.left?.('h0');
  await late;
  assert.equal(replies, ['halt', 'halt']);
});

test('all get in, in order, and are asked', async () => {
  const { asker } = crowd(async () => [], []);
  const order: string[] = [];
  await Promise.all(
    hosts.map(async (host) => {
      await asker.expect?.(host);
      order.push(host);
      await asker.ask(host, []);
    }),
  );
  assert.equal(order, hosts);
});

test.run();

/** Ten hosts that want to be asked, two at once. */
function crowd(ask: (host: string) => Promise<string[][]>, expecting = hosts) {
  const inside: string[] = [];
  const sessionOf = (host: string) => ({ ask: () => ask(host) });
  const asker = makeAsker(sessionOf, (work) => work(), new AbortController().signal, undefined, 2);
  for (const host of expecting) void Promise.resolve(asker.expect?.(host)).then(() => inside.push(host));
  return { asker, inside };
}

function lost() {
  return new SessionError('lost', 'trip', 'gone');
}

// biome-ignore lint/correctness/useYield: it ends before it needs anything
function* program(how: 'ended' | 'thrown') {
  if (how === 'thrown') throw new Error(how);
  return { status: how };
}

function settled(): Promise<void> {
  return new Promise(setImmediate);
}
