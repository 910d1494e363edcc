import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import ssh2 from 'ssh2';
import * as assert from 'uvu/assert';
import { SessionError, type Target } from '../../../src/core/session.ts';
import { openSession } from '../../../src/remote/session.ts';
import type { Connection } from '../../../src/remote/transport.ts';
import { logInAhead } from '../../../src/transports/ssh/ahead.ts';
import { planAuth } from '../../../src/transports/ssh/auth.ts';
import { phaseError } from '../../../src/transports/ssh/errors.ts';
import { sshTransport } from '../../../src/transports/ssh/index.ts';
import { suite } from '../../support/harness.ts';
import { step, target, temp, trip, waitFor } from '../remote/support.ts';
import { file, keys, type ServerOptions, TestServer } from './server.ts';

const test = suite('ssh2 transport', { timeout: 15_000 });

test('a command gives both streams and its code; a signal is told', () =>
  withServer({}, async (server) => {
    const connection = await sshTransport.connect(server.target());
    assert.equal(await run(connection, 'echo out; echo err >&2; exit 5'), ['out\n', 'err\n', { code: 5, lost: false }]);
    assert.equal(await run(connection, 'kill -KILL $$'), ['', '', { signal: 'SIGKILL', lost: false }]);
    assert.equal(await run(connection, 'cat', 'x'.repeat(3_000_000)).then(([out]) => out.length), 3_000_000);
    await connection.close();
    assert.is(await connection.closed, undefined);
    assert.is(server.connected, 1);
  }));

test('a key is not asked about: it goes out signed, once', () =>
  withServer({}, async (server) => {
    await (await sshTransport.connect(server.target())).close();
    assert.equal(server.tried, ['publickey']);
  }));

test('the first request does not wait for the service', () =>
  withServer({}, async (server) => {
    for (const target of [server.target(), server.target({ identityFiles: [], password: 'secret' })]) {
      const client = new ssh2.Client();
      const sent: string[] = [];
      client.connect({
        host: '127.0.0.1',
        port: server.port,
        username: 'someone',
        authHandler: () => false,
        debug: (line) => sent.push(line),
      });
      client.on('error', () => {});
      logInAhead(client, (await planAuth(target)).methods[0]);
      await waitFor('an answer', () => sent.some((line) => line.includes('SERVICE_ACCEPT')));
      client.destroy();
      const requests = sent.filter((line) => /USERAUTH_REQUEST|SERVICE/.test(line));
      assert.match(
        requests.join(),
        /^Outbound: Sending SERVICE_REQUEST[^,]+,Outbound: Sending USERAUTH_REQUEST[^,]+,Inbound: Received SERVICE_ACCEPT/,
      );
    }
  }));

test('who is let in without a key is, after the keys', () =>
  withServer({ auth: ({ method }) => method === 'none', methods: ['publickey'] }, async (server) => {
    await (await sshTransport.connect(server.target())).close();
    assert.equal(server.tried, ['publickey', 'none']);
  }));

test('an RSA key waits for the algorithms that the server takes, and needs no question either', () =>
  withServer({}, async (server) => {
    const rsa = ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 }).private;
    const connection = await sshTransport.connect(server.target({ identityFiles: [file(rsa, 'rsa')] }));
    assert.equal(server.tried, ['none', 'publickey']);
    await connection.close();
  }));

test('keys come before passwords; each way is tried once', () =>
  withServer(
    {
      auth: ({ method }) => method === 'keyboard-interactive',
      methods: ['publickey', 'password', 'keyboard-interactive'],
    },
    async (server) => {
      const connection = await sshTransport.connect(
        server.target({ password: 'secret', identityFiles: [keys.user.file, keys.second.file] }),
      );
      assert.equal(server.tried, ['publickey', 'publickey', 'password', 'keyboard-interactive']);
      await connection.close();
    },
  ));

