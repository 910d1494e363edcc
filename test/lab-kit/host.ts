import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freezerOf, makeCgroups, membersOf, removeCgroups } from './cgroups.ts';
import { boundFolders, mountRoot } from './disk.ts';
import { LabError } from './errors.ts';
import { withLock } from './lock.ts';
import { ensureBridge, removeLink } from './network.ts';
import { pidFrom, readOr, signalFrom, signalPid, stampOf, until, writePid } from './proc.ts';
import { type HostRecord, hostPaths, type LabRecord, readJson, writeJson } from './store.ts';

/** `booting` covers a reboot from inside: its keeper runs, but no PID 1 yet or no sshd that answers. */
export type Power = 'off' | 'booting' | 'on';

/** Boots the host and resolves when its sshd listens and everybody may log in. One that is on already stays as it is. */
export async function bootHost(lab: LabRecord, host: HostRecord): Promise<void> {
  const paths = hostPaths(lab, host);
  await withLock(paths.lock, async () => {
    if (!pidFrom(paths.keeper)) await start(lab, host);
  });
  await ready(lab, host);
}

/** Resolves when the host is up. `notBoot` is the id of a boot that does not count. */
export async function ready(lab: LabRecord, host: HostRecord, options: { timeoutMs?: number; notBoot?: string } = {}) {
  const { timeoutMs = 180_000, notBoot } = options;
  const paths = hostPaths(lab, host);
  const isUp = async () => {
    if (!pidFrom(paths.keeper)) throw new LabError(`${host.name} went off while it booted`, consoleTail(paths.console));
    if (notBoot !== undefined && bootIdOf(lab, host) === notBoot) return false;
    const init = initPid(lab, host);
    return loginsOpen(init) && (await listens(host.address, init));
  };
  if (!(await until(isUp, timeoutMs)))
    throw new LabError(`${host.name} was not up after ${timeoutMs / 1000} s`, consoleTail(paths.console));
}

export function bootIdOf(lab: LabRecord, host: HostRecord): string | undefined {
  const init = initPid(lab, host);
  return init === undefined ? undefined : readOr(`/proc/${init}/root/proc/sys/kernel/random/boot_id`)?.trim();
}

/** An orderly poweroff; resolves when the host is off. LabError when it takes over 120 s. */
export async function poweroffHost(lab: LabRecord, host: HostRecord): Promise<void> {
  const paths = hostPaths(lab, host);
  const init = initPid(lab, host);
  if (isFrozen(lab, host)) throw new LabError(`${host.name} is frozen and cannot power off; thaw it, or crash it`);
  // SIGRTMIN+4 asks systemd for poweroff.target; SIGRTMIN is 34 with glibc.
  if (init) signalPid(init, 34 + 4);
  if (!(await until(() => !pidFrom(paths.keeper), 120_000)))
    throw new LabError(`${host.name} did not power off in 120 s; crash it`, consoleTail(paths.console));
  await sweep(lab, host);
}

/** Ends the host at once, without a word to it. Its disk keeps what it wrote: this is a dead kernel, not a dead disk. */
export async function crashHost(lab: LabRecord, host: HostRecord): Promise<void> {
  const paths = hostPaths(lab, host);
  const init = initPid(lab, host);
  signalFrom(paths.keeper, 'SIGKILL');
  if (init) signalPid(init, 'SIGKILL');
  signalFrom(paths.nspawn, 'SIGKILL');
  // A frozen process dies only when it is let go on.
  const freezer = freezerOf(readJson<string[]>(paths.cgroups, []));
  if (freezer) writeFileSync(freezer.file, freezer.thawed);
  // A zombie counts as ended: the machine's PID 1 may take seconds to reap one.
  const isOver = () => ![paths.keeper, paths.nspawn].some(pidFrom) && !(init && stampOf(init));
  if (!(await until(isOver, 10_000))) throw new LabError(`${host.name} did not end after SIGKILL`);
  await sweep(lab, host);
}

export async function powerOf(lab: LabRecord, host: HostRecord): Promise<Power> {
  if (!pidFrom(hostPaths(lab, host).keeper)) return 'off';
  const init = initPid(lab, host);
  return init && loginsOpen(init) && existsSync(`/proc/${init}/root/run/sshd.pid`) ? 'on' : 'booting';
}

/** This machine's pid of the host's PID 1, if the host runs. */
export function initPid(lab: LabRecord, host: HostRecord): number | undefined {
  const paths = hostPaths(lab, host);
  const known = pidFrom(paths.init);
  const nspawn = pidFrom(paths.nspawn);
  if (known && nspawn && parentOf(known) === nspawn) return known;
  const found = nspawn && childrenOf(nspawn).find(isFirstInItsNamespace);
  if (found) writePid(paths.init, found);
  return found || undefined;
}

/** initPid of a host that must run; LabError otherwise. */
export function runningInit(lab: LabRecord, host: HostRecord): number {
  const init = initPid(lab, host);
  if (!init) throw new LabError(`${host.name} is off`);
  return init;
}

