import { spawn } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../test/support/temp.ts';
import { run } from './measure.ts';

/** One sshd on this machine, which answers on every address of 127.0.0.0/8, for a lean user without rights. */
export interface Sshd {
  port: number;
  key: string;
  dir: string;
  /** Options of ssh that ask nothing. */
  options: string;
  /** An inventory of so many addresses. */
  inventory(count: number): string;
  addresses(count: number): string[];
  stop(): void;
}

export const benchUser = 'kpbench';

export async function startSshd(): Promise<Sshd> {
  const dir = tempFolder('sshd');
  chmodSync(dir, 0o755);
  const port = 22000 + (process.pid % 1000);
  await prepare(dir, port);
  const child = spawn('/usr/sbin/sshd', ['-D', '-f', join(dir, 'config'), '-E', join(dir, 'log')], { stdio: 'ignore' });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const options = '-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null';
  const stop = () => {
    child.kill();
    rmSync(dir, { recursive: true });
  };
  const key = join(dir, 'user');
  return { port, dir, key, options, addresses, inventory: (count) => inventory(dir, port, key, options, count), stop };
}

async function prepare(dir: string, port: number): Promise<void> {
  const account = `id ${benchUser} >/dev/null 2>&1 || useradd -m -s /bin/sh ${benchUser}; usermod -p '*' ${benchUser}; mkdir -p /run/sshd`;
  await run(['sh', '-c', account]);
  for (const name of ['host', 'user'])
    await run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', join(dir, name)]);
  writeFileSync(join(dir, 'authorized_keys'), readFileSync(join(dir, 'user.pub')));
  const settings = [
    `Port ${port}`,
    'ListenAddress 0.0.0.0',
    `HostKey ${dir}/host`,
    `AuthorizedKeysFile ${dir}/authorized_keys`,
    `PidFile ${dir}/pid`,
    'MaxStartups 2000',
    ...['UsePAM', 'PasswordAuthentication', 'PrintMotd', 'PrintLastLog', 'StrictModes', 'UseDNS'].map(
      (name) => `${name} no`,
    ),
  ];
  writeFileSync(join(dir, 'config'), `${settings.join('\n')}\n`);
}

function addresses(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `127.1.${Math.floor(n / 250)}.${1 + (n % 250)}`);
}

function inventory(dir: string, port: number, key: string, options: string, count: number): string {
  const path = join(dir, `hosts-${count}.yaml`);
  const vars = `{ansible_user: ${benchUser}, ansible_port: ${port}, ansible_ssh_private_key_file: ${key}, ansible_ssh_common_args: "${options}"}`;
  const hosts = addresses(count).map((address) => `    ${address}: {}\n`);
  writeFileSync(path, `all:\n  vars: ${vars}\n  hosts:\n${hosts.join('')}`);
  return path;
}