test('what the server does not take is not sent', () =>
  withServer({ auth: () => false, methods: ['publickey'] }, async (server) => {
    const error = await failure(server.target({ password: 'secret' }));
    assert.not.ok(server.tried.includes('password'));
    assert.equal([error.kind, error.phase, error.transient], ['auth', 'auth', false]);
    assert.match(error.message, /someone@here was not let in: tried publickey, none; the server takes publickey/);
    assert.is(server.connected, 1, 'never tried again');
  }));

test('what the server says as it lets nobody in is told; a host that boots is tried again', () => {
  const denied = (told: string) =>
    phaseError(target(), 'auth', new Error('closed'), { tried: ['none'], allowed: [], notes: [], told });
  const account = denied('\r\nYour account\r\nis locked.\r\n');
  assert.match(account.message, /was not let in: tried none; it says: Your account is locked\.$/);
  assert.equal([account.kind, account.transient], ['auth', false]);
  const booting = denied('System is booting up. Unprivileged users are not permitted to log in yet.\n');
  assert.match(booting.message, /was not let in: System is booting up/);
  assert.equal([booting.kind, booting.transient], ['unreachable', true]);
});

test('an encrypted key is used with its passphrase, and named without', () =>
  withServer({}, async (server) => {
    const identityFiles = [keys.encrypted.file];
    const connection = await sshTransport.connect(
      server.target({ identityFiles, passphrases: { [keys.encrypted.file]: 'open sesame' } }),
    );
    await connection.close();
    assert.match((await failure(server.target({ identityFiles }))).message, /key: needs a passphrase/);
    assert.match((await failure(server.target({ identityFiles: [file('nonsense')] }))).message, /file: /);
  }));

test('an agent offers the keys of identity files first, with IdentitiesOnly no other', async () => {
  const socket = `${temp()}/agent`;
  const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' });
  try {
    await waitFor('the agent', () => spawnOk('ssh-add', ['-q', keys.second.file], { SSH_AUTH_SOCK: socket }));
    await waitFor('a second key', () => spawnOk('ssh-add', ['-q', keys.user.file], { SSH_AUTH_SOCK: socket }));
    await withServer(
      {
        auth: (context) =>
          context.method === 'publickey' && context.key.data.toString('base64') === keys.user.public.split(' ')[1],
      },
      async (server) => {
        await (
          await sshTransport.connect(server.target({ agent: socket, identityFiles: [`${keys.user.file}.gone`] }))
        ).close();
        const none = await failure(server.target({ agent: socket, identityFiles: [], identitiesOnly: true }));
        assert.match(none.message, /tried none, agent/);
      },
    );
    const refusing = { auth: () => false, methods: ['publickey'] };
    await withServer(refusing, async (server) => {
      const held = { agent: socket, identityFiles: [keys.user.file] };
      assert.match((await failure(server.target(held))).message, /tried none, agent;/, 'no key is offered twice');
      const other = { agent: socket, identityFiles: [keys.user.file, file(keys.host.private, 'third')] };
      assert.match((await failure(server.target(other))).message, /tried none, agent, publickey;/);
    });
    await withServer({}, async (server) => {
      const gone = await sshTransport.connect(server.target({ agent: `${socket}-gone` }));
      await gone.close();
    });
  } finally {
    agent.kill();
  }
});

test('the host key decides, and is never a matter of retries', () =>
  withServer({}, async (server) => {
    const name = `[127.0.0.1]:${server.port}`;
    const changed = await failure(
      server.target({ knownHostsFiles: [file(`${name} ${keys.otherHost.public}\n`)], connectionAttempts: 3 }),
    );
    assert.equal([changed.kind, changed.transient], ['host-key', false]);
    assert.match(
      changed.message,
      /its key has changed: .*file:1 has ssh-ed25519 SHA256:.* it shows ssh-ed25519 SHA256:/,
    );
    assert.match((await failure(server.target({ knownHostsFiles: [file('')] }))).message, /its key is not known/);
    const known = file('');
    const options = { knownHostsFiles: [known], strictHostKeyChecking: 'accept-new' as const };
    for (let n = 0; n < 2; n++) await (await sshTransport.connect(server.target(options))).close();
    assert.is(readFileSync(known, 'utf8'), `${name} ${keys.host.public.split(' ').slice(0, 2).join(' ')}\n`);
    assert.is(server.tried.length, 2, 'nobody logs in to a host that is not trusted');
  }));

