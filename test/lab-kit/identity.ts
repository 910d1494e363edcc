import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { resolvConf } from './base.ts';
import type { Apt } from './mirror.ts';
import { machineMtu } from './network.ts';
import { must } from './shell.ts';
import { type HostRecord, hostPaths, type LabRecord } from './store.ts';

/** The lab's own key pair, which opens root and deploy on every host. */
export async function makeLabKey(dir: string): Promise<string> {
  const file = join(dir, 'id_ed25519');
  await must('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'kpush-lab', '-f', file]);
  return file;
}

/**
 * Makes what the host keeps through every reset: machine-id and host keys. Returns its known_hosts lines, for its
 * address and its name.
 */
export async function makeIdentity(lab: LabRecord, host: HostRecord): Promise<string> {
  const folder = join(hostPaths(lab, host).identity, 'etc/ssh');
  mkdirSync(folder, { recursive: true });
  for (const [type, bits] of [['ed25519'], ['ecdsa', '256'], ['rsa', '2048']] as [string, string?][])
    await must('ssh-keygen', [
      ...['-q', '-t', type, '-N', '', '-C', `root@${host.name}`, '-f', join(folder, `ssh_host_${type}_key`)],
      ...(bits ? ['-b', bits] : []),
    ]);
  writeFileSync(join(hostPaths(lab, host).identity, 'etc/machine-id'), `${randomUUID().replaceAll('-', '')}\n`, {
    mode: 0o444,
  });
  return readdirSync(folder)
    .filter((name) => name.endsWith('.pub'))
    .map(
      (name) =>
        `${host.address},${host.name} ${readFileSync(join(folder, name), 'utf8').split(' ').slice(0, 2).join(' ')}\n`,
    )
    .join('');
}

/** Writes identity, addresses and the way to Debian's packages into a fresh, mounted root. */
export async function settle(lab: LabRecord, host: HostRecord, apt: Apt): Promise<void> {
  const { root, identity } = hostPaths(lab, host);
  const put = (file: string, text: string, mode = 0o644) => writeFileSync(join(root, file), text, { mode });
  copyFileSync(join(identity, 'etc/machine-id'), join(root, 'etc/machine-id'));
  for (const name of readdirSync(join(identity, 'etc/ssh'))) {
    rmSync(join(root, 'etc/ssh', name), { force: true });
    put(
      `etc/ssh/${name}`,
      readFileSync(join(identity, 'etc/ssh', name), 'utf8'),
      name.endsWith('.pub') ? 0o644 : 0o600,
    );
  }
  put('etc/hostname', `${host.name}\n`);
  put('etc/hosts', `127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n${host.address} ${host.name}\n`);
  put('etc/resolv.conf', resolvConf());
  put('etc/systemd/network/10-host0.network', await networkUnit(lab, host));
  put('etc/apt/sources.list', apt.sources);
  put('etc/apt/apt.conf.d/99kpush-lab', apt.conf);
  await authorize(root, readFileSync(join(lab.dir, 'id_ed25519.pub'), 'utf8'));
}

async function authorize(root: string, publicKey: string) {
  const passwd = readFileSync(join(root, 'etc/passwd'), 'utf8').split('\n');
  for (const user of ['root', 'deploy']) {
    const [, , uid, gid, , home] = passwd.find((line) => line.startsWith(`${user}:`))!.split(':');
    const folder = join(root, home!, '.ssh');
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    appendFileSync(join(folder, 'authorized_keys'), publicKey, { mode: 0o600 });
    await must('chown', ['-R', `${uid}:${gid}`, folder]);
  }
}

async function networkUnit(lab: LabRecord, host: HostRecord): Promise<string> {
  const lines = ['[Match]', 'Name=host0', '', '[Link]', `MTUBytes=${await machineMtu()}`, '', '[Network]'];
  lines.push(
    `Address=${host.address}/24`,
    `Gateway=${lab.networks.gateway}`,
    'LinkLocalAddressing=no',
    'IPv6AcceptRA=no',
  );
  return `${lines.join('\n')}\n`;
}
