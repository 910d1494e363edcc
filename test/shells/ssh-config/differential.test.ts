import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { KpushError } from '../../../src/core/errors.ts';
import { Sources } from '../../../src/load/sources.ts';
import { type SshConfigAnswer, sshConfig } from '../../../src/resolve/ssh-config/index.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';
import { type Sample, samples } from './generate.ts';

/** Our reading of ssh_config against what the installed ssh says with -G. */
const test = suite('ssh_config against ssh -G', { timeout: 240_000 });
const count = 400;
const user = userInfo();

test(`${count} generated configurations: the same values, and the same ones refused`, async () => {
  const differences: string[] = [];
  let refused = 0;
  const waiting = samples(count, 20261130).entries();
  const worker = async () => {
    for (const [i, sample] of waiting) {
      const { theirs, ours } = await both(sample);
      if (typeof theirs === 'string') refused++;
      const difference = compare(theirs, ours);
      if (difference) differences.push(`#${i} ${sample.host} ${difference}\n${shown(sample)}`);
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  assert.is(differences.length, 0, `${differences.length} differ; the first:\n${differences[0]}`);
  assert.ok(refused > count / 20 && refused < count / 2, `${refused} of ${count} refused: the rest must be read`);
});
test.run();

type Values = Record<string, string>;

/** What both say; a message or an error: refused. */
async function both(sample: Sample): Promise<{ theirs: Values | string; ours: Values | KpushError }> {
  const home = tempFolder('ssh');
  for (const [name, text] of Object.entries(sample.files)) {
    mkdirSync(dirname(join(home, '.ssh', name)), { recursive: true });
    writeFileSync(join(home, '.ssh', name), text, { mode: 0o600 });
  }
  const env = { HOME: home, AGENT_DIR: '/run/agents', PATH: process.env.PATH ?? '' };
  try {
    return { theirs: await asked(sample, home, env), ours: read(sample, home, env) };
  } finally {
    rmSync(home, { recursive: true });
  }
}

function asked({ host, user: name, port }: Sample, home: string, env: Record<string, string>) {
  const flags = [...(name ? ['-l', name] : []), ...(port ? ['-p', String(port)] : [])];
  return new Promise<Values | string>((resolve) => {
    execFile('ssh', ['-F', join(home, '.ssh', 'config'), '-G', ...flags, host], { env }, (error, stdout, stderr) =>
      resolve(error ? stderr : valuesOf(stdout, home)),
    );
  });
}

/** ssh takes `~` from the user database, and from the environment only where it looks for included files. */
function valuesOf(text: string, home: string): Values {
  const values: Values = {};
  for (const line of text.trimEnd().split('\n')) {
    const [, name = '', value = ''] = /^(\S+) ?(.*)$/.exec(line) ?? [];
    values[name] = name in values ? `${values[name]}\n${value}` : value;
  }
  for (const name of ['userknownhostsfile', 'identityagent'])
    if (values[name]) values[name] = values[name].replace(new RegExp(`(^| )${user.homedir}/`, 'g'), `$1${home}/`);
  return values;
}

function read({ host, user: name, port }: Sample, home: string, env: Record<string, string>): Values | KpushError {
  const answer = sshConfig({
    home,
    localUser: user.username,
    userFile: join(home, '.ssh', 'config'),
    sources: new Sources({ cwd: home }),
    env,
  });
  try {
    return inTheirWords(answer({ host, user: name, port }), home);
  } catch (error) {
    if (error instanceof KpushError) return error;
    throw error;
  }
}

/** In the words of `ssh -G`, with its defaults; key files it shows as they are written. */
function inTheirWords({ values, found }: SshConfigAnswer, home: string): Values {
  const flag = (value: boolean | undefined) => (value ? 'yes' : 'no');
  const list = (items: string[] | undefined) => items && (items.length > 0 ? items.join(' ') : 'none');
  const strict = values.strictHostKeyChecking ?? 'ask';
  const own = ['known_hosts', 'known_hosts2'].map((name) => `${home}/.ssh/${name}`).join(' ');
  const agent = found.get('identityagent')?.values[0];
  const given: Record<string, string | undefined> = {
    hostname: values.hostName,
    user: values.user ?? user.username,
    port: String(values.port ?? 22),
    identityfile: found.get('identityfile')?.values.join('\n'),
    certificatefile: found.get('certificatefile')?.values.join('\n'),
    identitiesonly: flag(values.identitiesOnly),
    identityagent: agent === 'SSH_AUTH_SOCK' ? agent : values.identityAgent,
    proxyjump: values.proxyJump === 'none' ? undefined : values.proxyJump,
    proxycommand: values.proxyCommand && found.get('proxycommand')?.values[0],
    userknownhostsfile: list(values.userKnownHostsFiles) ?? own,
    globalknownhostsfile: list(values.globalKnownHostsFiles) ?? '/etc/ssh/ssh_known_hosts /etc/ssh/ssh_known_hosts2',
    stricthostkeychecking: { yes: 'true', no: 'false' }[strict as string] ?? strict,
    hashknownhosts: flag(values.hashKnownHosts),
    hostkeyalias: values.hostKeyAlias,
    connecttimeout: String(values.connectTimeout ?? 'none'),
    connectionattempts: String(values.connectionAttempts ?? 1),
    serveraliveinterval: String(values.serverAliveInterval ?? 0),
    serveralivecountmax: String(values.serverAliveCountMax ?? 3),
    addressfamily: values.addressFamily ?? 'any',
    bindaddress: values.bindAddress,
    ciphers: values.ciphers?.join(','),
    macs: values.macs?.join(','),
    kexalgorithms: values.kexAlgorithms?.join(','),
    hostkeyalgorithms: values.hostKeyAlgorithms?.join(','),
  };
  return given as Values;
}

/** Lists that nobody sets have each side's own defaults. */
const ownDefaults = new Set(['identityfile', 'ciphers', 'macs', 'kexalgorithms', 'hostkeyalgorithms']);

function compare(theirs: Values | string, ours: Values | KpushError): string | undefined {
  if (typeof theirs === 'string') return ours instanceof KpushError ? undefined : `ssh refuses it: ${theirs}`;
  if (ours instanceof KpushError) return `we refuse it: ${ours.message}`;
  const differing = Object.keys(ours).filter(
    (key) => ours[key] !== theirs[key] && !(ownDefaults.has(key) && ours[key] === undefined),
  );
  return differing.map((key) => `${key}: ours ${ours[key]}, ssh's ${theirs[key]}`).join('; ') || undefined;
}

function shown({ files, ...who }: Sample): string {
  const texts = Object.entries(files).map(([name, text]) => `--- ${name}\n${text}`);
  return `${JSON.stringify(who)}\n${texts.join('')}`;
}
