import * as assert from 'uvu/assert';
import type { Target } from '../../../src/core/session.ts';
import { type SshConfigSettings, sshConfig } from '../../../src/resolve/ssh-config/index.ts';
import { targetPart } from '../../../src/resolve/ssh-config/target.ts';
import type { Wanted } from '../../../src/resolve/ssh-config/types.ts';
import { buildTarget, ownKnownHosts, systemKnownHosts } from '../../../src/resolve/target.ts';
import type { TargetDefaults } from '../../../src/resolve/target-defaults.ts';
import { suite } from '../../support/harness.ts';
import { caught } from '../load/support/caught.ts';
import { memorySources } from '../load/support/memory-files.ts';

const test = suite('resolve/ssh-config');
const home = '/t/home';

/** What a user's configuration says, with further files beside it. */
function answer(config: string, wanted: Wanted, more: Partial<SshConfigSettings> = {}, files = {}) {
  return reading(config, more, files)(wanted);
}

function reading(config: string, more: Partial<SshConfigSettings> = {}, files: Record<string, string> = {}) {
  const sources = memorySources({ 'home/.ssh/config': config, ...files });
  const env = { SSH_AUTH_SOCK: '/run/agent', FROM_ENV: 'env' };
  return sshConfig({ sources, home, localUser: 'me', userFile: '/t/home/.ssh/config', env, ...more });
}

interface Given {
  vars?: Record<string, string>;
  keywords?: Record<string, string>;
  defaults?: Partial<TargetDefaults>;
}

/** The target of `h` under a configuration, variables, keywords and what flags and ansible.cfg say. */
function target(config: string, { vars = {}, keywords = {}, defaults = {} }: Given = {}): Target {
  const read = reading(config);
  return buildTarget(
    {
      host: 'h',
      implicitLocal: false,
      text: (...names) => names.map((name) => vars[name]).find((value) => value !== undefined),
      keyword: (name) => keywords[name],
      origin: () => undefined,
      isFile: () => false,
    },
    {
      ...{ home, systemUser: 'me', hostKeyChecking: true, shell: '/bin/sh' },
      sshConfig: (host, user, port) =>
        targetPart(
          read({ host, ...(user ? { user } : {}), ...(port ? { port } : {}) }).values,
          ownKnownHosts(home),
          systemKnownHosts,
        ),
      ...defaults,
    },
  );
}

test('what ssh_config says becomes the target', () => {
  const reached = target(
    `Host h
      HostName 192.0.2.7
      User ann
      Port 2222
      IdentityFile ~/.ssh/%r@%h
      IdentityFile \${FROM_ENV}/key
      IdentitiesOnly yes
      IdentityAgent none
      CertificateFile ~/c.pub
      UserKnownHostsFile ~/kh
      StrictHostKeyChecking accept-new
      HashKnownHosts yes
      HostKeyAlias Alias
      ConnectTimeout 3
      ConnectionAttempts 4
      ServerAliveInterval 5
      ServerAliveCountMax 6
      AddressFamily inet6
      BindAddress ::1
      Ciphers aes256-ctr
      MACs hmac-sha2-512
      KexAlgorithms curve25519-sha256
      HostKeyAlgorithms rsa-sha2-512,ssh-ed25519\n`,
  );
  const want: Partial<Target> = {
    ...{ host: 'h', address: '192.0.2.7', user: 'ann', port: 2222, identitiesOnly: true, agent: undefined },
    identityFiles: ['/t/home/.ssh/ann@192.0.2.7', 'env/key'],
    ...{ certificateFile: '/t/home/c.pub', strictHostKeyChecking: 'accept-new', hashKnownHosts: true },
    knownHostsFiles: ['/t/home/kh', ...systemKnownHosts],
    ...{ hostKeyAlias: 'alias', connectTimeout: 3, connectionAttempts: 4, keepaliveInterval: 5, keepaliveCount: 6 },
    ...{ family: 6, localAddress: '::1', ciphers: ['aes256-ctr'], macs: ['hmac-sha2-512'], kex: ['curve25519-sha256'] },
    hostKeyAlgorithms: ['rsa-sha2-512', 'ssh-ed25519'],
  };
  assert.equal(Object.fromEntries(Object.keys(want).map((key) => [key, reached[key as keyof Target]])), want);
});

