import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { relative, resolve } from 'node:path';
import { pruneBases } from './base.ts';
import { LabError } from './errors.ts';
import { labOfInventory } from './inventory.ts';
import { Lab } from './lab.ts';
import { machineApt } from './mirror.ts';
import { isGarbage, type LabRecord, listLabs } from './store.ts';

interface LabOption {
  id?: string;
}

const checkout = resolve(import.meta.dirname, '../..');

export async function up(options: LabOption & { hosts: number; twin: number; base: 'plain'; inventory: string }) {
  const start = performance.now();
  const inventory = resolve(options.inventory);
  const twinInventory = inventory.replace(/(\.[^./]+)?$/, '-twin$1');
  for (const file of [inventory, twinInventory]) refuseInUse(file, idOf(options));
  const lab = await Lab.up({
    ...{ hosts: options.hosts, twins: options.twin, base: options.base, id: idOf(options), owner: null },
    ...{ inventory: options.hosts > 0 ? inventory : undefined, twinInventory },
    say: (line) => console.error(`lab: ${line}`),
  });
  console.log(`lab ${lab.id} is up in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  for (const host of [...lab.hosts, ...lab.twins]) console.log(`  ${host.name}  ${host.address}`);
  if (options.hosts > 0) console.log(`inventory: ${relative(process.cwd(), inventory)}`);
  if (options.twin > 0) console.log(`inventory of the twins: ${relative(process.cwd(), twinInventory)}`);
}

export async function down(options: LabOption) {
  for (const id of await Lab.collectGarbage()) console.log(`cleared lab ${id}, whose owner is gone`);
  const id = idOf(options);
  const lab = listLabs().find((one) => one.id === id);
  if (!lab && options.id !== undefined) throw new LabError(`no lab ${id} is up`);
  if (!lab) return console.log('this checkout has no lab up');
  if (lab.owner !== null) throw new LabError(`lab ${id} belongs to the running process ${lab.owner.split(' ')[0]}`);
  await Lab.attach(id).down();
  console.log(`lab ${id} is down`);
}

export async function status(options: LabOption & { json?: boolean }) {
  const labs = listLabs().filter((lab) => options.id === undefined || lab.id === options.id);
  if (options.id !== undefined && labs.length === 0) throw new LabError(`no lab ${options.id} is up`);
  const found = await Promise.all(labs.map(describeLab));
  if (options.json) return console.log(JSON.stringify(found, null, 2));
  if (found.length === 0) return console.log('no lab is up');
  for (const { id, base, owner, hosts, snapshots } of found) {
    console.log(`${id}  base ${base}, ${owner}${snapshots.length > 0 ? `, snapshots ${snapshots.join(' ')}` : ''}`);
    for (const host of hosts) console.log(`  ${host.name.padEnd(4)}${host.address.padEnd(16)}${host.state}`);
  }
}

export function runSsh(host: string, command: string[], options: LabOption & { user: string }) {
  if (!/^[a-z_][a-z0-9_-]*$/.test(options.user)) throw new LabError(`no user name: ${JSON.stringify(options.user)}`);
  const [program, ...args] = labOf(options).sshCommand(host, options.user);
  pass(program!, [...args, ...command]);
}

export function runInside(host: string, command: string[], options: LabOption) {
  const [program, ...args] = labOf(options).execCommand(host, command.length === 1 ? command[0]! : command);
  pass(program!, args);
}

export async function powerOff(lab: Lab, host: string) {
  if ((await lab.power(host)) === 'off') console.log(`${host} is off already`);
  else await lab.poweroff(host);
}

/** The action of a command that names hosts: on all of them at once. With `all`, no name means every host. */
export function withHosts(name: string, action: (lab: Lab, host: string) => Promise<void>, none?: 'all') {
  return async (hosts: string[], options: LabOption) => {
    const lab = labOf(options);
    const every = [...lab.hosts, ...lab.twins].map((host) => host.name);
    const chosen = hosts.length === 0 && none === 'all' ? every : [...new Set(hosts)];
    const unknown = chosen.filter((host) => !every.includes(host));
    if (unknown.length > 0)
      throw new LabError(`lab ${lab.id} has no host ${unknown.join(' ')}; it has ${every.join(' ')}`);
    await Promise.all(chosen.map((host) => action(lab, host)));
    console.log(`${name} ${chosen.join(' ')}: done`);
  };
}

/** The action of a command on a whole lab with a snapshot's name. */
export function withLab(action: (lab: Lab, name: string) => Promise<void>) {
  return async (name: string, options: LabOption) => {
    const start = performance.now();
    await action(labOf(options), name);
    console.log(`done in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  };
}

export async function prune() {
  const inUse = listLabs().flatMap((lab) => lab.hosts.flatMap((host) => host.base));
  const names = await pruneBases(inUse, await machineApt());
  console.log(names.length > 0 ? `deleted ${names.join(' ')}` : 'nothing to delete');
}

function labOf(options: LabOption): Lab {
  const id = idOf(options);
  if (options.id === undefined && !listLabs().some((lab) => lab.id === id))
    throw new LabError('this checkout has no lab up; `npm run lab -- up` boots one');
  return Lab.attach(id);
}

/** One lab per checkout, so that two checkouts on a machine do not take each other's. */
function idOf(options: LabOption): string {
  return options.id ?? `c${createHash('sha256').update(checkout).digest('hex').slice(0, 5)}`;
}

function refuseInUse(file: string, id: string) {
  const other = labOfInventory(file);
  if (other !== undefined && other !== id && listLabs().some((lab) => lab.id === other && !isGarbage(lab)))
    throw new LabError(`${file} is of lab ${other}, which is up; name another file with --inventory`);
}

async function describeLab(record: LabRecord) {
  const garbage = isGarbage(record);
  const pid = record.owner?.split(' ')[0];
  const owner = garbage ? `garbage of process ${pid}` : pid ? `of process ${pid}` : 'until down';
  const lab = Lab.of(record);
  const hosts = await Promise.all(
    record.hosts.map(async ({ name, address }) => ({ name, address, state: await stateOf(lab, name) })),
  );
  return { id: record.id, base: record.base, owner, created: record.created, snapshots: lab.snapshots(), hosts };
}

async function stateOf(lab: Lab, name: string): Promise<string> {
  const power = await lab.power(name);
  if (power !== 'on') return power;
  const faults = await lab.faults(name);
  return ['on', ...faults].join(', ');
}

function pass(program: string, args: string[]) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (error) throw new LabError(`cannot run ${program}: ${error.message}`);
  process.exitCode = status ?? 1;
}
