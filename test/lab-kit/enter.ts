import { join } from 'node:path';
import { runningInit } from './host.ts';
import type { HostRecord, LabRecord } from './store.ts';

/** The words that run a command (a shell line, or words) inside a host as root, entering its namespaces: no login. */
export function execWords(lab: LabRecord, host: HostRecord, command: string | string[]): string[] {
  const words = typeof command === 'string' ? ['sh', '-c', command] : command;
  const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  const spaces = ['--mount', '--uts', '--ipc', '--net', '--pid', '--cgroup'];
  const enter = ['nsenter', '--target', String(runningInit(lab, host)), ...spaces];
  return [...enter, '--', 'env', '-i', '-C', '/root', path, 'HOME=/root', 'LC_ALL=C.UTF-8', ...words];
}

/** The words that run OpenSSH's client against a host, up to the command; no setting of this machine counts. */
export function sshWords(lab: LabRecord, host: HostRecord, user: string): string[] {
  const known = [`UserKnownHostsFile=${join(lab.dir, 'known_hosts')}`, 'GlobalKnownHostsFile=/dev/null'];
  const options = [...known, 'StrictHostKeyChecking=yes', 'IdentitiesOnly=yes', 'BatchMode=yes'];
  const flags = options.flatMap((option) => ['-o', option]);
  return ['ssh', '-F', 'none', '-i', join(lab.dir, 'id_ed25519'), ...flags, `${user}@${host.address}`];
}