const config = 'Host h\n  User c\n  Port 1\n  ConnectTimeout 1\n  IdentityFile /c\n';
const order: [string, Given, Partial<Target>][] = [
  ['ssh_config over the defaults', {}, { user: 'c', port: 1, connectTimeout: 1, identityFiles: ['/c'] }],
  [
    'flags and ansible.cfg over ssh_config; its keys come after theirs',
    { defaults: { user: 'f', port: 2, timeout: 2, privateKeyFile: '/f' } },
    { user: 'f', port: 2, connectTimeout: 2, identityFiles: ['/f', '/c'] },
  ],
  [
    'keywords over flags',
    { defaults: { user: 'f', port: 2 }, keywords: { remoteUser: 'k', port: '3' } },
    { user: 'k', port: 3 },
  ],
  [
    'variables over keywords',
    { keywords: { remoteUser: 'k', port: '3' }, vars: { ansible_user: 'v', ansible_port: '4', ansible_timeout: '4' } },
    { user: 'v', port: 4, connectTimeout: 4 },
  ],
];
for (const [name, given, want] of order)
  test(`precedence: ${name}`, () => {
    const reached = target(config, given);
    assert.equal(Object.fromEntries(Object.keys(want).map((key) => [key, reached[key as keyof Target]])), want);
  });

test('blocks are chosen by the address and user that variables give', () => {
  const lines = 'Host 10.0.0.9\n  Port 9\nMatch user v\n  HostKeyAlias for-v\n';
  const reached = target(lines, { vars: { ansible_host: '10.0.0.9', ansible_user: 'v' } });
  assert.equal([reached.port, reached.hostKeyAlias], [9, 'for-v']);
});

test('each jump host has its own configuration; the first of a chain keeps its own jump host', () => {
  const { proxyJump: last } = target(
    'Host h\n ProxyJump a,b\nHost a\n HostName a.net\n User ann\n ProxyJump door:99\nHost b\n IdentityFile /b\n ProxyJump other\n',
  );
  const first = last?.proxyJump;
  assert.equal([last?.host, last?.identityFiles], ['b', ['/b']]);
  assert.equal(
    [first?.address, first?.user, first?.proxyJump?.host, first?.proxyJump?.port],
    ['a.net', 'ann', 'door', 99],
  );
  assert.is(first?.proxyJump?.proxyJump, undefined);
});

test('arguments win over a jump host, and none undoes it', () => {
  const lines = 'Host h\n ProxyJump a\n';
  const jump = (args: string) => target(lines, { vars: { ansible_ssh_common_args: args } });
  assert.is(jump('-J z').proxyJump?.host, 'z');
  assert.is(jump('-o ProxyJump=none').proxyJump, undefined);
  const { proxyCommand, proxyJump } = jump('-o ProxyCommand="nc h 22"');
  assert.equal([proxyCommand, proxyJump], ['nc h 22', undefined]);
  assert.is(target('Host h\n ProxyCommand nc %h %p %r # x\n').proxyCommand, 'nc h 22 me # x');
});

test('a jump host that is reached through itself is refused', () => {
  const error = caught(() => target('Host *\n ProxyJump a\n'));
  assert.is(error.message, 'the jump host a is reached through itself');
});

test('files are read relative to ~/.ssh, the system file last and relative to /etc/ssh', () => {
  const files = {
    'home/.ssh/d/1': 'Host x\n User one\n',
    'home/.ssh/d/2': 'User two\nHostName in-{}\n',
    etc: 'User three\nPort 3\n',
  };
  const { values } = answer('Include d/*\n', { host: 'h' }, { systemFile: '/t/etc' }, files);
  assert.equal([values.user, values.hostName, values.port], ['two', 'in-{}', 3]);
});

