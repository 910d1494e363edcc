import { join } from 'node:path';
import { inputError } from '../core/errors.ts';
import type { Target } from '../core/session.ts';
import { wait } from '../core/waits.ts';
import { expandHome } from '../load/search.ts';
import { parseSshArgs, type SshArgs } from './ssh-args.ts';
import type { SshConfigTarget } from './ssh-config/target.ts';
import { expandTokens } from './ssh-config/tokens.ts';
import { checkAddress, checkPort, checkUser } from './ssh-names.ts';
import type { TargetDefaults } from './target-defaults.ts';

/** How variables and keywords answer: the text of the first of these names that is set. */
export interface TargetQuestions {
  host: string;
  /** localhost that no inventory names. */
  implicitLocal: boolean;
  text(...names: string[]): string | undefined;
  keyword(name: 'remoteUser' | 'port' | 'connection'): string | undefined;
  /** Where a variable stands, for errors. */
  origin(...names: string[]): { file: string; line: number; column: number } | undefined;
  isFile(path: string): boolean;
}

/** Variables first, then keywords, then flags and ansible.cfg, then ssh_config, then defaults. */
export function buildTarget(ask: TargetQuestions, defaults: TargetDefaults): Target {
  const { transport, given, args, port, user, name, config } = address(ask, defaults);
  const common = base(name, config, defaults);
  const hops = isProxied(args) ? args.proxyJump : config.jump;
  const target = ownCommand(ask, args, {
    ...common,
    host: ask.host,
    transport,
    port: port || config.port || 22,
    user: user ?? config.user ?? defaults.systemUser,
    identityFiles: identityFiles(ask, args, config, defaults, transport),
    connectTimeout:
      number(ask, 'ansible_timeout', 'ansible_ssh_timeout') ??
      args.connectTimeout ??
      defaults.timeout ??
      config.connectTimeout ??
      wait('connect').timeout,
    becomePassword:
      ask.text('ansible_become_password', 'ansible_become_pass', 'ansible_sudo_pass', 'ansible_sudo_password') ??
      defaults.becomePassword,
    password: ask.text('ansible_password', 'ansible_ssh_pass', 'ansible_ssh_password') ?? defaults.password,
    remoteTmp: ask.text('ansible_remote_tmp') ?? defaults.remoteTmp,
    shell: ask.text('ansible_shell_executable') ?? defaults.shell,
    ...followed(args, common),
    ...(transport === 'openssh' && given.words.length > 0 ? { sshArgs: given.words } : {}),
    ...(hops === undefined ? {} : { proxyJump: jump(hops, defaults), proxyCommand: undefined }),
  });
  return defaults.projectKnownHosts === undefined ? target : trusting(target, defaults.projectKnownHosts);
}

/** The user of the connection, without all else that a target holds. */
export function userOf(ask: TargetQuestions, defaults: TargetDefaults): string {
  const { user, config } = address(ask, defaults);
  return user ?? config.user ?? defaults.systemUser;
}

/** Where to, as whom, and what ssh's arguments and configuration say of it. */
function address(ask: TargetQuestions, defaults: TargetDefaults) {
  const transport = transportOf(ask, defaults);
  const given = sshArgs(ask, defaults, transport);
  const { args } = given;
  const wanted = number(ask, ...portNames) ?? ask.keyword('port') ?? args.port ?? defaults.port;
  const port = wanted === undefined ? undefined : Number(wanted);
  if (port !== undefined && transport !== 'local') checkPort(port, ask.origin(...portNames));
  const user = ask.text(...userNames) || (ask.keyword('remoteUser') ?? args.user ?? defaults.user);
  const name = ask.text(...addressNames) ?? ask.host;
  if (transport !== 'local') checkAddress(name, ask.origin(...addressNames));
  if (transport !== 'local') checkUser(user ?? '', ask.origin(...userNames));
  const config = defaults.sshConfig?.(name, user, port) ?? {};
  return { transport, given, args, port, user, name, config };
}

const userNames = ['ansible_user', 'ansible_ssh_user'];
const portNames = ['ansible_port', 'ansible_ssh_port'];
const addressNames = ['ansible_host', 'ansible_ssh_host'];