export function isFrozen(lab: LabRecord, host: HostRecord): boolean {
  const freezer = freezerOf(readJson<string[]>(hostPaths(lab, host).cgroups, []));
  return freezer !== undefined && readOr(freezer.file)?.trim() === freezer.frozen;
}

async function start(lab: LabRecord, host: HostRecord) {
  const paths = hostPaths(lab, host);
  await ensureBridge(lab.id, lab.networks);
  await mountRoot(lab, host);
  await sweep(lab, host);
  const folders = makeCgroups(paths.machine);
  writeJson(paths.cgroups, folders);
  writeFileSync(`${paths.cgroups}.txt`, folders.map((folder) => `${folder}\n`).join(''));
  const log = openSync(paths.console, 'w');
  const keeper = join(import.meta.dirname, 'keeper.sh');
  const child = spawn('sh', [keeper, paths.nspawn, `${paths.cgroups}.txt`, ...nspawnCommand(lab, host)], {
    stdio: ['ignore', log, log],
    detached: true,
    env: nspawnEnvironment(),
  });
  closeSync(log);
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  writePid(paths.keeper, child.pid!);
  child.unref();
}

function nspawnCommand(lab: LabRecord, host: HostRecord): string[] {
  const { root, disk, machine, bridge } = hostPaths(lab, host);
  return [
    'systemd-nspawn',
    ...['--quiet', '--keep-unit', '--register=no', '--kill-signal=SIGRTMIN+3', '-D', root, '-M', machine],
    ...[
      `--hostname=${host.name}`,
      `--network-bridge=${bridge}`,
      '--capability=all',
      '--drop-capability=CAP_SYS_TIME',
      '--system-call-filter=@known',
    ],
    ...['--resolv-conf=off', '--timezone=off', '--link-journal=no', '--console=read-only'],
    ...boundFolders.map((name) => `--bind=${join(disk, name)}:/var/lib/${name}`),
    ...['--bind=/dev/kmsg', '/usr/sbin/kpush-lab-init'],
  ];
}

function nspawnEnvironment() {
  return {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    // Leaves /proc/sys/net writable; with `1` networkd would wait for a udev that hosts do not have.
    SYSTEMD_NSPAWN_API_VFS_WRITABLE: 'network',
    // /tmp lies on the disk, as on a Debian machine.
    SYSTEMD_NSPAWN_TMPFS_TMP: '0',
    // Not set: SYSTEMD_NSPAWN_UNIFIED_HIERARCHY. The host gets the machine's own layout. Under a hybrid one, `0` would
    // take the unified hierarchy away, and with it the notice that a cgroup is empty: stopping user@0 then hangs 120 s.
  };
}

/** Clears what the last run of the host left on the machine: link, cgroups and whatever still runs in them. */
async function sweep(lab: LabRecord, host: HostRecord) {
  const paths = hostPaths(lab, host);
  const folders = readJson<string[]>(paths.cgroups, []);
  // Only this host's processes ever entered these cgroups.
  for (const pid of new Set(folders.flatMap(membersOf))) signalPid(pid, 'SIGKILL');
  await removeLink(paths.link);
  await removeCgroups(folders);
  for (const file of [paths.cgroups, `${paths.cgroups}.txt`, paths.keeper, paths.nspawn, paths.init])
    rmSync(file, { force: true });
}

/**
 * Whether sshd listens and the host's address answers. It asks a closed port and the kernel's tables: a connection to
 * sshd would stand in its log, where tests count connections.
 */
async function listens(address: string, init: number | undefined): Promise<boolean> {
  if (init === undefined) return false;
  const sockets = ['tcp', 'tcp6'].map((table) => readOr(`/proc/${init}/net/${table}`) ?? '').join('');
  // Port 22 in state 0A, LISTEN.
  return /^ *\d+: [0-9A-F]+:0016 [0-9A-F]+:0000 0A /m.test(sockets) && (await answers(address));
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port: 1 });
    const done = (up: boolean) => {
      socket.destroy();
      resolve(up);
    };
    socket.setTimeout(1000, () => done(false));
    socket.once('connect', () => done(true));
    socket.once('error', (error: NodeJS.ErrnoException) => done(error.code === 'ECONNREFUSED'));
  });
}

/** While /run/nologin exists pam turns away everybody but root. */
function loginsOpen(init: number | undefined): boolean {
  return (
    init !== undefined && existsSync(`/proc/${init}/root/run/systemd`) && !existsSync(`/proc/${init}/root/run/nologin`)
  );
}

function childrenOf(pid: number): number[] {
  return (readOr(`/proc/${pid}/task/${pid}/children`) ?? '').split(' ').filter(Boolean).map(Number);
}

function parentOf(pid: number): number | undefined {
  return Number(/^PPid:\s*(\d+)/m.exec(readOr(`/proc/${pid}/status`) ?? '')?.[1]);
}

function isFirstInItsNamespace(pid: number): boolean {
  return /^NSpid:.*\s1$/m.test(readOr(`/proc/${pid}/status`) ?? '');
}

export function consoleTail(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8').slice(-2000) : '';
}
