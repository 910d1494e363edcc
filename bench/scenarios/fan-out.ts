import { spawn } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../../test/support/temp.ts';
import { type Contender, run, sideBySide } from '../measure.ts';
import type { Table } from './playbook.ts';

/**
 * `true` on many addresses of 127.0.0.0/8, all answered by one sshd with a lean user: what connecting itself costs.
 * pdsh and clush get the fan-out at which they are fastest here.
 */
export async function fanOut(counts: number[], say: (text: string) => void): Promise<Table> {
  const server = await startSshd();
  try {
    const rows: Table['rows'] = [];
    for (const count of counts) {
      say(`  true on ${count} addresses`);
      rows.push({ label: `${count}`, timings: await sideBySide(contenders(server, count), say) });
    }
    return { title: 'Fan-out of `true` on loopback addresses, one sshd', rows };
  } finally {
    server.stop();
  }
}

interface Sshd {
  port: number;
  key: string;
  dir: string;
  stop(): void;
}

function contenders(server: Sshd, count: number): Contender[] {
  const addresses = Array.from({ length: count }, (_, n) => `127.1.${Math.floor(n / 250)}.${1 + (n % 250)}`);
  const inventory = join(server.dir, `hosts-${count}.yaml`);
  const hosts = addresses.map((address) => `    ${address}: {}\n`).join('');
  const args = `-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null`;
  writeFileSync(
    inventory,
    `all:\n  vars: {ansible_user: kpbench, ansible_port: ${server.port}, ansible_ssh_private_key_file: ${server.key}, ansible_ssh_common_args: "${args}"}\n  hosts:\n${hosts}`,
  );
  const list = join(server.dir, `list-${count}`);
  writeFileSync(list, `${addresses.join('\n')}\n`);
  const ssh = `${args} -o LogLevel=ERROR -i ${server.key} -p ${server.port}`;
  const runs = count > 300 ? 2 : 3;
  return [
    {
      name: 'pdsh',
      runs,
      command: {
        argv: ['pdsh', '-R', 'ssh', '-f', '32', '-l', 'kpbench', '-w', `^${list}`, 'true'],
        env: { PDSH_SSH_ARGS_APPEND: ssh },
      },
    },
    {
      name: 'clush',
      runs,
      command: { argv: ['clush', '-q', '-f', '32', '-l', 'kpbench', '-o', ssh, '--hostfile', list, 'true'] },
    },
    {
      name: 'kpush',
      runs,
      command: { argv: ['bin/kpush', 'exec', '-i', inventory, 'all', '--output', 'plain', '--', 'true'] },
    },
    {
      name: 'bare ssh2',
      runs,
      command: { argv: [process.execPath, 'bench/fan-floor.mjs', server.key, String(server.port), list] },
    },
  ];
}

async function startSshd(): Promise<Sshd> {
  const dir = tempFolder('sshd');
  chmodSync(dir, 0o755);
  const port = 22000 + (process.pid % 1000);
  await run([
    'sh',
    '-c',
    `id kpbench >/dev/null 2>&1 || useradd -m -s /bin/sh kpbench; usermod -p '*' kpbench; mkdir -p /run/sshd`,
  ]);
  for (const name of ['host', 'user'])
    await run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', join(dir, name)]);
  writeFileSync(join(dir, 'authorized_keys'), readFileSync(join(dir, 'user.pub')));
  writeFileSync(
    join(dir, 'config'),
    `Port ${port}\nListenAddress 0.0.0.0\nHostKey ${dir}/host\nAuthorizedKeysFile ${dir}/authorized_keys\nPidFile ${dir}/pid\nMaxStartups 2000\nUsePAM no\nPasswordAuthentication no\nPrintMotd no\nPrintLastLog no\nStrictModes no\nUseDNS no\n`,
  );
  const child = spawn('/usr/sbin/sshd', ['-D', '-f', join(dir, 'config'), '-E', join(dir, 'log')], { stdio: 'ignore' });
  await new Promise((resolve) => setTimeout(resolve, 500));
  return { port, dir, key: join(dir, 'user'), stop: () => void child.kill() };
}
