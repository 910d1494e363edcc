import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Field, tools } from '../field.ts';
import { type Contender, median, run, sideBySide, type Timing } from '../measure.ts';
import { type Goal, type Row, ratioGoal, secondsOf, seriesOf, type Table, timed } from '../tables.ts';

type Say = (text: string) => void;

const site = 'bench/site.yml';
/** pyinfra's seconds to ansible's, measured once side by side: a column of its own where it cannot be run. */
const pyinfraShare = { same: 5.5 / 34.1, delayed: 9.8 / 44.9, change: 10.8 / 38.3 };

export interface Delays {
  all: number[];
  /** Those at which the slow ones run too. */
  slow: number[];
  slowRuns: number;
}

/** 41 tasks on three hosts, nothing to change, at each delay. */
export async function nothingToChange(field: Field, delays: Delays, say: Say): Promise<Table> {
  const rows: Row[] = [];
  await settled(field);
  for (const delay of delays.all) {
    say(`  nothing to change, ${delay} ms`);
    const addresses = await field.reach(delay);
    const runs = delays.slow.includes(delay) ? delays.slowRuns : 0;
    const timings = await sideBySide(siteContenders(field, `site-${delay}`, addresses, runs), say);
    rows.push({ label: `${delay} ms`, timings: [...timings, ...pyinfra(timings, delay === 0 ? 'same' : 'delayed')] });
  }
  const trips = await tripsGoal(field);
  const note =
    'The bare ssh2 script reads the same state and throws the answers away. What kpush does besides is its own start, reading and planning the playbook for each host, all facts of Ansible where the script asks for three, and a shell on each host that watches over its end. It logs in with three round trips less than ssh2 does by itself.';
  return timed('41 tasks × 3 hosts, nothing to change', rows, { goals: [...rows.flatMap(sameGoals), trips], note });
}

