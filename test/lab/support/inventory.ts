import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Lab } from '../../lab-kit/index.ts';
import { tempFolder } from '../../support/temp.ts';

/** A folder for the files of a test, gone when the process ends. */
export function scratch(name: string): string {
  const dir = tempFolder(name);
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Writes a playbook (or any YAML) and returns its path. */
export function yamlFile(dir: string, name: string, content: unknown): string {
  const path = join(dir, name);
  writeFileSync(path, stringify(content, { lineWidth: 0, aliasDuplicateObjects: false }));
  return path;
}

/** An inventory of hosts of a lab, each with variables of its own. */
export function labInventory(dir: string, lab: Lab, hosts: Record<string, Record<string, unknown>>): string {
  const vars = {
    ansible_user: 'root',
    ansible_ssh_private_key_file: lab.keyPath,
    ansible_ssh_common_args: `-o UserKnownHostsFile=${lab.knownHostsPath}`,
  };
  return yamlFile(dir, 'inventory.yaml', { all: { vars, hosts } });
}

/** Variables that lead to a host through a port of this machine; its key is still known under its own address. */
export function through(lab: Lab, address: string, port: number): Record<string, unknown> {
  const options = `-o UserKnownHostsFile=${lab.knownHostsPath} -o HostKeyAlias=${address}`;
  return { ansible_host: '127.0.0.1', ansible_port: port, ansible_ssh_common_args: options };
}
