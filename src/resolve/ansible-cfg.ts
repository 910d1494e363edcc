import { dirname, join, resolve } from 'node:path';
import { inputError } from '../core/errors.ts';
import { expandHome } from '../load/search.ts';
import type { Sources } from '../load/sources.ts';
import { decodeText } from '../load/text.ts';
import type { TargetDefaults } from './target-defaults.ts';

/** What ansible.cfg says that matters here; absent keys are not said. Paths are absolute. */
export interface AnsibleConfig {
  /** Absolute path of the file; absent: there is none. */
  file?: string;
  inventories?: string[];
  rolesPath?: string[];
  forks?: number;
  remoteUser?: string;
  remotePort?: number;
  /** Seconds. */
  timeout?: number;
  hostKeyChecking?: boolean;
  privateKeyFile?: string;
  remoteTmp?: string;
  transport?: string;
  become?: boolean;
  becomeUser?: string;
  becomeMethod?: string;
  becomeFlags?: string;
  becomeExe?: string;
  /** `implicit`, `explicit` or `smart`. */
  gathering?: string;
  anyErrorsFatal?: boolean;
  vaultPasswordFile?: string;
  sshArgs?: string;
  sshCommonArgs?: string;
  sshExtraArgs?: string;
}

/** Reads the first of $ANSIBLE_CONFIG, ./ansible.cfg, ~/.ansible.cfg and /etc/ansible/ansible.cfg; environment variables win. */
export function readAnsibleConfig(sources: Sources, env: Readonly<Record<string, string | undefined>>): AnsibleConfig {
  const file = candidates(sources, env).find((path) => sources.isFile(path));
  const found = file
    ? parseConfig(decodeText(sources.bytes(file), sources.show(file)), sources.show(file))
    : new Map<string, Entry>();
  const config: Record<string, unknown> = file ? { file } : {};
  const base = file ? dirname(file) : sources.cwd;
  for (const [key, { property, read, variable }] of keys) {
    const given = variable === undefined ? undefined : env[variable];
    const entry = given ? { value: given, file: `$${variable}`, line: 1 } : found.get(key);
    if (entry && entry.value !== '') config[property] = read(entry, given ? sources.cwd : base);
  }
  return config as AnsibleConfig;
}

