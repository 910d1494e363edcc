import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LabError } from './errors.ts';
import { withLock } from './lock.ts';
import { runDir } from './paths.ts';
import { readOr } from './proc.ts';
import { must, run } from './shell.ts';

/** A lab's own part of 198.18.0.0/15 (reserved for benchmarks, so nobody routes it). */
export interface Networks {
  /** Which of the 16 blocks. */
  slot: number;
  /** The whole block, a /19; nothing from it to it is masqueraded. */
  block: string;
  /** The hosts, a /24; the machine is `.1` on the lab's bridge. */
  hosts: string;
  gateway: string;
  /** A /24 for cluster services. */
  services: string;
  /** A /20 for pods: a /24 for each of 16 nodes. */
  pods: string;
}

const slots = 16;

/** Reserves a block and the id for the lab kept in `dir`, machine-wide. LabError when the id or all blocks are taken. */
export function allocate(id: string, dir: string): Promise<Networks> {
  return withLock(join(runDir, 'lock'), async () => {
    const folder = join(runDir, 'slots');
    mkdirSync(folder, { recursive: true });
    const taken = new Map(
      readdirSync(folder).map((slot) => [Number(slot), readFileSync(join(folder, slot), 'utf8').trim()]),
    );
    for (const [slot, holder] of taken) if (!existsSync(holder)) taken.delete(slot);
    if ([...taken.values()].some((holder) => holder !== dir && holder.endsWith(`/${id}`)))
      throw new LabError(`another lab with id ${id} is up on this machine, with another KPUSH_LAB_CACHE`);
    const routes = await must('ip', ['-4', 'route']);
    const slot = Array.from({ length: slots }, (_, n) => n).find((n) => !taken.has(n) && !isRouted(routes, n));
    if (slot === undefined)
      throw new LabError(`all ${slots} address blocks are taken by labs: ${[...taken.values()].join(' ')}`);
    writeFileSync(join(folder, String(slot)), `${dir}\n`);
    return networksOf(slot);
  });
}

/** Gives the block of a lab back. */
export function release(slot: number, dir: string): Promise<void> {
  return withLock(join(runDir, 'lock'), async () => {
    const file = join(runDir, 'slots', String(slot));
    if (readOr(file)?.trim() === dir) rmSync(file);
  });
}

/** The lab's bridge, with an address, forwarding and masquerading, made where it is missing. */
export async function ensureBridge(id: string, networks: Networks): Promise<void> {
  const bridge = bridgeOf(id);
  if (existsSync(`/sys/class/net/${bridge}`)) return;
  await must('ip', ['link', 'add', bridge, 'type', 'bridge']);
  await must('ip', ['link', 'set', bridge, 'mtu', String(await machineMtu()), 'up']);
  await must('ip', ['addr', 'add', `${networks.gateway}/24`, 'dev', bridge]);
  writeFileSync('/proc/sys/net/ipv4/ip_forward', '1');
  allowInotify();
  for (const rule of rules(id, networks))
    if ((await iptables(rule.table, '-C', rule)).code !== 0) await mustIptables(rule);
}

/** Removes the bridge and its rules; what is already gone is fine. */
export async function removeBridge(id: string, networks: Networks): Promise<void> {
  for (const rule of rules(id, networks)) while ((await iptables(rule.table, '-D', rule)).code === 0);
  await removeLink(bridgeOf(id));
}

export async function removeLink(link: string): Promise<void> {
  if (!existsSync(`/sys/class/net/${link}`)) return;
  const { code, stderr } = await run('ip', ['link', 'del', link]);
  if (code !== 0 && existsSync(`/sys/class/net/${link}`)) throw new LabError(`cannot remove link ${link}`, stderr);
}

/** MTU of the machine's way out: larger packets from hosts would be lost on it. */
export async function machineMtu(): Promise<number> {
  const device = /\bdev (\S+)/.exec(await must('ip', ['-4', 'route', 'show', 'default']))?.[1];
  return device ? Number(readFileSync(`/sys/class/net/${device}/mtu`, 'utf8')) : 1500;
}

// Interface names end at 15 characters: ids have at most 8, host names at most 3.
export const bridgeOf = (id: string) => `kl-${id}`;
export const linkOf = (id: string, host: string) => `vb-${id}-${host}`;

function networksOf(slot: number): Networks {
  const second = slot < 8 ? 18 : 19;
  const third = (slot % 8) * 32;
  const net = (offset: number, bits: number) => `198.${second}.${third + offset}.0/${bits}`;
  return {
    slot,
    block: net(0, 19),
    hosts: net(0, 24),
    gateway: `198.${second}.${third}.1`,
    services: net(1, 24),
    pods: net(16, 20),
  };
}

function isRouted(routes: string, slot: number): boolean {
  const { hosts } = networksOf(slot);
  const [, second, third] = hosts.split('.').map(Number);
  const heads = Array.from({ length: 32 }, (_, n) => `198.${second}.${third! + n}.`);
  return routes.split('\n').some((line) => heads.some((head) => line.startsWith(head)));
}

interface Rule {
  table: string;
  chain: string;
  match: string[];
}

function rules(id: string, { block }: Networks): Rule[] {
  const comment = ['-m', 'comment', '--comment', `kpush-lab:${id}`];
  const accept = (way: string) => ({
    table: 'filter',
    chain: 'FORWARD',
    match: [way, bridgeOf(id), ...comment, '-j', 'ACCEPT'],
  });
  const masquerade = ['-s', block, '!', '-d', block, ...comment, '-j', 'MASQUERADE'];
  // Where the machine runs a container engine of its own, its FORWARD policy is DROP.
  return [{ table: 'nat', chain: 'POSTROUTING', match: masquerade }, accept('-i'), accept('-o')];
}

const iptables = (table: string, action: string, { chain, match }: Rule) =>
  run('iptables', ['-w', '-t', table, action, chain, ...match]);

async function mustIptables({ table, chain, match }: Rule) {
  await must('iptables', ['-w', '-t', table, '-I', chain, ...match]);
}

/** Every systemd and container runtime watches files as the same root: the kernel's 128 are gone after a few hosts. */
function allowInotify() {
  const limit = '/proc/sys/fs/inotify/max_user_instances';
  if (Number(readFileSync(limit, 'utf8')) < 4096) writeFileSync(limit, '4096');
}