/** The project's known_hosts counts for jump hosts, too. */
function trusting(target: Target, file: string): Target {
  const { proxyJump, knownHostsFiles } = target;
  return {
    ...target,
    knownHostsFiles: [...knownHostsFiles, file],
    ...(proxyJump ? { proxyJump: trusting(proxyJump, file) } : {}),
  };
}

/** The tokens of a ProxyCommand among the arguments; that of ssh_config has none left. */
function ownCommand(ask: TargetQuestions, { proxyCommand }: SshArgs, target: Target): Target {
  if (proxyCommand === undefined || target.proxyJump) return target;
  const { address: h, port, user: r, hostKeyAlias, sshName: n = h } = target;
  const tokens = { h, n, p: String(port), r, k: hostKeyAlias ?? n };
  const from = ask.origin('ansible_ssh_extra_args', 'ansible_ssh_common_args') ?? {
    file: 'the ssh arguments',
    line: 1,
    column: 1,
  };
  return { ...target, proxyCommand: expandTokens(proxyCommand, tokens, from) };
}

/** A target as ssh itself would reach that name: for jump hosts and as the ground of every other. */
function base(name: string, config: SshConfigTarget, defaults: TargetDefaults): Target {
  return {
    host: name,
    sshName: name,
    transport: 'ssh',
    address: name,
    port: 22,
    user: defaults.systemUser,
    identityFiles: [],
    identitiesOnly: false,
    passphrases: defaults.passphrases ?? {},
    knownHostsFiles: knownHosts(defaults.home),
    strictHostKeyChecking: 'ask',
    hashKnownHosts: false,
    connectTimeout: defaults.timeout ?? wait('connect').timeout,
    keepaliveInterval: wait('keepalive').interval,
    keepaliveCount: 3,
    connectionAttempts: 1,
    shell: defaults.shell,
    ...(defaults.agent ? { agent: defaults.agent } : {}),
    ...withoutJump(config),
    ...(defaults.hostKeyChecking ? {} : { strictHostKeyChecking: 'no' as const }),
  };
}

function withoutJump({ jump, ...part }: SshConfigTarget): Partial<Target> {
  return part;
}

function knownHosts(home: string): string[] {
  return [...ownKnownHosts(home), ...systemKnownHosts];
}

export function ownKnownHosts(home: string): string[] {
  return ['known_hosts', 'known_hosts2'].map((name) => join(home, '.ssh', name));
}

export const systemKnownHosts: readonly string[] = ['/etc/ssh/ssh_known_hosts', '/etc/ssh/ssh_known_hosts2'];

/** OpenSSH itself takes any argument, so those that kpush cannot follow are wrong only for the others. */
function sshArgs(ask: TargetQuestions, defaults: TargetDefaults, transport: Target['transport']) {
  const read = (name: string, fallback: string | undefined) =>
    parseSshArgs(ask.text(name) ?? fallback ?? '', ask.origin(name), transport === 'openssh');
  const common = read('ansible_ssh_common_args', defaults.sshCommonArgs);
  const extra = read('ansible_ssh_extra_args', defaults.sshExtraArgs);
  // ssh takes the first word on an option, kpush the last.
  return { args: { ...common.args, ...extra.args }, words: [...extra.words, ...common.words] };
}

/** What the ssh arguments say beyond user, port and keys. */
function followed(args: SshArgs, common: Target): Partial<Target> {
  const checking = args.strictHostKeyChecking;
  return {
    ...(checking === undefined ? {} : { strictHostKeyChecking: checkingOf(checking) }),
    ...(args.userKnownHostsFile === undefined
      ? {}
      : { knownHostsFiles: args.userKnownHostsFile.split(/\s+/).map(expandHome) }),
    ...(isProxied(args) ? { proxyCommand: args.proxyCommand } : {}),
    ...(args.identitiesOnly === undefined ? {} : { identitiesOnly: args.identitiesOnly }),
    ...(args.hostKeyAlias === undefined ? {} : { hostKeyAlias: args.hostKeyAlias }),
    keepaliveInterval: args.keepaliveInterval ?? common.keepaliveInterval,
    keepaliveCount: args.keepaliveCount ?? common.keepaliveCount,
  };
}

/** `none` counts, too: it undoes what ssh_config says. */
function isProxied(args: SshArgs): boolean {
  return 'proxyJump' in args || 'proxyCommand' in args;
}

