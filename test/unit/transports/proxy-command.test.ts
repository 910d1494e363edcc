import * as assert from 'uvu/assert';
import { SessionError, type Target } from '../../../src/core/session.ts';
import { openSession } from '../../../src/remote/session.ts';
import { sshTransport } from '../../../src/transports/ssh/index.ts';
import { suite } from '../../support/harness.ts';
import { processesWith, waitFor } from '../remote/support.ts';
import { file, keys, TestServer } from './server.ts';

const test = suite('ProxyCommand on ssh2', { timeout: 15_000 });

/** Carries a connection, like nc, which not every machine has. */
function relay(server: TestServer, mark: string): string {
  const script = `const s = require('net').connect(${server.port}, '127.0.0.1'); process.stdin.pipe(s); s.pipe(process.stdout);`;
  return `"${process.execPath}" -e "${script}" ${mark}`;
}

test('a host is reached over it, and its process ends with the connection', () =>
  withServer(async (server) => {
    const mark = `relay-${process.pid}`;
    const session = openSession(behind(server, relay(server, mark)), { transport: sshTransport });
    const text = 'x'.repeat(2_000_000);
    const blocks = [{ script: `printf %s ${'y'.repeat(100_000)}; kp_sep`, records: 1 }];
    assert.is((await session.ask({}, blocks))[0]?.[0]?.length, 100_000);
    assert.ok(processesWith(mark).length > 0);
    assert.is((await session.ask({}, [{ script: `: ${text}; echo fine; kp_sep`, records: 1 }]))[0]?.[0], 'fine\n');
    await session.close();
    await waitFor('its end', () => processesWith(mark).length === 0);
  }));

test('the host key is judged all the same', () =>
  withServer(async (server) => {
    const known = file(`[192.0.2.1]:22 ${keys.otherHost.public}\n`);
    const error = await failure(behind(server, relay(server, 'x'), { knownHostsFiles: [known] }));
    assert.is(error.kind, 'host-key');
  }));

test('what it complains about is the reason', () =>
  withServer(async (server) => {
    const error = await failure(behind(server, "sh -c 'echo no way through >&2; exit 3'"));
    assert.equal([error.kind, error.phase], ['unreachable', 'proxy']);
    assert.match(error.message, /here: the ProxyCommand ended with exit 3: no way through/);
    assert.match(error.hint ?? '', /^it is: sh -c/);
  }));

test('one that says nothing is late in the key exchange, and ended', () =>
  withServer(async (server) => {
    const error = await failure(behind(server, 'sleep 473', { connectTimeout: 1 }));
    assert.equal([error.kind, error.transient], ['timeout', true]);
    await waitFor('its end', () => processesWith('sleep 473').length === 0);
  }));

test('a jump host may be behind one', () =>
  withServer(async (door) => {
    const inner = await TestServer.start();
    const jump = { ...behind(door, relay(door, 'y')), host: 'door' };
    const connection = await sshTransport.connect(inner.target({ proxyJump: jump }));
    await connection.close();
    assert.equal([door.connected, inner.connected], [1, 1]);
    await inner.close();
  }));

test.run();

/** The address is nowhere: only the command leads there. */
function behind(server: TestServer, proxyCommand: string, more: Partial<Target> = {}): Target {
  const knownHostsFiles = [file(`192.0.2.1 ${keys.host.public}\n`)];
  return server.target({ address: '192.0.2.1', port: 22, proxyCommand, knownHostsFiles, ...more });
}

async function failure(to: Target): Promise<SessionError> {
  const error = await sshTransport.connect(to).catch((e: unknown) => e);
  assert.instance(error, SessionError);
  return error as SessionError;
}

async function withServer(body: (server: TestServer) => Promise<void>) {
  const server = await TestServer.start();
  try {
    await body(server);
  } finally {
    await server.close();
  }
}
