import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BaseName, baseLayers } from './base.ts';
import { deleteTree, freshDisk, mountRoot } from './disk.ts';
import { LabError } from './errors.ts';
import { bootHost, crashHost } from './host.ts';
import { makeIdentity, makeLabKey, settle } from './identity.ts';
import { hostInventory, refuseForeign, removeInventory, twinInventory, writeInventory } from './inventory.ts';
import { lockFile, withLock } from './lock.ts';
import { type Apt, machineApt } from './mirror.ts';
import { allocate, ensureBridge, type Networks, release, removeBridge } from './network.ts';
import { labDir, labsDir } from './paths.ts';
import { stampOf } from './proc.ts';
import { requireMachine } from './requirements.ts';
import {
  type HostRecord,
  hostPaths,
  isGarbage,
  type LabRecord,
  listLabs,
  readLab,
  strayFolders,
  writeLab,
} from './store.ts';

export interface UpOptions {
  /** Number of hosts without Python, h1…; 0 to 40, by default 1. */
  hosts?: number;
  /** Number of hosts with python3 and python3-apt, t1…. */
  twins?: number;
  /** 1 to 8 lower-case letters and digits, a letter first; machine and link names carry it. Random when absent. */
  id?: string;
  base?: BaseName;
  /**
   * The process whose end makes the lab garbage: a pid (default: this process), or null for a lab that stays until
   * `down`.
   */
  owner?: number | null;
  /** Where to write the inventories besides the lab's own folder. */
  inventory?: string;
  twinInventory?: string;
  /** Receives lines of progress; default: standard error for what takes long. */
  say?: (line: string) => void;
}

/** Boots a lab and returns its record. Labs of processes that have gone are torn down first. */
export async function bringUp(options: UpOptions): Promise<LabRecord> {
  const { hosts, twins, id, base, owner } = checked(options);
  const say = options.say ?? ((line: string) => process.stderr.write(`lab: ${line}\n`));
  for (const file of [options.inventory, options.twinInventory]) if (file) refuseForeign(file);
  await requireMachine(say);
  await collectGarbage((old, error) =>
    say(`cannot clear lab ${old}, whose owner is gone: ${(error as Error).message}`),
  );
  const apt = await machineApt();
  const layers = hosts > 0 ? await baseLayers(base, false, apt, say) : [];
  const twinLayers = twins > 0 ? await baseLayers(base, true, apt, say) : [];
  const lab = await claim(id, base, say);
  try {
    lab.hosts = [...plan(lab.networks, 'h', hosts, layers), ...plan(lab.networks, 't', twins, twinLayers)];
    writeLab(lab);
    await furnish(lab, apt);
    await Promise.all(lab.hosts.map((host) => bootHost(lab, host)));
    writeOutside(lab, options);
    lab.owner = owner === null ? null : stampOf(owner)!;
    writeLab(lab);
    return lab;
  } catch (error) {
    await tearDown(lab);
    throw error;
  }
}

/** Ends the lab's hosts and removes everything of it. What is already gone is fine. */
export async function tearDown(lab: LabRecord): Promise<void> {
  await withLock(lockOf(lab.id), async () => {
    // Two processes may find the same garbage; a lab made since with the same id is not what the caller means.
    if (readLab(lab.id)?.created !== lab.created) return;
    await Promise.all(lab.hosts.map((host) => crashHost(lab, host)));
    await removeBridge(lab.id, lab.networks);
    for (const file of lab.inventories) removeInventory(file, lab);
    await deleteTree(lab.dir);
    await release(lab.networks.slot, lab.dir);
  });
}

/**
 * Tears down the labs whose owner has gone and returns their ids. One that cannot be torn down is told to `failed` and
 * does not keep the others from it.
 */
export async function collectGarbage(failed: (id: string, error: unknown) => void): Promise<string[]> {
  const done: string[] = [];
  const attempt = async (id: string, clear: () => Promise<void>) => {
    try {
      await clear();
      done.push(id);
    } catch (error) {
      failed(id, error);
    }
  };
  for (const lab of listLabs().filter(isGarbage)) await attempt(lab.id, () => tearDown(lab));
  for (const id of strayFolders()) await attempt(id, () => clearStray(id));
  return done;
}

/** What a process left that was killed while it made or deleted a lab's folder. */
async function clearStray(id: string) {
  await withLock(lockOf(id), async () => {
    if (!readLab(id)) await deleteTree(labDir(id));
  });
}