function checkingOf(word: string): Target['strictHostKeyChecking'] {
  if (word === 'accept-new' || word === 'ask') return word;
  if (word === 'no' || word === 'off' || word === 'false') return 'no';
  if (word === 'yes' || word === 'true') return 'yes';
  throw inputError(`StrictHostKeyChecking '${word}' is not known`, { expected: 'yes, no, accept-new or ask' });
}

/** `a,b`: through a, then b. The first hop may have a jump host of its own in ssh_config. */
function jump(text: string, defaults: TargetDefaults, through: readonly string[] = []): Target | undefined {
  return text
    .split(',')
    .reduce<Target | undefined>((before, hop) => hopTarget(hop.trim(), before, defaults, through), undefined);
}

function hopTarget(
  hop: string,
  before: Target | undefined,
  defaults: TargetDefaults,
  through: readonly string[],
): Target {
  const match = /^(?:ssh:\/\/)?(?:(.+)@)?(?:\[([^\]]+)\]|([^:@]+))(?::(\d+))?$/.exec(hop);
  if (!match) throw inputError(`'${hop}' is no jump host`, { expected: 'user@host:port' });
  if (through.includes(hop)) throw inputError(`the jump host ${hop} is reached through itself`);
  const [, user, bracketed, plain, port] = match;
  const name = bracketed ?? plain ?? '';
  checkAddress(name);
  if (port) checkPort(Number(port));
  checkUser(user ?? '');
  const config = defaults.sshConfig?.(name, user, port ? Number(port) : undefined) ?? {};
  const own = !before && config.jump ? jump(config.jump, defaults, [...through, hop]) : before;
  return {
    ...base(name, config, defaults),
    host: name,
    user: user ?? config.user ?? defaults.systemUser,
    port: Number(port ?? config.port ?? 22),
    identityFiles: config.identityFiles ?? defaultKeys(defaults),
    ...(own ? { proxyJump: own, proxyCommand: undefined } : {}),
  };
}

const keyNames = ['id_ed25519', 'id_ecdsa', 'id_rsa'];

function defaultKeys({ home }: TargetDefaults): string[] {
  return keyNames.map((name) => join(home, '.ssh', name));
}

function identityFiles(
  ask: TargetQuestions,
  args: SshArgs,
  config: SshConfigTarget,
  defaults: TargetDefaults,
  transport: Target['transport'],
): string[] {
  const given = ask.text('ansible_ssh_private_key_file', 'ansible_private_key_file') ?? defaults.privateKeyFile;
  const named = [...(given ? [given] : []), ...(args.identityFiles ?? [])].map(expandHome);
  // As `ssh -i` does: the keys of ssh_config come after those that were named.
  if (named.length) return [...new Set([...named, ...(config.identityFiles ?? [])])];
  if (config.identityFiles) return config.identityFiles;
  // OpenSSH knows more names than ssh2 has kinds of keys (id_ed25519_sk): its defaults are left to it.
  return transport === 'openssh' ? [] : defaultKeys(defaults).filter((path) => ask.isFile(path));
}

const transports = new Map<string, Target['transport']>([
  ['ssh', 'ssh'],
  ['smart', 'ssh'],
  ['paramiko', 'ssh'],
  ['paramiko_ssh', 'ssh'],
  ['local', 'local'],
  ['openssh', 'openssh'],
]);

function transportOf(ask: TargetQuestions, defaults: TargetDefaults): Target['transport'] {
  const given = ask.text('ansible_connection') ?? ask.keyword('connection');
  if (given === undefined && ask.implicitLocal) return 'local';
  return transportNamed(given ?? defaults.connection ?? 'ssh', ask.origin('ansible_connection'));
}

/** Throws an input error for a connection kpush does not have. */
export function transportNamed(
  name: string,
  origin?: { file: string; line: number; column: number },
): Target['transport'] {
  const found = transports.get(name.replace(/^ansible\.builtin\./, ''));
  if (found) return found;
  throw inputError(`the connection '${name}' is not supported`, { origin, expected: 'ssh, openssh or local' });
}

function number(ask: TargetQuestions, ...names: string[]): number | undefined {
  const text = ask.text(...names);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && text.trim() !== '') return value;
  throw inputError(`${names[0]} is '${text}'`, { origin: ask.origin(...names), expected: 'a number' });
}