/** What ansible.cfg says about reaching hosts; flags are stronger. */
export function configTarget(config: AnsibleConfig): Partial<TargetDefaults> {
  const common = [config.sshArgs, config.sshCommonArgs].filter((text) => text !== undefined).join(' ');
  const given: Partial<TargetDefaults> = {
    user: config.remoteUser,
    port: config.remotePort,
    connection: config.transport,
    timeout: config.timeout,
    hostKeyChecking: config.hostKeyChecking,
    privateKeyFile: config.privateKeyFile,
    remoteTmp: config.remoteTmp,
    become: config.become,
    becomeUser: config.becomeUser,
    becomeMethod: config.becomeMethod,
    becomeFlags: config.becomeFlags,
    becomeExe: config.becomeExe,
    sshCommonArgs: common || undefined,
    sshExtraArgs: config.sshExtraArgs,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function candidates(sources: Sources, env: Readonly<Record<string, string | undefined>>): string[] {
  const named = env.ANSIBLE_CONFIG;
  if (named) {
    const path = sources.absolute(expandHome(named));
    return [sources.isDirectory(path) ? join(path, 'ansible.cfg') : path];
  }
  return [sources.absolute('ansible.cfg'), expandHome('~/.ansible.cfg'), '/etc/ansible/ansible.cfg'];
}

interface Entry {
  value: string;
  file: string;
  line: number;
}

/** `section.key` → text. Comments start with # or ; at the line's start, or ` ;` behind a value. */
function parseConfig(text: string, file: string): Map<string, Entry> {
  const found = new Map<string, Entry>();
  let section = '';
  text.split('\n').forEach((line, i) => {
    const header = /^\s*\[([^\]]+)\]/.exec(line);
    const pair = /^([A-Za-z_][\w-]*)\s*[=:]\s*(.*?)(?:\s+;.*)?$/.exec(line);
    if (header) section = (header[1] ?? '').toLowerCase();
    else if (pair)
      found.set(`${section}.${(pair[1] ?? '').toLowerCase()}`, { value: (pair[2] ?? '').trim(), file, line: i + 1 });
  });
  return found;
}

type Read = (entry: Entry, base: string) => unknown;
interface Key {
  property: keyof AnsibleConfig;
  read: Read;
  variable?: string;
}

const text: Read = ({ value }) => value;
const path: Read = ({ value }, base) => resolve(base, expandHome(value));
const pathsBy =
  (separator: string): Read =>
  ({ value }, base) =>
    value
      .split(separator)
      .filter((each) => each !== '')
      .map((each) => resolve(base, expandHome(each.trim())));

const bool: Read = (entry) => {
  const word = entry.value.toLowerCase();
  if (['true', 'yes', 'on', '1', 'y', 't'].includes(word)) return true;
  if (['false', 'no', 'off', '0', 'n', 'f'].includes(word)) return false;
  throw bad(entry, 'True or False');
};

const whole: Read = (entry) => {
  if (/^\d+$/.test(entry.value)) return Number(entry.value);
  throw bad(entry, 'a whole number');
};

const positive: Read = (entry, base) => {
  const number = whole(entry, base);
  if (number === 0) throw bad(entry, 'a number above 0');
  return number;
};

/** A host list stays as it is, paths become absolute. */
const inventories: Read = ({ value }, base) =>
  value.endsWith(',') ? [value] : value.split(',').map((each) => resolve(base, expandHome(each.trim())));

const keys: readonly [string, Key][] = [
  ['defaults.inventory', { property: 'inventories', read: inventories, variable: 'ANSIBLE_INVENTORY' }],
  ['defaults.roles_path', { property: 'rolesPath', read: pathsBy(':'), variable: 'ANSIBLE_ROLES_PATH' }],
  ['defaults.forks', { property: 'forks', read: positive, variable: 'ANSIBLE_FORKS' }],
  ['defaults.remote_user', { property: 'remoteUser', read: text, variable: 'ANSIBLE_REMOTE_USER' }],
  ['defaults.remote_port', { property: 'remotePort', read: whole, variable: 'ANSIBLE_REMOTE_PORT' }],
  ['defaults.timeout', { property: 'timeout', read: whole, variable: 'ANSIBLE_TIMEOUT' }],
  ['defaults.host_key_checking', { property: 'hostKeyChecking', read: bool, variable: 'ANSIBLE_HOST_KEY_CHECKING' }],
  ['defaults.private_key_file', { property: 'privateKeyFile', read: path, variable: 'ANSIBLE_PRIVATE_KEY_FILE' }],
  ['defaults.remote_tmp', { property: 'remoteTmp', read: text, variable: 'ANSIBLE_REMOTE_TMP' }],
  ['defaults.transport', { property: 'transport', read: text, variable: 'ANSIBLE_TRANSPORT' }],
  ['defaults.gathering', { property: 'gathering', read: text, variable: 'ANSIBLE_GATHERING' }],
  ['defaults.any_errors_fatal', { property: 'anyErrorsFatal', read: bool, variable: 'ANSIBLE_ANY_ERRORS_FATAL' }],
  [
    'defaults.vault_password_file',
    { property: 'vaultPasswordFile', read: path, variable: 'ANSIBLE_VAULT_PASSWORD_FILE' },
  ],
  ['privilege_escalation.become', { property: 'become', read: bool, variable: 'ANSIBLE_BECOME' }],
  ['privilege_escalation.become_user', { property: 'becomeUser', read: text, variable: 'ANSIBLE_BECOME_USER' }],
  ['privilege_escalation.become_method', { property: 'becomeMethod', read: text, variable: 'ANSIBLE_BECOME_METHOD' }],
  ['privilege_escalation.become_flags', { property: 'becomeFlags', read: text, variable: 'ANSIBLE_BECOME_FLAGS' }],
  ['privilege_escalation.become_exe', { property: 'becomeExe', read: text, variable: 'ANSIBLE_BECOME_EXE' }],
  ['ssh_connection.ssh_args', { property: 'sshArgs', read: text, variable: 'ANSIBLE_SSH_ARGS' }],
  ['ssh_connection.ssh_common_args', { property: 'sshCommonArgs', read: text, variable: 'ANSIBLE_SSH_COMMON_ARGS' }],
  ['ssh_connection.ssh_extra_args', { property: 'sshExtraArgs', read: text, variable: 'ANSIBLE_SSH_EXTRA_ARGS' }],
];

/** Keys that are read, without their section. */
export const configKeys: readonly string[] = keys.map(([key]) => key.split('.')[1] ?? key);

function bad({ value, file, line }: Entry, expected: string) {
  return inputError(`'${value}' cannot be used here`, { origin: { file, line, column: 1 }, expected });
}
