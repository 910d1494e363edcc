import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { inputError } from '../../core/errors.ts';
import type { Origin } from '../../core/origin.ts';
import { expandTilde, expandTokens, type Tokens } from './tokens.ts';
import type { Found, MatchSettings, Wanted } from './types.ts';

/** What ssh_config says for a host, in OpenSSH's words, files and names expanded. Absent: it says nothing. */
export interface SshValues {
  hostName: string;
  user?: string;
  port?: number;
  /** `none` left out; empty: no key file at all. */
  identityFiles?: string[];
  certificateFiles?: string[];
  identitiesOnly?: boolean;
  /** Path of the socket, or `none`. */
  identityAgent?: string;
  /** Hops with commas, or `none`. */
  proxyJump?: string;
  proxyCommand?: string;
  userKnownHostsFiles?: string[];
  globalKnownHostsFiles?: string[];
  strictHostKeyChecking?: 'yes' | 'no' | 'ask' | 'accept-new';
  hashKnownHosts?: boolean;
  hostKeyAlias?: string;
  /** Seconds. */
  connectTimeout?: number;
  connectionAttempts?: number;
  serverAliveInterval?: number;
  serverAliveCountMax?: number;
  addressFamily?: 'any' | 'inet' | 'inet6';
  bindAddress?: string;
  ciphers?: string[];
  macs?: string[];
  kexAlgorithms?: string[];
  hostKeyAlgorithms?: string[];
}

/** Makes values of what was found. Throws an input error, with the line, for tokens and variables that are unknown. */
export function sshValues(found: Found, wanted: Wanted, settings: MatchSettings): SshValues {
  const read = (keyword: string) => found.get(keyword);
  const word = (keyword: string) => read(keyword)?.values[0];
  const number = (keyword: string) => mapped(word(keyword), Number);
  const flag = (keyword: string) => mapped(word(keyword), (value) => value === 'yes');
  const list = (keyword: string) => mapped(word(keyword), (value) => value.split(','));
  const hostName = hostNameOf(found, wanted);
  refuseNoAttempt(found);
  const user = wanted.user ?? word('user');
  const port = wanted.port ?? number('port');
  const alias = word('hostkeyalias')?.toLowerCase();
  const tokens = clientTokens({ hostName, user, port, alias }, wanted, settings);
  const path = (text: string, origin: Origin) =>
    expandTokens(expandTilde(text, settings.home, origin), tokens, origin, settings.env);
  const paths = (keyword: string) =>
    mapped(read(keyword), ({ values, origin }) =>
      values.filter((value) => value.toLowerCase() !== 'none').map((value) => path(value, origin)),
    );
  const command = read('proxycommand');
  return defined({
    hostName,
    user,
    port,
    identityFiles: paths('identityfile'),
    certificateFiles: paths('certificatefile'),
    identitiesOnly: flag('identitiesonly'),
    identityAgent: mapped(read('identityagent'), ({ values, origin }) =>
      agent(values[0] ?? '', origin, path, settings),
    ),
    proxyJump: word('proxyjump'),
    proxyCommand: command && proxyCommand(command.values[0] ?? '', command.origin, tokens),
    userKnownHostsFiles: paths('userknownhostsfile'),
    globalKnownHostsFiles: mapped(read('globalknownhostsfile'), ({ values, origin }) =>
      values.map((value) => expandTilde(value, settings.home, origin)),
    ),
    strictHostKeyChecking: word('stricthostkeychecking') as SshValues['strictHostKeyChecking'],
    hashKnownHosts: flag('hashknownhosts'),
    hostKeyAlias: alias,
    connectTimeout: number('connecttimeout'),
    connectionAttempts: number('connectionattempts'),
    serverAliveInterval: number('serveraliveinterval'),
    serverAliveCountMax: number('serveralivecountmax'),
    addressFamily: word('addressfamily') as SshValues['addressFamily'],
    bindAddress: word('bindaddress'),
    ciphers: list('ciphers'),
    macs: list('macs'),
    kexAlgorithms: list('kexalgorithms'),
    hostKeyAlgorithms: list('hostkeyalgorithms'),
  });
}

/** OpenSSH lets 0 stand where it is not in force. */
function refuseNoAttempt(found: Found): void {
  const attempts = found.get('connectionattempts');
  if (attempts?.values[0] === '0')
    throw inputError("connectionattempts: '0' cannot be used", { origin: attempts.origin, expected: '1 or more' });
}

/** Lower case, as ssh hands it on; `%h` is the name that was asked for. */
export function hostNameOf(found: Found, { host }: Wanted): string {
  const named = found.get('hostname');
  return (named ? expandTokens(named.values[0] ?? '', { h: host }, named.origin) : host).toLowerCase();
}

interface Known {
  hostName: string;
  user: string | undefined;
  port: number | undefined;
  alias: string | undefined;
}

/** Some cost a call of the system or a hash for each host, and are used by few. */
function clientTokens({ hostName, user, port, alias }: Known, wanted: Wanted, settings: MatchSettings): Tokens {
  const [h, p, r] = [hostName, String(port ?? 22), user ?? settings.localUser];
  return {
    get C() {
      return createHash('sha1')
        .update(hostname() + h + p + r)
        .digest('hex');
    },
    get L() {
      return hostname().split('.')[0] ?? '';
    },
    d: settings.home,
    h,
    get i() {
      return String(process.getuid?.() ?? 0);
    },
    k: alias ?? wanted.host,
    get l() {
      return hostname();
    },
    n: wanted.host,
    p,
    r,
    u: settings.localUser,
  };
}

/** `SSH_AUTH_SOCK` and `$NAME` are variables; without a value there is no agent. */
function agent(
  text: string,
  origin: Origin,
  path: (text: string, origin: Origin) => string,
  { env }: MatchSettings,
): string {
  if (text === 'none') return text;
  const name = text === 'SSH_AUTH_SOCK' ? text : /^\$([A-Za-z_]\w*)$/.exec(text)?.[1];
  return name === undefined ? path(text, origin) : (env[name] ?? 'none');
}

/** `exec` in front is the shell's, and stays. */
function proxyCommand(text: string, origin: Origin, { h, n, p, r, k }: Tokens): string | undefined {
  const command = text.replace(/^[ \t=]+/, '');
  if (command.toLowerCase() === 'none') return undefined;
  return expandTokens(command, { h: h ?? '', k: k ?? '', n: n ?? '', p: p ?? '', r: r ?? '' }, origin);
}

function mapped<A, B>(value: A | undefined, map: (value: A) => B): B | undefined {
  return value === undefined ? undefined : map(value);
}

function defined(values: { [K in keyof SshValues]: SshValues[K] | undefined }): SshValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as unknown as SshValues;
}