/** Round trips of questions once a host is connected to, by the run's own events. */
async function tripsGoal(field: Field): Promise<Goal> {
  const events = join(field.dir, 'events');
  const inventory = field.inventory('trips', await field.reach(0));
  const argv = ['sh', '-c', `bin/kpush apply -i ${inventory} ${site} --yes --output json >${events}`];
  const { code, output } = await run(argv);
  if (code !== 0) throw new Error(`the trips cannot be counted: ${output.slice(-500)}`);
  const trips = readFileSync(events, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"type":"trip"')).length;
  const each = trips / field.hosts.length;
  const what = '41 tasks × 3 hosts, nothing to change: round trips of questions a host';
  return { what, goal: '≤ 2', found: `${each}`, reached: trips > 0 && each <= 2 };
}

function sameGoals(row: Row): Goal[] {
  if (!row.timings.some(({ name }) => name === 'ansible')) return [floorGoal(row)];
  const least = row.label === '0 ms' ? [40, 14] : [35, 12];
  const what = `41 tasks × 3 hosts, nothing to change, ${row.label}`;
  return [
    ratioGoal(`${what}: ansible`, row, 'ansible', 'kpush', { least: least[0]! }),
    ratioGoal(`${what}: Mitogen`, row, 'mitogen', 'kpush', { least: least[1]! }),
    ratioGoal(`${what}: pyinfra*`, row, 'pyinfra*', 'kpush', { least: 7 }),
    floorGoal(row),
  ];
}

function floorGoal(row: Row): Goal {
  const what = `41 tasks × 3 hosts, nothing to change, ${row.label}: kpush to the bare ssh2 script`;
  return ratioGoal(what, row, 'kpush', 'bare ssh2', { most: 1.5 });
}

/** The same with everything to change: the hosts are put back before each run. */
export async function everythingToChange(field: Field, slow: number, say: Say): Promise<Table> {
  say('  everything to change');
  const addresses = await field.reach(0);
  const inventory = field.inventory('site-first', addresses);
  const before = () => field.undo();
  const contenders: Contender[] = [
    { name: 'ansible', command: { ...tools.ansible(inventory, site), before }, runs: slow },
    { name: 'mitogen', command: { ...tools.mitogen(inventory, site), before }, runs: slow },
    { name: 'kpush', command: { ...tools.kpush(inventory, site), before }, runs: 5 },
    { name: 'bare ssh2', command: { ...tools.floorOfChange(field.lab.keyPath, addresses), before }, runs: 5 },
    {
      name: 'bare ssh2, as careful',
      command: { ...tools.floorOfChange(field.lab.keyPath, addresses, true), before },
      runs: 5,
    },
  ];
  const timings = await sideBySide(contenders, say);
  const row: Row = { label: '0 ms', timings: [...timings, ...pyinfra(timings, 'change')] };
  const goals = [
    ratioGoal('everything to change: ansible', row, 'ansible', 'kpush', { least: 15 }),
    ratioGoal('everything to change: Mitogen', row, 'mitogen', 'kpush', { least: 7 }),
    ratioGoal('everything to change: pyinfra*', row, 'pyinfra*', 'kpush', { least: 4 }),
  ];
  const note =
    'The bare ssh2 script writes blindly: it asks nothing before and proves nothing after. The careful one asks as kpush does, writes each file beside its place and puts it there whole and synced, runs commands in sessions of their own, and reads afterwards what was changed: what a host pays for these promises, whoever makes them.';
  return timed('41 tasks × 3 hosts, everything to change', [row], { goals, note });
}

/** How cost grows with the number of hosts, nothing to change. */
export async function byHosts(counts: number[], ansibleUpTo: number, say: Say): Promise<Table> {
  const rows: Row[] = [];
  const field = await Field.open(Math.max(...counts));
  try {
    await settled(field);
    for (const count of counts) {
      say(`  ${count} hosts, nothing to change`);
      const addresses = (await field.reach(0)).slice(0, count);
      const slow = count <= ansibleUpTo ? 1 : 0;
      rows.push({
        label: `${count}`,
        timings: await sideBySide(siteContenders(field, `hosts-${count}`, addresses, slow, 3), say),
      });
    }
  } finally {
    await field.close();
  }
  return timed('By hosts: 41 tasks, nothing to change', rows, { series: seriesOf(rows) });
}

/** How cost grows with the number of tasks, nothing to change. */
export async function byTasks(field: Field, counts: number[], ansibleUpTo: number, say: Say): Promise<Table> {
  const inventory = field.inventory('tasks', await field.reach(0));
  const rows: Row[] = [];
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
  const note = 'Tasks are `copy` of a small file each.';
  return timed('By tasks: 3 hosts, nothing to change', rows, { note, series: seriesOf(rows), goals: slopeGoal(rows) });
}

/** Seconds that each further task costs, ansible's to kpush's. */
function slopeGoal(rows: readonly Row[]): Goal[] {
  const slope = (name: string) => {
    const measured = rows.filter((row) => secondsOf(row, name) !== undefined);
    const [first, last] = [measured[0], measured.at(-1)];
    if (!first || !last || first === last) return undefined;
    return (secondsOf(last, name)! - secondsOf(first, name)!) / (Number(last.label) - Number(first.label));
  };
  const [ansible, own] = [slope('ansible'), slope('kpush')];
  if (ansible === undefined || own === undefined) return [];
  const ratio = ansible / own;
  const found = `${(ansible * 1000).toFixed(0)} ms to ${(own * 1000).toFixed(2)} ms: ${ratio.toFixed(0)} ×`;
  return [
    { what: 'each further task, 3 hosts, nothing to change: ansible', goal: '≥ 100 ×', found, reached: ratio >= 100 },
    ...linearGoal(rows),
  ];
}

/** What a task costs between the two largest counts, to what one costs over all of them: 1 × is a straight line. */
function linearGoal(rows: readonly Row[]): Goal[] {
  const [first, before, last] = [rows[0], rows.at(-2), rows.at(-1)];
  if (!first || !before || !last || rows.length < 3) return [];
  const slope = (from: Row, to: Row) =>
    (secondsOf(to, 'kpush')! - secondsOf(from, 'kpush')!) / (Number(to.label) - Number(from.label));
  const bend = slope(before, last) / slope(first, last);
  const what = `${last.label} tasks, nothing to change: a task's cost at the end to that over all`;
  return [{ what, goal: '≤ 1.2 ×', found: `${bend.toFixed(2)} ×`, reached: bend <= 1.2 }];
}

function siteContenders(field: Field, name: string, addresses: string[], slow: number, runs = 5): Contender[] {
  const inventory = field.inventory(name, addresses);
  const others: Contender[] = [
    { name: 'ansible', command: tools.ansible(inventory, site), runs: slow },
    { name: 'mitogen', command: tools.mitogen(inventory, site), runs: slow },
  ];
  return [
    ...(slow > 0 ? others : []),
    { name: 'kpush', command: tools.kpush(inventory, site), runs },
    { name: 'bare ssh2', command: tools.floor(field.lab.keyPath, addresses), runs },
  ];
}

/** Brings the hosts to where there is nothing to change, by the fastest. */
async function settled(field: Field): Promise<void> {
  const inventory = field.inventory('settled', await field.reach(0));
  const [timing] = await sideBySide([{ name: 'kpush', command: tools.kpush(inventory, site), runs: 1 }], () => {});
  if (timing?.failed) throw new Error(`site.yml cannot be applied: ${timing.failed}`);
}

function pyinfra(timings: readonly Timing[], share: keyof typeof pyinfraShare): Timing[] {
  const ansible = timings.find(({ name }) => name === 'ansible');
  if (!ansible || ansible.seconds.length === 0) return [];
  return [{ name: 'pyinfra*', seconds: [median(ansible.seconds) * pyinfraShare[share]] }];
}

function copies(field: Field, count: number): string {
  const task = (n: number) =>
    `    - name: file ${n}\n      copy: {dest: /root/bench-${n}, content: "version={{ version }} n=${n}\\n", mode: '0644'}\n`;
  const path = join(field.dir, `tasks-${count}.yml`);
  const head = '- hosts: all\n  gather_facts: false\n  vars: {version: v1}\n  tasks:\n';
  writeFileSync(path, head + Array.from({ length: count }, (_, n) => task(n)).join(''));
  return path;
}
