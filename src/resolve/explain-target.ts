import type { Origin } from '../core/origin.ts';
import type { Target } from '../core/session.ts';
import { parseSshArgs, type SshArgs } from './ssh-args.ts';
import type { Found } from './ssh-config/types.ts';
import type { TargetDefaults } from './target-defaults.ts';

/** A value that decides how a host is reached, and who says it. */
export interface ReachExplanation {
  name: string;
  value: string;
  /** In words: a variable, ansible.cfg, ssh_config, a default. */
  source: string;
  origin?: Origin;
}

/** What can be asked of whoever may have said something. */
export interface ReachSources {
  /** A variable of the host, if files set it. */
  variable(name: string): { text: string | undefined; origin?: Origin } | undefined;
  /** ansible.cfg's part, and its file. */
  config: Partial<TargetDefaults>;
  configFile?: string;
  sshConfig: Found;
}

interface Row {
  name: string;
  key: keyof Target;
  variables?: string[];
  arg?: keyof SshArgs;
  config?: keyof TargetDefaults;
  keywords?: string[];
}

const rows: readonly Row[] = [
  { name: 'connection', key: 'transport', variables: ['ansible_connection'], config: 'connection' },
  { name: 'address', key: 'address', variables: ['ansible_host', 'ansible_ssh_host'], keywords: ['hostname'] },
  of('port', 'port', ['ansible_port', 'ansible_ssh_port'], 'port', 'port', ['port']),
  of('user', 'user', ['ansible_user', 'ansible_ssh_user'], 'user', 'user', ['user']),
  of(
    'identity files',
    'identityFiles',
    ['ansible_ssh_private_key_file', 'ansible_private_key_file'],
    'identityFiles',
    'privateKeyFile',
    ['identityfile'],
  ),
  of('identities only', 'identitiesOnly', [], 'identitiesOnly', undefined, ['identitiesonly']),
  { name: 'agent', key: 'agent', keywords: ['identityagent'] },
  { name: 'certificate', key: 'certificateFile', keywords: ['certificatefile'] },
  of('jump host', 'proxyJump', [], 'proxyJump', undefined, ['proxyjump']),
  of('proxy command', 'proxyCommand', [], 'proxyCommand', undefined, ['proxycommand']),
  of('known hosts', 'knownHostsFiles', [], 'userKnownHostsFile', undefined, [
    'userknownhostsfile',
    'globalknownhostsfile',
  ]),
  of('host key checking', 'strictHostKeyChecking', [], 'strictHostKeyChecking', undefined, ['stricthostkeychecking']),
  { name: 'hashed known hosts', key: 'hashKnownHosts', keywords: ['hashknownhosts'] },
  of('host key alias', 'hostKeyAlias', [], 'hostKeyAlias', undefined, ['hostkeyalias']),
  of('connect timeout', 'connectTimeout', ['ansible_timeout', 'ansible_ssh_timeout'], 'connectTimeout', 'timeout', [
    'connecttimeout',
  ]),
  { name: 'connection attempts', key: 'connectionAttempts', keywords: ['connectionattempts'] },
  of('keepalive interval', 'keepaliveInterval', [], 'keepaliveInterval', undefined, ['serveraliveinterval']),
  of('keepalive count', 'keepaliveCount', [], 'keepaliveCount', undefined, ['serveralivecountmax']),
  { name: 'address family', key: 'family', keywords: ['addressfamily'] },
  { name: 'local address', key: 'localAddress', keywords: ['bindaddress'] },
  { name: 'ciphers', key: 'ciphers', keywords: ['ciphers'] },
  { name: 'MACs', key: 'macs', keywords: ['macs'] },
  { name: 'key exchange', key: 'kex', keywords: ['kexalgorithms'] },
  { name: 'host key algorithms', key: 'hostKeyAlgorithms', keywords: ['hostkeyalgorithms'] },
];

function of(
  name: string,
  key: keyof Target,
  variables: string[],
  arg: keyof SshArgs,
  config: keyof TargetDefaults | undefined,
  keywords: string[],
): Row {
  return { name, key, variables, arg, keywords, ...(config ? { config } : {}) };
}

/** Every value of the target that is set, in the order above; passwords are left out. */
export function explainTarget(target: Target, sources: ReachSources): ReachExplanation[] {
  return rows.flatMap((row) => {
    const value = target[row.key];
    if (value === undefined) return [];
    return [{ name: row.name, value: valueText(value), ...sourceOf(row, sources) }];
  });
}

function sourceOf(row: Row, sources: ReachSources): Pick<ReachExplanation, 'source' | 'origin'> {
  return (
    fromVariable(row, sources) ??
    fromArgs(row, sources) ??
    fromConfig(row, sources) ??
    fromSshConfig(row, sources) ?? { source: 'default' }
  );
}

type Source = Pick<ReachExplanation, 'source' | 'origin'> | undefined;

function fromVariable({ variables = [] }: Row, { variable }: ReachSources): Source {
  const name = variables.find((each) => variable(each));
  const origin = name && variable(name)?.origin;
  return name === undefined ? undefined : { source: name, ...(origin ? { origin } : {}) };
}

/** The later argument wins. */
function fromArgs({ arg }: Row, { variable, config, configFile }: ReachSources): Source {
  if (!arg) return undefined;
  for (const [name, written] of [
    ['ansible_ssh_extra_args', config.sshExtraArgs],
    ['ansible_ssh_common_args', config.sshCommonArgs],
  ] as const) {
    const given = variable(name);
    if (!(arg in parseSshArgs(given?.text ?? written ?? '', given?.origin, true).args)) continue;
    return given ? { source: name, ...(given.origin ? { origin: given.origin } : {}) } : { source: cfg(configFile) };
  }
  return undefined;
}

function fromConfig({ config: key, name }: Row, { config, configFile }: ReachSources): Source {
  if (name === 'host key checking') return config.hostKeyChecking === false ? { source: cfg(configFile) } : undefined;
  return key && config[key] !== undefined ? { source: cfg(configFile) } : undefined;
}

function cfg(file: string | undefined): string {
  return file ?? 'the environment (ANSIBLE_…)';
}

function fromSshConfig({ keywords = [] }: Row, { sshConfig }: ReachSources): Source {
  const found = keywords.map((keyword) => sshConfig.get(keyword)).find((each) => each !== undefined);
  return found && { source: 'ssh_config', origin: found.origin };
}

function valueText(value: Target[keyof Target]): string {
  if (Array.isArray(value)) return value.join(' ') || 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object') return hops(value as Target);
  return String(value);
}

/** In the order they are passed. */
function hops({ user, address, port, proxyJump }: Target): string {
  const own = `${user}@${address}:${port}`;
  return proxyJump ? `${hops(proxyJump)} → ${own}` : own;
}
