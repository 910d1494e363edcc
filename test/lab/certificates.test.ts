import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Session, Target } from '../../src/core/session.ts';
import { SessionError } from '../../src/core/session.ts';
import { openSession } from '../../src/remote/session.ts';
import { anyTransport } from '../../src/transports/index.ts';
import type { Lab } from '../lab-kit/index.ts';
import { matrixLab } from '../matrix/support/check.ts';
import { suite } from '../support/harness.ts';
import { hostTarget } from './remote-support.ts';
import { scratch } from './support/inventory.ts';

/** sshd on 2210 takes users by certificate only; that on 2211 shows a key that only a CA vouches for. */
const test = suite('certificates', { timeout: 60_000 });
const byUser = 2210;
const byHost = 2211;
const ask = [{ script: 'id -un; kp_sep', records: 1 }];
let lab: Lab;
let dir: string;

test(
  'the lab is up',
  async () => {
    lab = await matrixLab();
    dir = scratch('certificates');
    for (const name of ['user_key', 'user_key-cert.pub', 'host.pub'])
      writeFileSync(join(dir, name), `${await lab.sh('h1', `cat /etc/ssh/ca/${name}`)}\n`);
    chmodSync(join(dir, 'user_key'), 0o600);
    const address = lab.hosts[0]?.address;
    writeFileSync(
      join(dir, 'by-ca'),
      `@cert-authority [${address}]:* ${await lab.sh('h1', 'cat /etc/ssh/ca/host.pub')}\n`,
    );
    writeFileSync(join(dir, 'none'), '');
  },
  { timeout: 600_000 },
);

test('a host that takes only certificates lets in over openssh whom ssh lets in', async () => {
  for (const name of ['user_key', 'the key alone']) {
    const withCertificate = name === 'user_key';
    const key = withCertificate ? join(dir, name) : lab.keyPath;
    assert.is(sshGetsIn(byUser, key, lab.knownHostsPath), withCertificate, `ssh with ${name}`);
    const outcome = await outcomeOf(certified('openssh', { identityFiles: [key] }));
    if (withCertificate) assert.equal(outcome, [['in-bash\n']]);
    else assert.is((outcome as SessionError).kind, 'auth');
  }
});

test('the certificate may be named: CertificateFile', async () => {
  const bare = join(dir, 'bare');
  spawnSync('cp', [join(dir, 'user_key'), bare]);
  const certificateFile = join(dir, 'user_key-cert.pub');
  assert.equal(await outcomeOf(certified('openssh', { identityFiles: [bare], certificateFile })), [['in-bash\n']]);
});

test('ssh2 is not let in, and says what would be', async () => {
  for (const certificateFile of [undefined, join(dir, 'user_key-cert.pub')]) {
    const given = { identityFiles: [join(dir, 'user_key')], ...(certificateFile ? { certificateFile } : {}) };
    const error = (await outcomeOf(certified('ssh', given))) as SessionError;
    assert.equal([error.kind, error.transient], ['auth', false]);
    assert.match(error.message, /(has|is) a certificate, which needs the transport openssh/);
    assert.match(error.hint ?? '', /connection: openssh/);
  }
});

test('a host key that only a CA vouches for is good over openssh, as for ssh', async () => {
  for (const known of ['by-ca', 'none']) {
    const isGood = known === 'by-ca';
    assert.is(sshGetsIn(byHost, lab.keyPath, join(dir, known)), isGood, `ssh, ${known}`);
    const outcome = await outcomeOf(vouched('openssh', known));
    if (isGood) assert.equal(outcome, [['in-bash\n']]);
    else assert.equal([(outcome as SessionError).kind, (outcome as SessionError).transient], ['host-key', false]);
  }
});

test('ssh2 refuses it, and says what can verify it', async () => {
  const error = (await outcomeOf(vouched('ssh', 'by-ca'))) as SessionError;
  assert.equal([error.kind, error.phase], ['host-key', 'host-key']);
  assert.match(error.message, /known only by an @cert-authority line, and ssh2 cannot verify host certificates/);
  assert.match(error.hint ?? '', /connection: openssh/);
});

test('the lab is left', () => lab.down());
test.run();

function certified(transport: Target['transport'], more: Partial<Target>): Session {
  return session({ transport, port: byUser, hostKeyAlias: lab.hosts[0]?.address ?? '', ...more });
}

function vouched(transport: Target['transport'], known: string): Session {
  return session({ transport, port: byHost, knownHostsFiles: [join(dir, known)] });
}

function session(more: Partial<Target>): Session {
  return openSession(hostTarget(lab, { user: 'in-bash', ...more }), { transport: anyTransport });
}

async function outcomeOf(session: Session): Promise<string[][] | SessionError> {
  try {
    return await session.ask({}, ask);
  } catch (error) {
    assert.instance(error, SessionError);
    return error as SessionError;
  } finally {
    await session.close();
  }
}

function sshGetsIn(port: number, key: string, known: string): boolean {
  const options = [
    'BatchMode=yes',
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
    `UserKnownHostsFile=${known}`,
    'StrictHostKeyChecking=yes',
  ];
  if (port === byUser) options.push(`HostKeyAlias=${lab.hosts[0]?.address}`);
  const args = ['-F', 'none', '-p', String(port), '-i', key, ...options.flatMap((option) => ['-o', option])];
  return spawnSync('ssh', [...args, `in-bash@${lab.hosts[0]?.address}`, 'true'], { stdio: 'ignore' }).status === 0;
}