/** Another machine takes the place of a host: a new disk, new keys and machine-id. Nobody's known_hosts learns of it. */
export async function replaceHost(lab: LabRecord, host: HostRecord): Promise<void> {
  await crashHost(lab, host);
  rmSync(join(hostPaths(lab, host).identity, 'etc'), { recursive: true, force: true });
  await makeIdentity(lab, host);
  await resetHost(lab, host);
}

/** Gives a host a new disk with its old identity and boots it. */
export async function resetHost(lab: LabRecord, host: HostRecord): Promise<void> {
  const apt = await machineApt();
  await crashHost(lab, host);
  await freshDisk(lab, host);
  await mountRoot(lab, host);
  await settle(lab, host, apt);
  await bootHost(lab, host);
}

function checked(options: UpOptions) {
  const { hosts = 1, twins = 0, base = 'plain', owner = process.pid } = options;
  const id = options.id ?? randomId();
  for (const [name, n] of Object.entries({ hosts, twins }))
    if (!Number.isInteger(n) || n < 0 || n > 40)
      throw new LabError(`${name} must be a whole number from 0 to 40, not ${n}`);
  if (hosts + twins === 0) throw new LabError('a lab needs at least one host');
  if (!/^[a-z][a-z0-9]{0,7}$/.test(id))
    throw new LabError(`a lab's id is 1 to 8 lower-case letters and digits, a letter first, not ${JSON.stringify(id)}`);
  if (base !== 'plain' && base !== 'kube') throw new LabError(`a base is plain or kube, not ${JSON.stringify(base)}`);
  if (owner !== null && !stampOf(owner)) throw new LabError(`the owner process ${owner} does not run`);
  return { hosts, twins, id, base, owner };
}

/** Makes the lab's folder and record and reserves its block; until it is up, this process owns it. */
async function claim(id: string, base: BaseName, say: (line: string) => void): Promise<LabRecord> {
  const dir = labDir(id);
  return withLock(
    lockOf(id),
    async () => {
      if (readLab(id)) throw new LabError(`lab ${id} is up already; take it down or choose another id`);
      await deleteTree(dir);
      mkdirSync(labsDir(), { recursive: true });
      mkdirSync(dir, { mode: 0o755 });
      const networks = await allocate(id, dir);
      const lab: LabRecord = {
        ...{ id, dir, base, networks, hosts: [], owner: stampOf(process.pid)!, inventories: [] },
        created: new Date().toISOString(),
      };
      writeLab(lab);
      return lab;
    },
    () => say(`waiting for another process that works on lab ${id}`),
  );
}

function plan(networks: Networks, letter: 'h' | 't', count: number, base: string[]): HostRecord[] {
  const prefix = networks.hosts.replace(/\.0\/24$/, '');
  const first = letter === 'h' ? 11 : 111;
  return Array.from({ length: count }, (_, n) => ({
    ...{ name: `${letter}${n + 1}`, address: `${prefix}.${first + n}`, twin: letter === 't', base },
  }));
}

async function furnish(lab: LabRecord, apt: Apt) {
  await makeLabKey(lab.dir);
  for (const host of lab.hosts) mkdirSync(hostPaths(lab, host).dir, { recursive: true });
  const known = await Promise.all(lab.hosts.map((host) => makeIdentity(lab, host)));
  writeFileSync(join(lab.dir, 'known_hosts'), known.join(''));
  writeFileSync(join(lab.dir, 'inventory.yaml'), hostInventory(lab));
  writeFileSync(join(lab.dir, 'inventory-twin.yaml'), twinInventory(lab));
  await ensureBridge(lab.id, lab.networks);
  for (const host of lab.hosts) {
    await freshDisk(lab, host);
    await mountRoot(lab, host);
    await settle(lab, host, apt);
  }
}

function writeOutside(lab: LabRecord, { inventory, twinInventory: twinFile }: UpOptions) {
  const files: [string, string][] = [];
  if (inventory) files.push([inventory, hostInventory(lab)]);
  if (twinFile && lab.hosts.some((host) => host.twin)) files.push([twinFile, twinInventory(lab)]);
  for (const [file, text] of files) {
    writeInventory(file, text);
    lab.inventories.push(file);
  }
}

const lockOf = (id: string) => lockFile('lab', id);

function randomId(): string {
  const letters = createHash('sha256')
    .update(`${process.pid} ${process.hrtime.bigint()} ${Math.random()}`)
    .digest('hex');
  const id = `t${letters.slice(0, 7)}`;
  return existsSync(labDir(id)) ? randomId() : id;
}