test('a new key that cannot be written down is let pass, as ssh does', () =>
  withServer({}, async (server) => {
    const options = { knownHostsFiles: [`${file('')}/x`], strictHostKeyChecking: 'accept-new' as const };
    await (await sshTransport.connect(server.target(options))).close();
  }));

test('a password is not given to a host whose changed key was let pass', () =>
  withServer({ auth: ({ method }) => method === 'password', methods: ['password'] }, async (server) => {
    const knownHostsFiles = [file(`[127.0.0.1]:${server.port} ${keys.otherHost.public}\n`)];
    await failure(server.target({ knownHostsFiles, strictHostKeyChecking: 'no', password: 'secret' }));
    assert.equal(server.tried, ['publickey', 'none']);
  }));

test('a connection refused is tried again, and tells phase and hint', async () => {
  const started = Date.now();
  // Other tests listen on 127.0.0.1, on ports that were free a moment ago.
  const error = await failure(target({ transport: 'ssh', address: '127.9.9.9', port: 1, connectionAttempts: 2 }));
  assert.equal([error.kind, error.phase, error.transient], ['unreachable', 'tcp', true]);
  assert.match(error.message, /here: 127\.9\.9\.9 port 1: connection refused/);
  assert.ok(Date.now() - started >= 500, 'waited before the second attempt');
});

test('a name that does not resolve fails in phase dns', async () => {
  const error = await failure(target({ transport: 'ssh', address: 'no-such-host.invalid' }));
  assert.equal([error.kind, error.phase], ['unreachable', 'dns']);
});

test('who listens but never speaks, and who speaks no SSH, fail in the key exchange', async () => {
  const mute = createServer(() => {});
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  const port = (mute.address() as { port: number }).port;
  const silent = await failure(target({ transport: 'ssh', port, connectTimeout: 0.5 }));
  assert.equal([silent.kind, silent.phase, silent.transient], ['timeout', 'kex', true]);
  mute.on('connection', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  const web = await failure(target({ transport: 'ssh', port }));
  assert.equal([web.kind, web.phase], ['unreachable', 'kex']);
  mute.close();
});

test('an abort ends the waiting for a connection', async () => {
  const mute = createServer(() => {});
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 100);
  const error = await failure(
    target({ transport: 'ssh', port: (mute.address() as { port: number }).port }),
    controller.signal,
  );
  assert.is(error.kind, 'aborted');
  mute.close();
});

test('a cut link ends channels as lost, and pending writes do not hang', () =>
  withServer({}, async (server) => {
    const connection = await sshTransport.connect(server.target());
    const channel = await connection.exec('sleep 30', { onStdout: () => {}, onStderr: () => {} });
    const write = channel.write(Buffer.alloc(8_000_000)).catch((error: SessionError) => error.kind);
    server.cut();
    assert.equal(await channel.closed, { lost: true });
    assert.is(await write, 'lost');
    assert.is(((await connection.closed) as SessionError).kind, 'lost');
    const error = await connection
      .exec('true', { onStdout: () => {}, onStderr: () => {} })
      .catch((e: SessionError) => e);
    assert.is((error as SessionError).kind, 'lost');
  }));

