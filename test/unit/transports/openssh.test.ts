import { readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { SessionError, type Target } from '../../../src/core/session.ts';
import { openSession } from '../../../src/remote/session.ts';
import { sshConfigText } from '../../../src/transports/openssh/config.ts';
import { sshError } from '../../../src/transports/openssh/errors.ts';
import { opensshTransport } from '../../../src/transports/openssh/index.ts';
import { suite } from '../../support/harness.ts';
import { step, target, temp, trip, waitFor } from '../remote/support.ts';
import { file, keys, type ServerOptions, TestServer } from './server.ts';

const test = suite('openssh transport', { timeout: 20_000 });

test('a session asks and changes over it, on one connection, and leaves no folder', () =>
  withServer({}, async (server) => {
    const [own, before] = [temp(), process.env.TMPDIR];
    process.env.TMPDIR = own;
    const session = openSession(mine(server), { transport: opensshTransport });
    assert.equal(await session.ask({}, [{ script: 'echo hi; kp_sep', records: 1 }]), [['hi\n']]);
    assert.is((await session.change(trip([step('a', 'echo fine')]), {})).status, 'ran');
    await session.close();
    assert.equal([server.connected, session.stats.connections], [1, 1]);
    process.env.TMPDIR = before ?? '';
    if (before === undefined) delete process.env.TMPDIR;
    assert.equal(readdirSync(own), []);
  }));

test('passphrases and passwords are answered where ssh asks, and no others', () =>
  withServer({ auth: ({ method }) => method === 'publickey' }, async (server) => {
    const identityFiles = [keys.encrypted.file];
    const passphrases = { [keys.encrypted.file]: 'open sesame' };
    await (await opensshTransport.connect(mine(server, { identityFiles, passphrases }))).close();
    const error = await failure(mine(server, { identityFiles, passphrases: { other: 'x' } }));
    assert.equal([error.kind, error.phase, error.transient], ['auth', 'auth', false]);
    assert.match(error.message, /nobody here could answer "Enter passphrase for key '.*\/key':"/);
  }));

test('a password is answered once', () =>
  withServer(
    { auth: (context) => context.method === 'password' && context.password === 'secret', methods: ['password'] },
    async (server) => {
      await (await opensshTransport.connect(mine(server, { identityFiles: [], password: 'secret' }))).close();
      const error = await failure(mine(server, { identityFiles: [], password: 'wrong' }));
      assert.is(error.kind, 'auth');
      assert.match(error.message, /someone@here by openssh: .*Permission denied \(password\)/);
      assert.is(server.tried.filter((method) => method === 'password').length, 2);
    },
  ));

test('host keys that are new or changed are refused, for good', () =>
  withServer({}, async (server) => {
    const unknown = await failure(mine(server, { knownHostsFiles: [file('')], connectionAttempts: 3 }));
    assert.equal([unknown.kind, unknown.phase, unknown.transient], ['host-key', 'host-key', false]);
    const other = file(`[127.0.0.1]:${server.port} ${keys.otherHost.public}\n`);
    const changed = await failure(mine(server, { knownHostsFiles: [other], connectionAttempts: 3 }));
    assert.is(changed.kind, 'host-key');
    assert.match(changed.message, /IDENTIFICATION HAS CHANGED[\s\S]*Offending ED25519 key in .*file:1/);
    const fresh = file('');
    const options = { knownHostsFiles: [fresh], strictHostKeyChecking: 'accept-new' as const };
    await (await opensshTransport.connect(mine(server, options))).close();
    assert.match(readFileSync(fresh, 'utf8'), new RegExp(`^\\[127.0.0.1\\]:${server.port} ssh-ed25519 `));
  }));

test('a refused connection is transient and tried again, a name without address is not', async () => {
  // Other tests listen on 127.0.0.1, on ports that were free a moment ago.
  const refused = await failure(target({ transport: 'openssh', address: '127.9.9.9', port: 1, connectionAttempts: 2 }));
  assert.equal([refused.kind, refused.phase, refused.transient], ['unreachable', 'tcp', true]);
  const nameless = await failure(target({ transport: 'openssh', address: 'nowhere.invalid' }));
  assert.is(nameless.phase, 'dns');
});

test('a cut link ends channels as lost and the connection with a reason', () =>
  withServer({}, async (server) => {
    const connection = await opensshTransport.connect(mine(server));
    const channel = await connection.exec('sleep 60', { onStdout: () => {}, onStderr: () => {} });
    server.cut();
    assert.equal(await channel.closed, { lost: true });
    assert.instance(await connection.closed, SessionError);
  }));

test('a host that gives one session a connection gets a second connection', () =>
  withServer({ maxSessions: 1 }, async (server) => {
    const session = openSession(mine(server), { transport: opensshTransport });
    const change = session.change(trip([step('a', 'sleep .5')]), {});
    await waitFor('the first', () => server.commands.length > 0);
    await session.ask({ become: { method: 'sudo', user: 'root' } }, [{ script: 'kp_sep', records: 1 }]).catch(() => {});
    await change;
    assert.is(session.stats.connections, 2);
    await session.close();
  }));

test('an abort ends the waiting for a login', () =>
  withServer({}, async (server) => {
    const abort = new AbortController();
    abort.abort();
    const error = await failure(mine(server), abort.signal);
    assert.is(error.kind, 'aborted');
  }));

test('hosts behind a jump host are reached with the trust that kpush has, for each hop', async () => {
  const [door, inner] = [await TestServer.start(), await TestServer.start()];
  try {
    const jump = { ...door.target(), host: 'door', sshName: 'door' };
    await (await opensshTransport.connect(mine(inner, { proxyJump: jump }))).close();
    assert.equal([door.connected, inner.connected], [1, 1]);
    const stranger = { ...jump, knownHostsFiles: [file('')] };
    const error = await failure(mine(inner, { proxyJump: stranger }));
    assert.is(error.kind, 'host-key');
    assert.is(inner.connected, 1);
  } finally {
    await Promise.all([door.close(), inner.close()]);
  }
});

test('the configuration says what kpush decided, in front of the own and the system’s', () => {
  const text = sshConfigText(
    target({
      host: 'h1',
      sshName: 'node-1',
      address: '10.0.0.1',
      identityFiles: ['/k/50% key'],
      agent: '/run/agent',
      knownHostsFiles: ['/a', '/b c'],
      strictHostKeyChecking: 'ask',
      proxyCommand: 'nc -X 5 10.0.0.1 22',
      family: 6,
      user: 'me',
    }),
    '/home/me',
  );
  assert.is(
    text,
    `Host node-1
  HostName 10.0.0.1
  Port 22
  User me
  IdentityFile "/k/50%% key"
  IdentityAgent "/run/agent"
  UserKnownHostsFile "/a" "/b c"
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking yes
  HashKnownHosts no
  ConnectTimeout 5
  ServerAliveInterval 15
  ServerAliveCountMax 3
  AddressFamily inet6
  ProxyCommand nc -X 5 10.0.0.1 22
Host *
Include "/home/me/.ssh/config"
Include /etc/ssh/ssh_config
`,
  );
});

test('what a value holds begins no option of its own', () => {
  const text = (part: Partial<Target>) => sshConfigText(target({ host: 'h1', ...part }), '/home/me');
  assert.throws(() => text({ user: 'me\nProxyCommand x' }), /User of ssh cannot have a line end/);
  assert.throws(() => text({ identityFiles: ['/k\nProxyCommand x'] }), /IdentityFile of ssh cannot have a line end/);
  assert.match(text({ user: 'a b#c' }), /^ {2}User "a b#c"$/m);
});

const words: [said: string, kind: string, phase: string, transient: boolean][] = [
  ['ssh: Could not resolve hostname x: Name or service not known', 'unreachable', 'dns', false],
  ['ssh: Could not resolve hostname x: Temporary failure in name resolution', 'unreachable', 'dns', true],
  ['Your account has expired; ask somebody.\nConnection closed by 10.0.0.1 port 22', 'auth', 'auth', false],
  ['System is booting up. Unprivileged users …\nConnection closed by 10.0.0.1 port 22', 'unreachable', 'auth', true],
  ['ssh: connect to host x port 22: No route to host', 'unreachable', 'tcp', true],
  ['kex_exchange_identification: Connection closed by remote host', 'unreachable', 'kex', true],
  ['Unable to negotiate with x port 22: no matching cipher found. Their offer: 3des', 'unreachable', 'kex', false],
  ['Received disconnect from x port 22:2: Too many authentication failures', 'auth', 'auth', false],
  [
    '/c: line 1: Bad configuration option: nonsense\n/c: terminating, 1 bad configuration options',
    'unreachable',
    'config',
    false,
  ],
  ['channel 0: open failed: administratively prohibited: open failed', 'unreachable', 'tcp', false],
  ['kpush: 1: ssh: not found', 'unreachable', 'transport', false],
  ['what nobody ever said', 'unreachable', 'connect', false],
];

for (const [said, kind, phase, transient] of words)
  test(`${phase}${transient ? ', transient' : ''}: ${said.slice(0, 60)}`, () => {
    const error = sshError(target(), said, []);
    assert.equal([error.kind, error.phase, error.transient], [kind, phase, transient]);
    assert.ok(error.message.includes(said));
  });

test.run();

function mine(server: TestServer, more: Partial<Target> = {}): Target {
  return server.target({ transport: 'openssh', ...more });
}

async function failure(to: Target, signal?: AbortSignal): Promise<SessionError> {
  const connection = await opensshTransport.connect(to, signal).catch((error: unknown) => error);
  assert.instance(connection, SessionError);
  return connection as SessionError;
}

async function withServer(options: ServerOptions, body: (server: TestServer) => Promise<void>) {
  const server = await TestServer.start(options);
  try {
    await body(server);
  } finally {
    await server.close();
  }
}