test('Match exec is refused where it would run, and asked where it may', () => {
  const lines = 'Match host x exec "test %h = h"\n User x\nMatch exec "test %h = h -a %p = 7"\n User e\n';
  const error = caught(() => answer(lines, { host: 'h' }));
  assert.is(error.message, "Match exec would run 'test %h = h -a %p = 7' on this machine");
  assert.equal(error.facts.origin, { file: 'home/.ssh/config', line: 3, column: 1 });
  const asked: string[] = [];
  const exec = (command: string) => asked.push(command) > 0;
  assert.is(answer(lines, { host: 'h', port: 7 }, { exec }).values.user, 'e');
  assert.is(answer(lines, { host: 'h' }, { exec: () => false }).values.user, undefined);
  assert.equal(asked, ['test h = h -a 7 = 7']);
});

test('a file that others may write to is refused', () => {
  const error = caught(() => answer('User x\n', { host: 'h' }, { isSafe: () => false }));
  assert.is(error.message, 'others than its owner may write to /t/home/.ssh/config');
});

test('what kpush does not follow is warned of', () => {
  const warnings: string[] = [];
  answer('CanonicalizeHostname yes\n', { host: 'h' }, { warn: (text, { line }) => warnings.push(`${line}: ${text}`) });
  assert.equal(warnings, ['1: CanonicalizeHostname is not followed: names are used as they are']);
});

test('an answer is kept, and an agent variable without value is no agent', () => {
  const read = reading('IdentityAgent $NOT_SET\n');
  assert.is(read({ host: 'h' }), read({ host: 'h' }));
  assert.is(read({ host: 'h' }).values.identityAgent, 'none');
  assert.is(answer('IdentityAgent SSH_AUTH_SOCK\n', { host: 'h' }).values.identityAgent, '/run/agent');
});

// Configuration → message, line:column and what is expected or tried.
const refused: [string, string, string, RegExp][] = [
  ['Hostnam x\n', "'hostnam' is no keyword of ssh_config", '1:1', /hostname/],
  ['\n  Port 0\n', "port: '0' cannot be used", '2:3', /a number from 1 to 65535/],
  ['User a b\n', 'user: more than one value cannot be used', '1:1', /in quotes/],
  ['User "a\n', 'a quote is never closed', '1:1', /a closing "/],
  ['User\n', "'User' stands alone", '1:1', /a value behind it/],
  ['Host x\n  StrictHostKeyChecking maybe\n', "stricthostkeychecking: 'maybe' cannot be used", '2:3', /accept-new/],
  ['Ciphers aes*\n', "ciphers: 'aes*' cannot be used", '1:1', /names that OpenSSH knows/],
  ['ProxyJump a:0\n', "proxyjump: 'a:0' is no jump host", '1:1', /user@host:port/],
  ['Match all user x\n', "'Match all' stands beside other criteria", '1:1', /'all' alone/],
  ['Match weekday monday\n', "Match has no criterion 'weekday' here", '1:1', /originalhost/],
  ['HostName %x\n', "'%x' stands for nothing here", '1:1', /%h/],
  ['UserKnownHostsFile ${NOPE}/x\n', 'the environment has no variable NOPE', '1:1', /a variable that is set/],
  ['Include ~bob/x\n', "include: '~bob/x' cannot be found", '1:1', /a path from \//],
  ['Include config\n', 'includes go deeper than 16 files', '1:1', /include itself/],
];
for (const [lines, message, place, help] of refused)
  test(`refuses ${JSON.stringify(lines)}`, () => {
    const { message: said, facts } = caught(() => answer(lines, { host: 'h' }));
    assert.is(said, message);
    assert.is(`${facts.origin?.line}:${facts.origin?.column}`, place);
    assert.match([facts.expected, facts.nearest, facts.hint].join(' '), help);
  });
test.run();
