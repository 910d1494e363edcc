import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { LabError } from './errors.ts';
import { must } from './shell.ts';

// Each tool the lab runs on this machine, and the Debian package that has it.
const packageOf: Record<string, string> = {
  'systemd-nspawn': 'systemd-container',
  debootstrap: 'debootstrap',
  iptables: 'iptables',
  ip: 'iproute2',
  nsenter: 'util-linux',
  unshare: 'util-linux',
  flock: 'util-linux',
  setpriv: 'util-linux',
  mount: 'mount',
  ssh: 'openssh-client',
  'ssh-keygen': 'openssh-client',
  getfattr: 'attr',
  chattr: 'e2fsprogs',
};

/** Makes sure that this machine can boot hosts, installing missing tools by apt. LabError says what is needed. */
export async function requireMachine(say: (line: string) => void): Promise<void> {
  if (process.platform !== 'linux') throw new LabError(`${needs} This is ${process.platform}.`);
  if (process.getuid?.() !== 0)
    throw new LabError(`${needs} This process runs as uid ${process.getuid?.()}; try sudo.`);
  const missing = Object.keys(packageOf).filter((tool) => !isInstalled(tool));
  if (missing.length > 0) await install(missing, say);
}

const needs =
  'The lab boots its hosts with systemd-nspawn, which needs root on Linux (a virtual machine will do; inside a container, a privileged one).';

async function install(tools: string[], say: (line: string) => void) {
  const packages = [...new Set(tools.map((tool) => packageOf[tool]!))];
  if (!isInstalled('apt-get'))
    throw new LabError(
      `The lab needs ${tools.join(', ')}, and there is no apt-get here to install ${packages.join(' ')}.`,
    );
  say(`installing ${packages.join(' ')} on this machine`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) => must('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=600', ...args], { env });
  await apt('update');
  await apt('install', '--yes', '--no-install-recommends', ...packages);
}

function isInstalled(tool: string): boolean {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin', '/usr/bin', '/bin'];
  return folders.some((folder) => folder && existsSync(join(folder, tool)));
}
