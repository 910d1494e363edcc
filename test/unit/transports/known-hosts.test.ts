import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { SessionError, type Target } from '../../../src/core/session.ts';
import { judgeHostKey, orderedAlgorithms } from '../../../src/transports/ssh/host-key.ts';
import { appendKnownHost, readKnownHosts } from '../../../src/transports/ssh/known-files.ts';
import {
  fingerprint,
  knownHostsLine,
  knownName,
  matchesHost,
  parseKnownHosts,
} from '../../../src/transports/ssh/known-hosts.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';
import { target } from '../remote/support.ts';

const test = suite('known_hosts', { timeout: 30_000 });

/** Key blobs of the right form; nothing checks their mathematics. */
const blob = (type: string, fill: number, fields = 1) =>
  Buffer.concat([field(Buffer.from(type)), ...Array.from({ length: fields }, () => field(Buffer.alloc(32, fill)))]);
const field = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
const [ed1, ed2, rsa, ecdsa] = [
  blob('ssh-ed25519', 1),
  blob('ssh-ed25519', 2),
  blob('ssh-rsa', 3, 2),
  blob('ecdsa-sha2-nistp256', 4, 2),
];
const line = (hosts: string, key: Buffer, marker = '') =>
  `${marker}${marker && ' '}${hosts} ${key.toString('latin1', 4, 4 + key.readUInt32BE(0))} ${key.toString('base64')}\n`;
const temp = () => tempFolder('known');

test('hosts match as ssh-keygen -F finds them', () => {
  const label = fc.constantFrom('h1', 'h2', 'node', 'a.b', 'example.org', '10.0.0.1', '::1');
  const pattern = fc.oneof(
    label,
    label.map((l) => `[${l}]:2222`),
    fc.constantFrom('*', 'h?', '*.org', '10.0.*', '!h1', '!*.b', 'H1', '[*]:2222', 'h1*'),
  );
  const hosts = fc.array(pattern, { minLength: 1, maxLength: 3 }).map((list) => list.join(','));
  const file = join(temp(), 'known_hosts');
  const samples = fc.sample(
    fc.record({
      hosts,
      name: fc.oneof(
        label,
        label.map((l) => `[${l}]:2222`),
      ),
    }),
    { numRuns: 120, seed: 2026 },
  );
  for (const sample of samples) {
    writeFileSync(file, line(sample.hosts, ed1));
    const found = spawnSync('ssh-keygen', ['-F', sample.name, '-f', file]).status === 0;
    assert.is(matchesHost(sample.hosts, sample.name), found, JSON.stringify(sample));
  }
});

test('hashed names are found, and ours are found by ssh-keygen', () => {
  const file = join(temp(), 'known_hosts');
  for (const name of ['h1', '[h1]:2222', 'example.org']) {
    writeFileSync(file, line(name, ed1));
    assert.is(spawnSync('ssh-keygen', ['-H', '-f', file]).status, 0);
    const [hashed] = parseKnownHosts(readFileSync(file, 'latin1'), file);
    assert.ok(hashed);
    assert.ok(hashed.hosts.startsWith('|1|') && matchesHost(hashed.hosts, name));
    assert.not.ok(matchesHost(hashed.hosts, 'h2'));
    writeFileSync(file, knownHostsLine(name, ed1, true));
    assert.is(spawnSync('ssh-keygen', ['-F', name, '-f', file]).status, 0);
  }
});

test('comments, blanks, unknown markers and broken keys are no entries; lines are counted', () => {
  const text = `# c\n\n${line('h1', ed1)}@odd ${line('h1', ed1)}h1 ssh-ed25519 notakey\n  ${line('h2', rsa, '@revoked')}h3\r\n`;
  assert.equal(
    parseKnownHosts(text, 'f').map(({ hosts, marker, line: at }) => [hosts, marker, at]),
    [
      ['h1', undefined, 3],
      ['h2', 'revoked', 6],
    ],
  );
});

test('fingerprints are those of ssh-keygen -l', () => {
  const dir = temp();
  spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', `${dir}/k`]);
  const shown = spawnSync('ssh-keygen', ['-l', '-f', `${dir}/k.pub`], { encoding: 'utf8' }).stdout.split(' ')[1];
  assert.is(fingerprint(Buffer.from(readFileSync(`${dir}/k.pub`, 'utf8').split(' ')[1]!, 'base64')), shown);
});

