import { inputError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { Origin } from '../core/origin.ts';
import { shellWords } from './shlex.ts';

/** What ssh arguments say that kpush can follow. */
export interface SshArgs {
  proxyJump?: string;
  proxyCommand?: string;
  strictHostKeyChecking?: string;
  userKnownHostsFile?: string;
  identityFiles?: string[];
  identitiesOnly?: boolean;
  port?: number;
  user?: string;
  connectTimeout?: number;
  keepaliveInterval?: number;
  keepaliveCount?: number;
  hostKeyAlias?: string;
}

export interface ReadArgs {
  args: SshArgs;
  /** All of them as they were written. */
  words: string[];
}

/** Reads `ansible_ssh_common_args` and the like. Throws an input error for what it cannot follow, unless `all` are taken. */
export function parseSshArgs(text: string, origin?: Origin, all = false): ReadArgs {
  const words = shellWords(text)?.map((word) => word.text);
  if (!words) throw inputError('a quote in the ssh arguments is never closed', { origin, expected: 'a closing quote' });
  const args: SshArgs = {};
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (ignoredFlags.has(word)) continue;
    if (!word.startsWith('-')) {
      if (all) continue;
      throw unknownArg(word, origin);
    }
    const value = word.length > 2 ? word.slice(2) : words[++i];
    if (value === undefined) throw inputError(`the ssh argument ${word} has no value`, { origin });
    apply(args, word.slice(0, 2), value, { origin, all });
  }
  return { args, words };
}

/** Without a value, and without a meaning here. */
const ignoredFlags = new Set(['-K', '-k', '-C', '-4', '-6', '-q', '-A', '-a', '-T', '-x', '-v', '-vv', '-vvv']);

interface Reading {
  origin: Origin | undefined;
  all: boolean;
}

function apply(args: SshArgs, letter: string, value: string, reading: Reading): void {
  if (letter === '-o') option(args, value, reading);
  else if (letter === '-J') args.proxyJump = value;
  else if (letter === '-i') args.identityFiles = [...(args.identityFiles ?? []), value];
  else if (letter === '-p') args.port = Number(value);
  else if (letter === '-l') args.user = value;
  else if (!reading.all) throw unknownArg(letter, reading.origin);
}

type Setter = (args: SshArgs, value: string) => void;

const options = new Map<string, Setter>([
  ['proxyjump', (args, value) => set(args, 'proxyJump', none(value))],
  ['proxycommand', (args, value) => set(args, 'proxyCommand', none(value))],
  ['stricthostkeychecking', (args, value) => set(args, 'strictHostKeyChecking', value.toLowerCase())],
  ['userknownhostsfile', (args, value) => set(args, 'userKnownHostsFile', value)],
  ['identityfile', (args, value) => set(args, 'identityFiles', [...(args.identityFiles ?? []), value])],
  ['identitiesonly', (args, value) => set(args, 'identitiesOnly', value.toLowerCase() === 'yes')],
  ['port', (args, value) => set(args, 'port', Number(value))],
  ['user', (args, value) => set(args, 'user', value)],
  ['connecttimeout', (args, value) => set(args, 'connectTimeout', Number(value))],
  ['serveraliveinterval', (args, value) => set(args, 'keepaliveInterval', Number(value))],
  ['serveralivecountmax', (args, value) => set(args, 'keepaliveCount', Number(value))],
  ['hostkeyalias', (args, value) => set(args, 'hostKeyAlias', value)],
]);

/** They tune OpenSSH's own machinery or are what kpush does anyway. */
const ignoredOptions = new Set([
  'controlmaster',
  'controlpath',
  'controlpersist',
  'preferredauthentications',
  'passwordauthentication',
  'kbdinteractiveauthentication',
  'pubkeyauthentication',
  'forwardagent',
  'compression',
  'loglevel',
  'batchmode',
  'tcpkeepalive',
  'requesttty',
  'gssapiauthentication',
  'addkeystoagent',
  'checkhostip',
]);

function option(args: SshArgs, text: string, { origin, all }: Reading): void {
  const match = /^\s*([A-Za-z]+)\s*[=\s]\s*([\s\S]*)$/.exec(text);
  const name = match?.[1] ?? text;
  const setter = options.get(name.toLowerCase());
  if (setter && match) setter(args, (match[2] ?? '').trim());
  else if (!all && !ignoredOptions.has(name.toLowerCase())) throw unknownOption(name, origin);
}

function set<K extends keyof SshArgs>(args: SshArgs, key: K, value: SshArgs[K]): void {
  args[key] = value;
}

function none(value: string): string | undefined {
  return value.toLowerCase() === 'none' ? undefined : value;
}

function unknownArg(word: string, origin: Origin | undefined) {
  return inputError(`the ssh argument '${word}' is not supported`, {
    origin,
    expected: '-o NAME=VALUE, -J, -i, -p or -l',
  });
}

const known = [
  'ProxyJump',
  'ProxyCommand',
  'StrictHostKeyChecking',
  'UserKnownHostsFile',
  'IdentityFile',
  'Port',
  'User',
  'ConnectTimeout',
];

function unknownOption(name: string, origin: Origin | undefined) {
  const close = nearest(name, known);
  return inputError(`the ssh option '${name}' is not supported`, {
    origin,
    ...(close
      ? { nearest: close }
      : { expected: `one of: ${known.join(', ')}`, hint: 'put others into ~/.ssh/config, or use connection: openssh' }),
  });
}
