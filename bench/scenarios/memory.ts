import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../measure.ts';
import { benchUser, type Sshd, startSshd } from '../sshd.ts';
import { type Goal, limitGoal, type Table } from '../tables.ts';

interface Peak {
  hosts: number;
  megabytes: number;
  seconds: number;
  /** Of a script that only holds as many bare ssh2 connections. */
  floor: number;
}

/** Resident memory at its peak while a playbook without anything to change is planned on connected hosts. */
export async function memory(counts: number[], tasks: number, say: (text: string) => void): Promise<Table> {
  const server = await startSshd();
  try {
    const playbook = written(server, tasks);
    await settled(tasks);
    const peaks: Peak[] = [];
    for (const hosts of counts) {
      const peak = await peakOf(
        ['bin/kpush', 'plan', '-i', server.inventory(hosts), playbook, '--output', 'plain', '--detailed-exitcode'],
        hosts,
        await floorOf(server, hosts),
      );
      say(`  memory, ${hosts} hosts × ${tasks} tasks: ${peak.megabytes.toFixed(0)} MB in ${peak.seconds.toFixed(0)} s`);
      peaks.push(peak);
    }
    return {
      title: `Memory: ${tasks} tasks, nothing to change, hosts all connected`,
      note: 'The last two columns are the floor: a script of nothing but ssh2 that holds as many connections.',
      head: [
        'hosts',
        'peak resident, MB',
        'KB for each further host',
        'seconds',
        'bare ssh2, MB',
        'KB for each further',
      ],
      lines: peaks.map((peak, at) => [
        `${peak.hosts}`,
        peak.megabytes.toFixed(0),
        at === 0 ? '–' : further(peaks[at - 1]!, peak).toFixed(0),
        peak.seconds.toFixed(1),
        peak.floor.toFixed(0),
        at === 0 ? '–' : further(floorAsPeak(peaks[at - 1]!), floorAsPeak(peak)).toFixed(0),
      ]),
      goals: goals(peaks, tasks),
    };
  } finally {
    server.stop();
  }
}

function goals(peaks: readonly Peak[], tasks: number): Goal[] {
  const [before, last] = peaks.slice(-2);
  if (!before || !last) return [];
  const what = `${last.hosts} connected hosts × ${tasks} tasks`;
  return [
    limitGoal(`${what}: memory`, last.megabytes, 250, 'MB'),
    limitGoal(`${what}: each further host`, further(before, last), 150, 'KB'),
  ];
}

function further(one: Peak, other: Peak): number {
  return ((other.megabytes - one.megabytes) * 1024) / (other.hosts - one.hosts);
}

function floorAsPeak(peak: Peak): Peak {
  return { ...peak, megabytes: peak.floor };
}

async function floorOf({ dir, key, port, addresses }: Sshd, hosts: number): Promise<number> {
  const list = join(dir, `memory-${hosts}`);
  writeFileSync(list, `${addresses(hosts).join('\n')}\n`);
  const { code, output } = await run([process.execPath, 'bench/memory-floor.mjs', key, `${port}`, list]);
  if (code !== 0) throw new Error(`bench/memory-floor.mjs: ${output.slice(-500)}`);
  return Number(output.trim().split('\n').at(-1)) / 1024;
}

function written({ dir }: Sshd, tasks: number): string {
  const path = join(dir, 'site.yml');
  const task = (n: number) =>
    `    - copy: {dest: /home/${benchUser}/f${n}, content: "n=${n} {{ version }}\\n", mode: '0644'}\n`;
  const head = '- hosts: all\n  gather_facts: false\n  vars: {version: v1}\n  tasks:\n';
  writeFileSync(path, head + Array.from({ length: tasks }, (_, n) => task(n)).join(''));
  return path;
}

/** All addresses are one machine: what the playbook wants is put there beforehand. */
async function settled(tasks: number): Promise<void> {
  const write = `n=0; while [ $n -lt ${tasks} ]; do echo "n=$n v1" >f$n; n=$((n + 1)); done; chmod 644 f*; chown ${benchUser}: f*`;
  const { code, output } = await run(['sh', '-c', `cd /home/${benchUser} && ${write}`]);
  if (code !== 0) throw new Error(`the files cannot be written: ${output.slice(-500)}`);
}

function peakOf(argv: string[], hosts: number, floor: number): Promise<Peak> {
  const start = performance.now();
  const child = spawn(argv[0]!, argv.slice(1), { stdio: 'ignore' });
  let kilobytes = 0;
  const timer = setInterval(() => {
    kilobytes = Math.max(kilobytes, residentPeak(child.pid));
  }, 50);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearInterval(timer);
      if (code !== 0) reject(new Error(`${argv.join(' ')}: exit ${code}`));
      else resolve({ hosts, floor, megabytes: kilobytes / 1024, seconds: (performance.now() - start) / 1000 });
    });
  });
}

/** The kernel's own high-water mark. */
function residentPeak(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0; // it has ended
  }
}
