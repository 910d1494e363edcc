import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BaseName } from './base.ts';
import type { Networks } from './network.ts';
import { bridgeOf, linkOf } from './network.ts';
import { labDir, labsDir } from './paths.ts';
import { livePid, readOr } from './proc.ts';

export interface HostRecord {
  /** h1… (twins: t1…); its name inside, in inventories and in calls. */
  name: string;
  address: string;
  twin: boolean;
  /** The base layers below its disk, top first. */
  base: string[];
}

/** What is written down about a lab, in lab.json of its folder. */
export interface LabRecord {
  id: string;
  dir: string;
  base: BaseName;
  networks: Networks;
  hosts: HostRecord[];
  /** Stamp of the process whose end makes this lab garbage; null: it stays until `down`. */
  owner: string | null;
  /** The inventory files written outside the lab's folder. */
  inventories: string[];
  /** When `up` began, ISO 8601. */
  created: string;
}

/** Where the parts of one host are. */
export function hostPaths(lab: LabRecord, host: HostRecord) {
  const dir = join(lab.dir, 'hosts', host.name);
  const disk = join(dir, 'disk');
  return {
    dir,
    /** The mounted root file system, as this machine sees it. */
    root: join(dir, 'root'),
    disk,
    /** Read-only layers of snapshots between the base and the disk: a JSON list, top first. */
    layers: join(dir, 'layers.json'),
    /** Keys and ids the host keeps through `reset`. */
    identity: join(dir, 'identity'),
    console: join(dir, 'console.log'),
    keeper: join(dir, 'keeper.pid'),
    nspawn: join(dir, 'nspawn.pid'),
    init: join(dir, 'init.pid'),
    cgroups: join(dir, 'cgroups.json'),
    lock: join(dir, 'lock'),
    machine: `${lab.id}-${host.name}`,
    link: linkOf(lab.id, host.name),
    bridge: bridgeOf(lab.id),
  };
}

export function writeLab(lab: LabRecord): void {
  writeJson(join(lab.dir, 'lab.json'), lab);
}

/** The lab with this id, or undefined when there is none. */
export function readLab(id: string): LabRecord | undefined {
  const text = readOr(join(labDir(id), 'lab.json'));
  return text === undefined ? undefined : (JSON.parse(text) as LabRecord);
}

/** Every lab in this cache, by id. */
export function listLabs(): LabRecord[] {
  if (!existsSync(labsDir())) return [];
  return readdirSync(labsDir())
    .sort()
    .flatMap((id) => readLab(id) ?? []);
}

/** Names of lab folders without a record. */
export function strayFolders(): string[] {
  if (!existsSync(labsDir())) return [];
  return readdirSync(labsDir()).filter((id) => !existsSync(join(labDir(id), 'lab.json')));
}

/** Whether the process that owned the lab has gone. */
export function isGarbage(lab: LabRecord): boolean {
  return lab.owner !== null && livePid(lab.owner) === undefined;
}

export function writeJson(file: string, value: unknown): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

export function readJson<T>(file: string, missing: T): T {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : missing;
}
