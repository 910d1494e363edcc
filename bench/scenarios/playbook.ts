import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Field, tools } from '../field.ts';
import { type Contender, sideBySide, type Timing } from '../measure.ts';

export interface Table {
  title: string;
  note?: string;
  /** One row per condition. */
  rows: { label: string; timings: Timing[] }[];
}

type Say = (text: string) => void;

const site = 'bench/site.yml';

/** 41 tasks on three hosts, nothing to change, at each delay. */
export async function nothingToChange(field: Field, delays: number[], slow: number, say: Say): Promise<Table> {
  const rows: Table['rows'] = [];
  for (const delay of delays) {
    say(`  nothing to change, ${delay} ms`);
    const addresses = await field.reach(delay);
    const inventory = field.inventory(`site-${delay}`, addresses);
    const contenders: Contender[] = [
      { name: 'ansible', command: tools.ansible(inventory, site), runs: slow },
      { name: 'mitogen', command: tools.mitogen(inventory, site), runs: slow },
      { name: 'kpush', command: tools.kpush(inventory, site), runs: 7 },
      { name: 'bare ssh2', command: tools.floor(field.lab.keyPath, addresses), runs: 7 },
    ];
    rows.push({ label: `${delay} ms`, timings: await sideBySide(contenders, say) });
  }
  return { title: '41 tasks × 3 hosts, nothing to change', rows };
}

/** The same with everything to change: the hosts are put back before each run. */
export async function everythingToChange(field: Field, slow: number, say: Say): Promise<Table> {
  say('  everything to change');
  const inventory = field.inventory('site-first', await field.reach(0));
  const before = () => field.undo();
  const contenders: Contender[] = [
    { name: 'ansible', command: { ...tools.ansible(inventory, site), before }, runs: slow },
    { name: 'mitogen', command: { ...tools.mitogen(inventory, site), before }, runs: slow },
    { name: 'kpush', command: { ...tools.kpush(inventory, site), before }, runs: 5 },
  ];
  return {
    title: '41 tasks × 3 hosts, everything to change',
    rows: [{ label: '0 ms', timings: await sideBySide(contenders, say) }],
  };
}

/** How cost grows with the number of tasks, nothing to change. */
export async function byTasks(field: Field, counts: number[], ansibleUpTo: number, say: Say): Promise<Table> {
  const inventory = field.inventory('tasks', await field.reach(0));
  const rows: Table['rows'] = [];
  for (const count of counts) {
    say(`  ${count} tasks, nothing to change`);
    const playbook = copies(field, count);
    await sideBySide([{ name: 'kpush', command: tools.kpush(inventory, playbook), runs: 1 }], () => {});
    const contenders: Contender[] = [
      ...(count <= ansibleUpTo ? [{ name: 'ansible', command: tools.ansible(inventory, playbook), runs: 1 }] : []),
      { name: 'kpush', command: tools.kpush(inventory, playbook), runs: 5 },
    ];
    rows.push({ label: `${count}`, timings: await sideBySide(contenders, say) });
  }
  return { title: 'By tasks: 3 hosts, nothing to change', note: 'Tasks are `copy` of a small file each.', rows };
}

function copies(field: Field, count: number): string {
  const task = (n: number) =>
    `    - name: file ${n}\n      copy: {dest: /root/bench-${n}, content: "version={{ version }} n=${n}\\n", mode: '0644'}\n`;
  const path = join(field.dir, `tasks-${count}.yml`);
  const head = '- hosts: all\n  gather_facts: false\n  vars: {version: v1}\n  tasks:\n';
  writeFileSync(path, head + Array.from({ length: count }, (_, n) => task(n)).join(''));
  return path;
}
