import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { RunEvent, TaskEvent } from '../../../src/core/events.ts';
import { run } from '../../../src/kpush.ts';
import { yamlFile } from '../../lab/support/inventory.ts';
import { runOptions, uninterrupted } from '../../lab/support/run.ts';
import type { Lab, LabHost } from '../../lab-kit/index.ts';
import { ourRows, type Row, theirRows } from './rows.ts';

/** How one run of one tool ended. */
export interface Outcome {
  rows: Row[];
  exit: number;
  /** What a run without rows said. */
  said: string;
}

export interface Call {
  /** Folder of the playbook, with its roles, templates and files. */
  folder: string;
  playbook: string;
  inventory: string;
  check?: boolean;
}

/** The host as each tool is told of it: under the same name. */
export function inventoryOf(lab: Lab, host: LabHost, dir: string): string {
  const all = { hosts: { twin: hostVars(lab, host) }, children: { twins: { hosts: { twin: {} } } } };
  return yamlFile(dir, `${host.name}.yaml`, { all });
}

/** How both tools reach a host of the lab. */
export function hostVars(lab: Lab, host: LabHost): Record<string, string> {
  return {
    ansible_host: host.address,
    ansible_user: 'root',
    ansible_ssh_private_key_file: lab.keyPath,
    ansible_ssh_common_args: `-o UserKnownHostsFile=${lab.knownHostsPath}`,
    ansible_python_interpreter: '/usr/bin/python3',
    fetched: fetchedTo(host),
  };
}

/** Where a host's files are fetched to: the tools run at the same time. */
export function fetchedTo({ name }: LabHost): string {
  return join('/tmp/kpush-fetched', name);
}

export async function byKpush({ folder, playbook, inventory, check = false }: Call): Promise<Outcome> {
  const events: RunEvent[] = [];
  const options = runOptions('apply', join(folder, playbook), inventory, { check, diff: false });
  const { exit } = await run(options, (event) => events.push(event), uninterrupted());
  const tasks = events.filter((event): event is RunEvent & TaskEvent => event.type === 'task');
  const said = events.filter(({ type }) => type === 'error').map((event) => JSON.stringify(event));
  return { rows: ourRows(tasks), exit, said: said.join('\n') };
}

export async function byAnsible({ folder, playbook, inventory, check = false }: Call): Promise<Outcome> {
  const argv = ['-i', inventory, playbook, ...(check ? ['--check'] : [])];
  const { stdout, stderr, exit } = await ansible(argv, folder);
  const at = stdout.indexOf('{\n');
  if (at < 0) return { rows: [], exit, said: `${stdout}${stderr}` };
  return { rows: theirRows(JSON.parse(stdout.slice(at))), exit, said: stderr };
}

/** Without colours, warnings of age, or files kept beside the playbook; one connection for all tasks. */
function ansible(argv: string[], cwd: string): Promise<{ stdout: string; stderr: string; exit: number }> {
  const env = {
    ...process.env,
    ANSIBLE_STDOUT_CALLBACK: 'json',
    ANSIBLE_DEPRECATION_WARNINGS: '0',
    ANSIBLE_NOCOLOR: '1',
    ANSIBLE_PIPELINING: '1',
    // Else raw and script run on a terminal, which turns line breaks into two characters.
    ANSIBLE_SSH_USETTY: '0',
    ANSIBLE_RETRY_FILES_ENABLED: '0',
  };
  const child = spawn('ansible-playbook', argv, { cwd, env });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (output.stderr += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...output, exit: code ?? -1 }));
  });
}
