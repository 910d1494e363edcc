import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { RunControl } from '../../../src/core/options.ts';
import type { Target } from '../../../src/core/session.ts';
import { askTrust, meetStrangers } from '../../../src/run/host-trust.ts';
import { askPassphrases } from '../../../src/run/passphrases.ts';
import { sshTransport } from '../../../src/transports/ssh/index.ts';
import { fingerprint } from '../../../src/transports/ssh/known-hosts.ts';
import { suite } from '../../support/harness.ts';
import { target } from '../remote/support.ts';
import { file, keys, TestServer } from '../transports/server.ts';

const test = suite('asked before the first connection', { timeout: 20_000 });
const print = fingerprint(Buffer.from(keys.host.public.split(' ')[1] ?? '', 'base64'));

test('unknown keys of all hosts are one table with one question; a yes is written down and connects', () =>
  withServers(2, async (servers) => {
    const known = file('');
    const targets = servers.map((server, n) => stranger(server, known, { host: `h${n}` }));
    const { asked, control } = terminal(['y']);
    await askTrust(targets, control);
    assert.is(asked.length, 1);
    const lines = asked[0]?.split('\n') ?? [];
    assert.is(lines[0], 'The keys of these hosts are not known:');
    const names = servers.map(({ port }, n) => `  h${n} ([127.0.0.1]:${port})`);
    assert.equal(lines.slice(1, 3).sort(), names.map((name) => `${name}  ssh-ed25519  ${print}`).sort());
    assert.is(lines[3], `Compare the fingerprints. Trust them from now on (${known})? [y/N] `);
    for (const one of targets) await (await sshTransport.connect(one)).close();
    await askTrust(targets, terminal([]).control);
    assert.ok(
      servers.every(({ tried }) => tried.length === 1),
      'nobody logged in to be met',
    );
  }));

test('a no writes nothing, and the connection refuses', () =>
  withServers(1, async ([server]) => {
    const known = file('');
    const one = stranger(server!, known);
    await askTrust([one], terminal(['']).control);
    assert.is(readFileSync(known, 'utf8'), '');
    const error = await sshTransport.connect(one).catch((e: Error & { kind?: string }) => e);
    assert.is((error as { kind?: string }).kind, 'host-key');
  }));

test('without a terminal nothing is asked or met', () =>
  withServers(1, async ([server]) => {
    const { control } = terminal([]);
    await askTrust([stranger(server!, file(''))], { ...control, prompt: undefined } as RunControl);
    assert.is(server!.connected, 0);
  }));

test('that another key is revoked leaves the one it shows a question', () =>
  withServers(1, async ([server]) => {
    const { asked, control } = terminal(['y']);
    const one = stranger(server!, file(`@revoked * ${keys.otherHost.public}\n`));
    await askTrust([one], control);
    assert.is(asked.length, 1);
    await (await sshTransport.connect(one)).close();
  }));

test('known, changed, revoked keys and those of a CA are no question; nor is strict checking', () =>
  withServers(1, async ([server]) => {
    const name = `[127.0.0.1]:${server!.port}`;
    for (const line of [keys.host.public, keys.otherHost.public])
      for (const marker of ['', '@cert-authority '])
        await askTrust([stranger(server!, file(`${marker}${name} ${line}\n`))], terminal([]).control);
    for (const strictHostKeyChecking of ['yes', 'no', 'accept-new'] as const)
      await askTrust([stranger(server!, file(''), { strictHostKeyChecking })], terminal([]).control);
    assert.is(server!.connected, 0);
    await askTrust([stranger(server!, file(`@revoked * ${keys.host.public}\n`))], terminal([]).control);
  }));

test('hosts behind a new jump host come in a second table', () =>
  withServers(2, async ([door, inner]) => {
    const known = file('');
    const jump = stranger(door!, known, { host: 'door' });
    const { asked, control } = terminal(['yes', 'yes']);
    await askTrust([stranger(inner!, known, { host: 'inner', proxyJump: jump }), jump], control);
    assert.equal(
      asked.map((text) => /^ {2}(\w+)/m.exec(text)?.[1]),
      ['door', 'inner'],
    );
    assert.equal(inner!.tried, [], 'met, not logged in to');
  }));

test('a host that cannot be met is left to the run', () =>
  withServers(1, async ([server]) => {
    const gone = stranger(server!, file(''), { port: 1, connectTimeout: 1 });
    const { failed, strangers } = await meetStrangers([gone], new AbortController().signal);
    assert.equal([failed.length, strangers.length], [1, 0]);
    await askTrust([gone], terminal([]).control);
  }));

test('the passphrase of a key is asked once for all hosts, again when it is wrong, and concealed', async () => {
  const one = target({ transport: 'ssh', identityFiles: [keys.encrypted.file, keys.user.file, '/nowhere'] });
  const passphrases: Record<string, string> = {};
  const { asked, concealed, control } = terminal(['wrong', 'open sesame']);
  await askPassphrases([one, { ...one, host: 'other', proxyJump: one }], passphrases, control);
  const question = `Passphrase of ${keys.encrypted.file}`;
  assert.equal(asked, [`${question} (empty: without this key): `, `${question}, again (empty: without this key): `]);
  assert.equal(passphrases, { [keys.encrypted.file]: 'open sesame' });
  assert.equal(concealed, ['open sesame']);
});

test('an empty passphrase leaves the key out; without a terminal none is asked', async () => {
  const one = target({ transport: 'ssh', identityFiles: [keys.encrypted.file] });
  const passphrases: Record<string, string> = {};
  const { asked, control } = terminal(['']);
  await askPassphrases([one], passphrases, control);
  await askPassphrases([one], passphrases, { ...control, prompt: undefined } as RunControl);
  assert.equal([asked.length, passphrases], [1, {}]);
});

test.run();

function stranger(server: TestServer, known: string, more: Partial<Target> = {}): Target {
  return server.target({ knownHostsFiles: [known], strictHostKeyChecking: 'ask', ...more });
}

/** A terminal with these answers; a question more is an error. */
function terminal(answers: string[]) {
  const asked: string[] = [];
  const concealed: string[] = [];
  const signal = new AbortController().signal;
  const prompt = async (text: string) => {
    asked.push(text);
    const answer = answers.shift();
    if (answer === undefined) throw new Error(`asked without need: ${text}`);
    return answer;
  };
  const control: RunControl = { stop: signal, close: signal, prompt, conceal: (secret) => void concealed.push(secret) };
  return { asked, concealed, control };
}

async function withServers(count: number, body: (servers: TestServer[]) => Promise<void>) {
  const servers = await Promise.all(Array.from({ length: count }, () => TestServer.start()));
  try {
    await body(servers);
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}
