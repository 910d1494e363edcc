import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { boundFolders, deleteTree, freshDisk, mountRoot, unmountRoot } from './disk.ts';
import { LabError } from './errors.ts';
import { bootHost, crashHost, powerOf, poweroffHost } from './host.ts';
import { must } from './shell.ts';
import { type HostRecord, hostPaths, type LabRecord, readJson, writeJson } from './store.ts';

interface Snapshot {
  created: string;
  /** Names of the hosts that were on, and are booted by `restore`. */
  on: string[];
  /** Read-only layers of each host, top first. */
  layers: Record<string, string[]>;
}

/**
 * Freezes the disks of all hosts under `name`: each host powers off in order, its disk becomes a read-only layer, an
 * empty one is laid over it, and the hosts that were on boot again.
 */
export async function takeSnapshot(lab: LabRecord, name: string): Promise<void> {
  const folder = folderOf(lab, name);
  if (existsSync(folder)) throw new LabError(`lab ${lab.id} has a snapshot ${name} already`);
  const on = await hostsOn(lab);
  await Promise.all(on.map((host) => poweroffHost(lab, host)));
  const temp = `${folder}.part`;
  await deleteTree(temp);
  const layers: Record<string, string[]> = {};
  for (const host of lab.hosts) layers[host.name] = await freeze(lab, host, temp, folder);
  writeJson(join(temp, 'snapshot.json'), {
    created: new Date().toISOString(),
    on: on.map((host) => host.name),
    layers,
  });
  renameSync(temp, folder);
  await Promise.all(lab.hosts.map((host) => relay(lab, host, folder, layers[host.name]!)));
  await Promise.all(on.map((host) => bootHost(lab, host)));
}

/** Takes all hosts back to a snapshot, whatever they are doing, and boots those that were on when it was taken. */
export async function restoreSnapshot(lab: LabRecord, name: string): Promise<void> {
  const folder = folderOf(lab, name);
  if (!existsSync(folder))
    throw new LabError(`lab ${lab.id} has no snapshot ${name}; it has: ${snapshotNames(lab).join(' ') || 'none'}`);
  const { on, layers } = readJson<Snapshot | undefined>(join(folder, 'snapshot.json'), undefined)!;
  await Promise.all(
    lab.hosts.map(async (host) => {
      await crashHost(lab, host);
      await relay(lab, host, folder, layers[host.name]!);
      if (on.includes(host.name)) await bootHost(lab, host);
    }),
  );
}

export function snapshotNames(lab: LabRecord): string[] {
  const folder = join(lab.dir, 'snapshots');
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.endsWith('.part')) : [];
}

/** Moves the host's disk into the snapshot; returns the layers a disk over it has. */
async function freeze(lab: LabRecord, host: HostRecord, temp: string, folder: string): Promise<string[]> {
  const paths = hostPaths(lab, host);
  await unmountRoot(lab, host);
  mkdirSync(join(temp, host.name), { recursive: true });
  for (const part of ['upper', ...boundFolders]) renameSync(join(paths.disk, part), join(temp, host.name, part));
  return [join(folder, host.name, 'upper'), ...readJson<string[]>(paths.layers, [])];
}

/** Lays an empty disk over the snapshot's layers. Container folders are copied: storage drivers need a real disk. */
async function relay(lab: LabRecord, host: HostRecord, folder: string, layers: string[]) {
  await freshDisk(lab, host, layers);
  const { disk } = hostPaths(lab, host);
  for (const part of boundFolders)
    await must('cp', ['-a', '--reflink=auto', '-T', join(folder, host.name, part), join(disk, part)]);
  await mountRoot(lab, host);
}

async function hostsOn(lab: LabRecord): Promise<HostRecord[]> {
  const states = await Promise.all(lab.hosts.map((host) => powerOf(lab, host)));
  return lab.hosts.filter((_, n) => states[n] !== 'off');
}

const folderOf = (lab: LabRecord, name: string) => join(lab.dir, 'snapshots', name);