test('silence ends the connection after the keepalives that went unanswered', () =>
  withServer({}, async (server) => {
    const connection = await sshTransport.connect(server.target({ keepaliveInterval: 1, keepaliveCount: 1 }));
    await new Promise((resolve) => setTimeout(resolve, 3000));
    assert.equal((await run(connection, 'echo alive'))[0], 'alive\n');
    server.freeze();
    const reason = (await connection.closed) as SessionError;
    assert.match(reason.message, /nothing came from here for 1 s/);
  }));

test('a host that gives one session a connection gets a second connection', () =>
  withServer({ maxSessions: 1 }, async (server) => {
    const session = openSession(server.target({ shell: '/bin/sh' }), { transport: sshTransport, stateDir: temp() });
    await session.ask({}, [{ script: 'kp_sep', records: 1 }]);
    const source = file('content');
    const sha256 = 'ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73';
    await session.stage({}, { source, sha256, size: 7, path: `${temp()}/staged` }, () => {});
    assert.equal(await session.ask({}, [{ script: 'echo one; kp_sep', records: 1 }]), [['one\n']]);
    assert.is(session.stats.connections, 2);
    await session.close();
  }));

test('a lost link in a change is an error, and the next contact has a new connection', () =>
  withServer({}, async (server) => {
    const session = openSession(server.target({ shell: '/bin/sh' }), { transport: sshTransport, stateDir: temp() });
    const change = session
      .change(trip([step('a', 'echo on; sleep 20')]), { output: () => server.cut() })
      .catch((e: SessionError) => e);
    const error = (await change) as SessionError;
    assert.equal([error.kind, error.transient], ['lost', true]);
    assert.equal(await session.ask({}, [{ script: 'echo back; kp_sep', records: 1 }]), [['back\n']]);
    assert.is(server.connected, 2);
    await session.close();
  }));

test('an ask, whatever the answers, is one connection, one channel and one command', () =>
  withServer({}, async (server) => {
    const session = openSession(server.target({ shell: '/bin/sh' }), { transport: sshTransport });
    for (let n = 0; n < 3; n++) await session.ask({}, [{ script: 'echo; kp_sep', records: 1 }]);
    assert.equal([server.connected, server.commands.length], [1, 1]);
    await session.close();
  }));

test('hosts behind a jump host share its connection, and its refusal names it', () =>
  withServer({}, (jump) =>
    withServer({}, async (inner) => {
      const proxyJump = jump.target({ host: 'bastion' });
      const all = await Promise.all([1, 2, 3].map(() => sshTransport.connect(inner.target({ proxyJump }))));
      assert.equal([jump.connected, inner.connected], [1, 3]);
      assert.is((await run(all[0]!, 'echo through'))[0], 'through\n');
      await Promise.all(all.map((connection) => connection.close()));
      await waitFor('the jump host to be let go', () => jump.connections.size === 0);
      const refused = await failure(inner.target({ proxyJump: { ...proxyJump, knownHostsFiles: [] } }));
      assert.match(refused.message, /^jump host bastion: .*not trusted/);
    }),
  ));

test.run();

async function withServer(options: ServerOptions, body: (server: TestServer) => Promise<void>) {
  const server = await TestServer.start(options);
  try {
    await body(server);
  } finally {
    await server.close();
  }
}

async function run(connection: Connection, command: string, input = ''): Promise<[string, string, object]> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const channel = await connection.exec(command, {
    onStdout: (chunk) => out.push(chunk),
    onStderr: (chunk) => err.push(chunk),
  });
  if (input) await channel.write(input);
  channel.end();
  const end = await channel.closed;
  return [Buffer.concat(out).toString(), Buffer.concat(err).toString(), end];
}

async function failure(to: Target, signal?: AbortSignal): Promise<SessionError> {
  const outcome = await sshTransport.connect(to, signal).catch((error: unknown) => error);
  assert.instance(outcome, SessionError);
  return outcome as SessionError;
}

function spawnOk(program: string, args: string[], env: Record<string, string>): Promise<boolean> {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: 'ignore' });
  return new Promise((resolve) => child.on('close', (code) => resolve(code === 0)));
}