const cases: [what: string, file: string, key: Buffer, more: Partial<Target>, expected: string | RegExp][] = [
  ['a known key', line('h1', ed1), ed1, {}, 'known'],
  ['a known key by pattern', line('h?,!h9', ed1), ed1, {}, 'known'],
  ['one of two known keys of a type', line('h1', ed1) + line('h1', ed2), ed2, {}, 'known'],
  ['a port of its own', line('[h1]:2222', ed1), ed1, { port: 2222 }, 'known'],
  ['another port of a host known without', line('h1', ed1), ed1, { port: 2222 }, 'known'],
  [
    'another key on another port',
    line('h1', ed1),
    ed2,
    { port: 2222 },
    /\[h1\]:2222 is not trusted: its key is not known/,
  ],
  ['an alias, without port', line('alias', ed1), ed1, { port: 2222, hostKeyAlias: 'Alias' }, 'known'],
  [
    'a changed key',
    `\n${line('h1', ed1)}`,
    ed2,
    {},
    /h1 is not trusted: its key has changed: f:2 has ssh-ed25519 SHA256:\S+, it shows ssh-ed25519 SHA256:/,
  ],
  ['a changed key, accept-new', line('h1', ed1), ed2, { strictHostKeyChecking: 'accept-new' }, /has changed/],
  [
    'another type than the known one, accept-new',
    line('h1', rsa),
    ed2,
    { strictHostKeyChecking: 'accept-new' },
    /has changed/,
  ],
  ['a changed key, no check', line('h1', ed1), ed2, { strictHostKeyChecking: 'no' }, 'unchecked'],
  [
    'a new key',
    line('h2', ed1),
    ed1,
    {},
    /its key is not known: ssh-ed25519 SHA256:\S+ \(looked in \/known, \/global\)/,
  ],
  ['a new key, ask', '', ed1, { strictHostKeyChecking: 'ask' }, /not known/],
  ['a new key, accept-new', '', ed1, { strictHostKeyChecking: 'accept-new' }, 'new'],
  ['a new key, no check', '', ed1, { strictHostKeyChecking: 'no' }, 'new'],
  ...(['yes', 'ask', 'accept-new'] as const).map((checking): (typeof cases)[number] => [
    `a revoked key, ${checking}`,
    line('*', ed1, '@revoked') + line('h1', ed1),
    ed1,
    { strictHostKeyChecking: checking },
    /is revoked by f:1/,
  ]),
  ['a revoked key, no check', line('*', ed1, '@revoked'), ed1, { strictHostKeyChecking: 'no' }, 'unchecked'],
  ['another key than the revoked one', line('*', ed2, '@revoked') + line('h1', ed1), ed1, {}, 'known'],
  [
    'only a certificate authority',
    line('h1', ed1, '@cert-authority'),
    ed1,
    {},
    /known only by an @cert-authority line/,
  ],
  ['a negated name', line('*,!h1', ed1), ed1, {}, /not known/],
];

for (const [what, file, key, more, expected] of cases)
  test(`the verdict on ${what}`, () => {
    const asked = target({ address: 'H1', knownHostsFiles: ['/known', '/global'], ...more });
    const judge = () => judgeHostKey(asked, parseKnownHosts(file, 'f'), key);
    if (typeof expected === 'string') assert.is(judge(), expected);
    else
      assert.throws(judge, (error: SessionError) => {
        assert.equal([error.kind, error.transient], ['host-key', false]);
        return expected.test(error.message);
      });
  });

test('algorithms of known keys come first, RSA by its signature names', () => {
  const all = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'rsa-sha2-512', 'rsa-sha2-256'];
  const order = (text: string) => orderedAlgorithms(target({ address: 'h1' }), parseKnownHosts(text, 'f'), all);
  assert.equal(order(''), all);
  assert.equal(order(line('h1', rsa)), ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-ed25519', 'ecdsa-sha2-nistp256']);
  assert.equal(order(line('h1', ecdsa))[0], 'ecdsa-sha2-nistp256');
  assert.equal(order(line('h2', rsa)), all);
});

test('a new key is appended once, to a private file, after a last line without newline too', async () => {
  const file = join(temp(), 'new', 'known_hosts');
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => appendKnownHost(file, knownName(`h${n % 10}`, n % 2 ? 22 : 2222), ed1, false)),
  );
  assert.is(statSync(file).mode & 0o777, 0o600);
  assert.is((await readKnownHosts([file])).length, 10);
  writeFileSync(file, line('h1', ed1).trimEnd());
  await appendKnownHost(file, 'h2', ed2, true);
  assert.equal(
    (await readKnownHosts([file])).map(({ hosts }) => hosts.slice(0, 3)),
    ['h1', '|1|'],
  );
});

test('a file that is not there has no keys, one that cannot be read is an error', async () => {
  const dir = temp();
  assert.equal(await readKnownHosts([`${dir}/none`]), []);
  assert.not.ok(existsSync(`${dir}/none`));
  const error = await readKnownHosts([dir]).catch((e: SessionError) => e);
  assert.instance(error, SessionError);
});

test.run();
