import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import type { Goal, Table } from './tables.ts';

/** docs/benchmarks.md: the machine, the versions, the goals, the tables and the commands. */
export function page(tables: readonly Table[], command: string, date: Date): string {
  return `# Benchmarks

Made by \`${command}\` on ${date.toISOString().slice(0, 10)} at commit ${git('rev-parse --short HEAD')}. All contenders of a table
ran side by side in one run, in turn. Figures are seconds of the whole process, its start included: the median
(least–most). Ratios are of medians. Absolute times move with the machine; the ratios are what counts.

${machine()}

![cost by tasks](images/benchmarks-tasks.svg) ![cost by hosts](images/benchmarks-hosts.svg)

${goals(tables.flatMap((table) => table.goals ?? []))}

${tables.map(section).join('\n\n')}

Ansible ran with pipelining, ControlPersist and a fork for every host; Mitogen with its linear strategy and the same
settings; pdsh and clush with a fan-out of 32, their best here. Everybody used the same hosts, key and network. A column with \`*\`
was not run: it is ansible's with the ratio that was measured when pyinfra 2.9.2 was at hand (34.1 s to 5.5 s
without delay, 44.9 s to 9.8 s at 50 ms, 38.3 s to 10.8 s with everything to change).
`;
}

function goals(all: readonly Goal[]): string {
  if (all.length === 0) return '';
  const lines = all.map(
    ({ what, goal, found, reached }) => `| ${what} | ${goal} | ${found} | ${reached ? 'yes' : 'no'} |`,
  );
  return `## Goals\n\n| | goal | found | reached |\n|---|---|---|---|\n${lines.join('\n')}`;
}

function section({ title, note, head, lines }: Table): string {
  const rule = `|${'---|'.repeat(head.length)}`;
  const rows = lines.map((line) => `| ${line.join(' | ')} |`);
  return `## ${title}\n${note ? `\n${note}\n` : ''}\n| ${head.join(' | ')} |\n${rule}\n${rows.join('\n')}`;
}

export function machineName(): string {
  const [cpu] = cpus();
  return `${cpu?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`;
}

function machine(): string {
  const os = /PRETTY_NAME="(.*)"/.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  const versions = [
    `node ${process.version}`,
    said('ansible --version'),
    `mitogen ${debian('ansible-mitogen')}`,
    `pdsh ${debian('pdsh')}`,
    `clustershell ${debian('clustershell')}`,
    said('ssh -V'),
  ];
  return `Machine: ${machineName()}, Linux ${release()}, ${os}.
Versions: ${versions.join(', ')}.`;
}

function said(command: string): string {
  try {
    return execFileSync('sh', ['-c', `${command} 2>&1`], { encoding: 'utf8' })
      .split('\n')[0]!
      .trim();
  } catch {
    return `${command}: not here`;
  }
}

function debian(name: string): string {
  try {
    return execFileSync('dpkg-query', ['-W', '-f', '${Version}', name], { encoding: 'utf8' });
  } catch {
    return 'not here';
  }
}

function git(words: string): string {
  return execFileSync('git', words.split(' '), { encoding: 'utf8' }).trim();
}
