import { spawn } from 'node:child_process';
import * as assert from 'uvu/assert';
import type { Target } from '../../../src/core/session.ts';
import { sshTransport } from '../../../src/transports/ssh/index.ts';
import { knownHostsLine } from '../../../src/transports/ssh/known-hosts.ts';
import { suite } from '../../support/harness.ts';
import { file, keys, TestServer } from '../../unit/transports/server.ts';

/** Each known_hosts text is given to kpush and to the real ssh, which log in to the same server. */
const test = suite('known_hosts as the real ssh takes it', { timeout: 60_000 });
const right = keys.host.public.split(' ').slice(0, 2).join(' ');
const wrong = keys.otherHost.public.split(' ').slice(0, 2).join(' ');
const blob = Buffer.from(right.split(' ')[1] ?? '', 'base64');

/** `N` is the server's name, `[127.0.0.1]:PORT`, `P` its port. */
const vectors: Record<string, string> = {
  nothing: '',
  'the name': `N ${right}`,
  'another name': `[127.0.0.1]:1 ${right}`,
  'the address without the port': `127.0.0.1 ${right}`,
  'the address without the port, another key': `127.0.0.1 ${wrong}`,
  'another key': `N ${wrong}`,
  'another key, then the right one': `N ${wrong}\nN ${right}`,
  'the right key, then another': `N ${right}\nN ${wrong}`,
  'a list of names': `a.example,N,b.example ${right}`,
  'a wildcard': `[127.0.0.*]:P ${right}`,
  'a wildcard for one character': `[127.0.0.?]:P ${right}`,
  'a wildcard for the port': `[127.0.0.1]:* ${right}`,
  'a wildcard for all': `* ${right}`,
  'a wildcard for all, another key': `* ${wrong}`,
  'a negation that hits': `*,!N ${right}`,
  'a negation first': `!N,* ${right}`,
  'a negation that does not hit': `!other.example,* ${right}`,
  'only a negation': `!other.example ${right}`,
  revoked: `@revoked N ${right}\nN ${right}`,
  'revoked for all': `N ${right}\n@revoked * ${right}`,
  'another key is revoked': `@revoked N ${wrong}\nN ${right}`,
  'revoked for another name': `@revoked other.example ${right}\nN ${right}`,
  'only a CA': `@cert-authority N ${right}`,
  'a CA and the key': `@cert-authority N ${wrong}\nN ${right}`,
  'an unknown marker': `@odd N ${right}`,
  'a comment': `# N ${right}`,
  'a comment behind': `N ${right} someone@somewhere`,
  'blanks and tabs': `  N\t${right}  `,
  'a key that is none': `N ssh-ed25519 AAAA`,
  'no newline at the end, after garbage': `garbage\n\nN ${right}`,
};

for (const [name, text] of Object.entries({ ...vectors, hashed: 'HASHED', 'hashed, another name': 'HASHED-OTHER' }))
  test(name, async () => {
    const server = await TestServer.start();
    try {
      const one = async (checking: Target['strictHostKeyChecking']) => {
        const [ours, theirs] = [textFor(text, server), textFor(text, server)].map((each) => file(each, 'known'));
        const target = server.target({ knownHostsFiles: [ours ?? ''], strictHostKeyChecking: checking });
        const expected = await sshAccepts(target, theirs ?? '');
        const accepted = await kpushAccepts(target);
        assert.is(accepted, expected, `${name}, ${checking}: ssh ${expected ? 'accepts' : 'refuses'}`);
      };
      await Promise.all((['yes', 'accept-new', 'no'] as const).map(one));
    } finally {
      await server.close();
    }
  });

test.run();

function textFor(text: string, { port }: TestServer): string {
  const name = `[127.0.0.1]:${port}`;
  if (text === 'HASHED') return knownHostsLine(name, blob, true);
  if (text === 'HASHED-OTHER') return knownHostsLine(`[127.0.0.1]:${port + 1}`, blob, true);
  const written = text.replace(/\bN\b/g, name).replace(/\]:P/g, `]:${port}`);
  return text.endsWith('garbage') || text === '' ? written : `${written}\n`;
}

async function kpushAccepts(target: Target): Promise<boolean> {
  const connection = await sshTransport.connect(target).catch((error: Error & { kind?: string }) => error);
  if ('exec' in connection) {
    await connection.close();
    return true;
  }
  assert.is(connection.kind, 'host-key', connection.message);
  return false;
}

function sshAccepts({ port, identityFiles, strictHostKeyChecking }: Target, known: string): Promise<boolean> {
  const options = {
    UserKnownHostsFile: known,
    GlobalKnownHostsFile: '/dev/null',
    StrictHostKeyChecking: strictHostKeyChecking,
    UpdateHostKeys: 'no',
    IdentityAgent: 'none',
    IdentitiesOnly: 'yes',
    BatchMode: 'yes',
  };
  const words = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const where = ['-p', String(port), '-i', identityFiles[0] ?? '', 'someone@127.0.0.1', 'true'];
  // The server is in this process: it must go on meanwhile.
  const child = spawn('ssh', ['-F', 'none', ...words, ...where], { stdio: 'ignore' });
  return new Promise((resolve) => child.once('close', (code) => resolve(code === 0)));
}
