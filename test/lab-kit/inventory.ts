import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { LabError } from './errors.ts';
import { clusterVariables } from './kubernetes/variables.ts';
import { readOr } from './proc.ts';
import { quote } from './shell.ts';
import type { HostRecord, LabRecord } from './store.ts';

/** The inventory of the lab's plain hosts as Ansible YAML: groups pki, etcd, control_plane (h1) and nodes (the others). */
export function hostInventory(lab: LabRecord): string {
  const hosts = lab.hosts.filter((host) => !host.twin);
  const [first, ...rest] = hosts;
  const nodes = rest.length > 0 ? rest : hosts;
  const groups = { pki: [first!], etcd: [first!], control_plane: [first!], nodes };
  return inventory(lab, hosts, hosts.length > 0 ? groups : {}, clusterVariables(lab.networks));
}

/** The inventory of the lab's twins: one group, `twins`. */
export function twinInventory(lab: LabRecord): string {
  const twins = lab.hosts.filter((host) => host.twin);
  return inventory(lab, twins, { twins });
}

/** LabError when an inventory may not be written to this file, because one of somebody else is there. */
export function refuseForeign(file: string): void {
  const there = readOr(file);
  if (there !== undefined && !there.startsWith(heading))
    throw new LabError(`${file} is not of the lab; move it away or choose another file with --inventory`);
}

/** Writes an inventory where the caller wants it. */
export function writeInventory(file: string, text: string): void {
  refuseForeign(file);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o644 });
}

/** Removes an inventory, if it is still this lab's. */
export function removeInventory(file: string, lab: LabRecord): void {
  if (readOr(file)?.startsWith(headingOf(lab))) rmSync(file);
}

const heading = '# Written by the kpush lab ';
const headingOf = (lab: LabRecord) => `${heading}${lab.id}; `;

function inventory(
  lab: LabRecord,
  hosts: HostRecord[],
  groups: Record<string, HostRecord[]>,
  more: object = {},
): string {
  const names = (list: HostRecord[]) => Object.fromEntries(list.map((host) => [host.name, {}]));
  const all = {
    vars: {
      ansible_user: 'root',
      ansible_ssh_private_key_file: join(lab.dir, 'id_ed25519'),
      ansible_ssh_common_args: `-o UserKnownHostsFile=${quote(join(lab.dir, 'known_hosts'))}`,
      lab_pod_network: lab.networks.pods,
      lab_service_network: lab.networks.services,
      ...more,
    },
    hosts: Object.fromEntries(hosts.map((host) => [host.name, { ansible_host: host.address }])),
    children: Object.fromEntries(Object.entries(groups).map(([name, list]) => [name, { hosts: names(list) }])),
  };
  return `${headingOf(lab)}its \`down\` removes this file.\n${stringify({ all }, { lineWidth: 0 })}`;
}

/** The lab whose inventory a file is, if it is one. */
export function labOfInventory(file: string): string | undefined {
  const text = readOr(file);
  return text?.startsWith(heading) ? readFileSync(file, 'utf8').slice(heading.length).split(';')[0] : undefined;
}
