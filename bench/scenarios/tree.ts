import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { Lab } from '../../test/lab-kit/index.ts';
import { tempFolder } from '../../test/support/temp.ts';
import { run } from '../measure.ts';
import type { Goal, Table } from '../tables.ts';

export interface TreeSize {
  hosts: number;
  megabytes: number;
  /** Of each host's link, both ways, and of the controller's, in tc's notation. */
  rate: string;
}

interface Sent {
  name: string;
  seconds: number;
  copies: number;
}

/** One big file to many hosts whose links, and the controller's, are slow: one host after another, and as a tree. */
export async function tree({ hosts, megabytes, rate }: TreeSize, say: (text: string) => void): Promise<Table> {
  const lab = await Lab.up({ hosts });
  try {
    const playbook = written(megabytes);
    await slowed(lab, rate);
    const bytes = megabytes * 1e6;
    const one = await sent('one by one', ['-f', '1', '-i', inventory(lab, 'one', {}), playbook], bytes);
    say(`  ${one.name}: ${one.seconds.toFixed(1)} s, ${one.copies.toFixed(2)} copies sent`);
    await Promise.all(lab.hosts.map((host) => lab.exec(host, 'rm -f /root/big.bin')));
    const place = { kpush_blob_address: '{{ ansible_host }}' };
    const handed = await sent('from host to host', ['-i', inventory(lab, 'tree', place), playbook], bytes);
    say(`  ${handed.name}: ${handed.seconds.toFixed(1)} s, ${handed.copies.toFixed(2)} copies sent`);
    return table([one, handed], { hosts, megabytes, rate });
  } finally {
    await lab.down();
  }
}

function table([one, handed]: [Sent, Sent], { hosts, megabytes, rate }: TreeSize): Table {
  const what = `${megabytes} MB to ${hosts} hosts`;
  const ratio = one.seconds / handed.seconds;
  const faster: Goal = {
    what: `${what}, each link limited: one by one to from host to host`,
    goal: '≥ 4 ×',
    found: `${ratio.toFixed(2)} ×`,
    reached: ratio >= 4,
  };
  const copies: Goal = {
    what: `${what}: copies the controller sends`,
    goal: '≤ 3',
    found: handed.copies.toFixed(2),
    reached: handed.copies <= 3,
  };
  return {
    title: `${what}, each link limited to ${rate}`,
    note: 'Links are limited by the kernel, both ways, the controller’s too. Copies are by kpush’s own count of bytes sent.',
    head: ['', 'seconds', 'copies the controller sent'],
    lines: [one, handed].map(({ name, seconds, copies }) => [name, seconds.toFixed(1), copies.toFixed(2)]),
    goals: [copies, faster],
  };
}

async function sent(name: string, args: string[], bytes: number): Promise<Sent> {
  const start = performance.now();
  const events = join(tempFolder('tree'), 'events');
  const command = `exec bin/kpush apply ${args.join(' ')} --yes --output json >${events}`;
  const { code, output } = await run(['sh', '-c', command]);
  if (code !== 0) throw new Error(`${name}: exit ${code}: ${output.slice(-500)}`);
  const seconds = (performance.now() - start) / 1000;
  const sum = await run(['sh', '-c', `grep '"type":"trip"' ${events} | grep -o '"sent":[0-9]*' | cut -d: -f2`]);
  const total = sum.output
    .trim()
    .split('\n')
    .map(Number)
    .reduce((a, b) => a + b, 0);
  return { name, seconds, copies: total / bytes };
}

function written(megabytes: number): string {
  const dir = tempFolder('tree');
  writeFileSync(join(dir, 'big.bin'), randomBytes(megabytes * 1e6));
  const playbook = join(dir, 'big.yml');
  const copy = `copy: {src: ${join(dir, 'big.bin')}, dest: /root/big.bin, mode: '0644'}`;
  writeFileSync(playbook, `- hosts: all\n  gather_facts: false\n  tasks:\n    - ${copy}\n`);
  return playbook;
}

/** Hosts send and receive at that rate, and so does this machine to all of them together. */
async function slowed(lab: Lab, rate: string): Promise<void> {
  const limit = (link: string) => `tc qdisc replace dev ${link} root tbf rate ${rate} burst 64kb latency 400ms`;
  await Promise.all(
    lab.hosts.map(async (host) => {
      await lab.limit(host, rate);
      await lab.exec(host, limit('host0'));
    }),
  );
  const { code, output } = await run(['sh', '-c', limit(`kl-${lab.id}`)]);
  if (code !== 0) throw new Error(`the controller's link cannot be limited: ${output}`);
}

function inventory(lab: Lab, name: string, more: object): string {
  const path = join(tempFolder('tree'), `${name}.yaml`);
  const vars = {
    ansible_user: 'root',
    ansible_ssh_private_key_file: lab.keyPath,
    ansible_ssh_common_args: '-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null',
    ...more,
  };
  const hosts = Object.fromEntries(lab.hosts.map(({ name, address }) => [name, { ansible_host: address }]));
  writeFileSync(path, stringify({ all: { vars, hosts } }));
  return path;
}
