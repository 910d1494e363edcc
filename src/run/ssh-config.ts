import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { inputError, type KpushError } from '../core/errors.ts';
import { ms, wait } from '../core/waits.ts';
import type { Sources } from '../load/sources.ts';
import { type SshConfigAnswer, sshConfig } from '../resolve/ssh-config/index.ts';
import { targetPart } from '../resolve/ssh-config/target.ts';
import type { Wanted } from '../resolve/ssh-config/types.ts';
import { ownKnownHosts, systemKnownHosts } from '../resolve/target.ts';
import type { TargetDefaults } from '../resolve/target-defaults.ts';

const systemFile = '/etc/ssh/ssh_config';

export interface SshConfigOptions {
  sources: Sources;
  env: Readonly<Record<string, string | undefined>>;
  warn(warning: KpushError): void;
}

/** Set to 1 it lets commands of `Match exec` run. */
export const execVariable = 'KPUSH_SSH_CONFIG_EXEC';

/** The configuration of whoever runs kpush, as ssh would take it: ~/.ssh/config, then the system's. */
export function ownSshConfig(options: SshConfigOptions): (wanted: Wanted) => SshConfigAnswer {
  const { sources, env } = options;
  const home = homeOf(options);
  const warned = new Set<string>();
  return sshConfig({
    ...{ sources, env, home, localUser: userInfo().username, systemFile, isSafe },
    userFile: join(home, '.ssh', 'config'),
    warn: (message, origin) => {
      if (!warned.has(message)) options.warn(inputError(message, { origin }));
      warned.add(message);
    },
    ...(env[execVariable] === '1' ? { exec: (command: string) => runs(command, env) } : {}),
  });
}

/** The same for the targets of a run. */
export function sshConfigTargets(
  answer: (wanted: Wanted) => SshConfigAnswer,
  env: SshConfigOptions['env'],
): NonNullable<TargetDefaults['sshConfig']> {
  const own = ownKnownHosts(homeOf({ env }));
  return (host, user, port) => {
    const wanted = { host, ...(user === undefined ? {} : { user }), ...(port === undefined ? {} : { port }) };
    return targetPart(answer(wanted).values, own, systemKnownHosts);
  };
}

/** Where `kpush trust` keeps keys for all who work in this folder. */
export function projectKnownHosts(cwd: string): string {
  return join(cwd, 'known_hosts');
}

/** The same as a part of the defaults, if it is there. */
export function projectTrust(cwd: string): { projectKnownHosts?: string } {
  const path = projectKnownHosts(cwd);
  return existsSync(path) ? { projectKnownHosts: path } : {};
}

function homeOf({ env }: Pick<SshConfigOptions, 'env'>): string {
  return env.HOME ?? userInfo().homedir;
}

/** As ssh asks of ~/.ssh/config: it belongs to the user or root, and nobody else may write to it. */
function isSafe(path: string): boolean {
  const { uid, mode } = statSync(path);
  return (uid === 0 || uid === process.getuid?.()) && (mode & 0o022) === 0;
}

function runs(command: string, env: SshConfigOptions['env']): boolean {
  const { status, error } = spawnSync(env.SHELL ?? '/bin/sh', ['-c', command], {
    env: { ...env },
    timeout: ms(wait('program').timeout),
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (error)
    throw inputError(`the command of Match exec failed: ${error.message}`, { expected: `'${command}' to run` });
  return status === 0;
}
