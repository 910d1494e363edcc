import * as assert from 'uvu/assert';
import type { Target } from '../../../src/core/session.ts';
import { SessionError } from '../../../src/core/session.ts';
import { Connections } from '../../../src/remote/connections.ts';
import type { Connection } from '../../../src/remote/transport.ts';
import { suite } from '../../support/harness.ts';

const test = suite('remote: connections made ahead');
const handlers = { onStdout() {}, onStderr() {} };

test('what was connected ahead serves the first command', async () => {
  const { connections, dials } = made(async () => connection());
  connections.warm();
  connections.warm();
  await (await connections.exec())('true', handlers);
  assert.is(dials(), 1);
});

test('a failure ahead is told to the first who asks, and is one attempt', async () => {
  const { connections, dials } = made(async () => {
    throw new SessionError('auth', 'auth', 'wrong password');
  });
  connections.warm();
  await new Promise(setImmediate);
  assert.is(await told(connections), 'wrong password');
  assert.is(dials(), 1);
  assert.is(await told(connections), 'wrong password');
  assert.is(dials(), 2, 'whoever asks again tries again');
});

test('a connection that went before it was used is made anew', async () => {
  let end = (_: undefined) => {};
  const gone = new Promise<undefined>((resolve) => {
    end = resolve;
  });
  const { connections, dials } = made(async () => connection(gone));
  connections.warm();
  await new Promise(setImmediate);
  end(undefined);
  await new Promise(setImmediate);
  await (await connections.exec())('true', handlers);
  assert.is(dials(), 2);
});

test.run();

function made(connect: () => Promise<Connection>) {
  let dialled = 0;
  const transport = {
    connect: () => {
      dialled++;
      return connect();
    },
  };
  return { connections: new Connections({} as Target, transport, () => {}), dials: () => dialled };
}

function connection(closed: Promise<undefined> = new Promise(() => {})): Connection {
  const channel = { write: async () => {}, end() {}, close() {}, closed: new Promise<never>(() => {}) };
  return { exec: async () => channel, close: async () => {}, lastInbound: () => 0, closed };
}

async function told(connections: Connections): Promise<string> {
  return connections.exec().then(
    () => 'no failure',
    (error: Error) => error.message,
  );
}
