import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { median, spread, type Timing } from './measure.ts';
import type { Table } from './scenarios/playbook.ts';

/** docs/benchmarks.md: the machine, the versions, the tables with ratios, the commands. */
export function page(tables: Table[], date: Date): string {
  return `# Benchmarks

Made by \`npm run bench\` on ${date.toISOString().slice(0, 10)} at commit ${git('rev-parse --short HEAD')}. All contenders of a table
ran side by side in one run, in turn; figures are seconds of the whole process, process start included: median (least–most).
Ratios are of medians. Absolute times move with the machine; the ratios are what counts.

${machine()}

${tables.map(section).join('\n\n')}

![cost by tasks](benchmarks.svg)

Ansible ran with pipelining, ControlPersist and 30 forks; Mitogen with its linear strategy on the same settings;
pdsh and clush with a fan-out of 32. Everybody used the same hosts, key and network.
`;
}

function section({ title, note, rows }: Table): string {
  const names = [...new Set(rows.flatMap(({ timings }) => timings.map(({ name }) => name)))];
  const head = `| | ${names.join(' | ')} | ratios to kpush |\n|${'---|'.repeat(names.length + 2)}`;
  const lines = rows.map(
    ({ label, timings }) =>
      `| ${label} | ${names.map((name) => cell(name, timings)).join(' | ')} | ${ratios(timings)} |`,
  );
  return `## ${title}\n${note ? `\n${note}\n` : ''}\n${head}\n${lines.join('\n')}`;
}

function cell(name: string, timings: Timing[]): string {
  const timing = timings.find((each) => each.name === name);
  return timing ? spread(timing) : '–';
}

function ratios(timings: Timing[]): string {
  const own = timings.find(({ name }) => name.startsWith('kpush'));
  if (!own || own.seconds.length === 0) return '–';
  return timings
    .filter((timing) => timing !== own && timing.seconds.length > 0)
    .map((timing) => `${timing.name} ${(median(timing.seconds) / median(own.seconds)).toFixed(2)} ×`)
    .join(', ');
}

function machine(): string {
  const [cpu] = cpus();
  const os = /PRETTY_NAME="(.*)"/.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  const versions = [
    `node ${process.version}`,
    version('ansible', ['--version']),
    `mitogen ${debian('ansible-mitogen')}`,
    `pdsh ${debian('pdsh')}`,
    `clustershell ${debian('clustershell')}`,
    version('ssh', ['-V']),
  ];
  return `Machine: ${cpu?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, ${os}.
Versions: ${versions.join(', ')}.`;
}

function version(command: string, args: string[]): string {
  try {
    return execFileSync('sh', ['-c', `${command} ${args.join(' ')} 2>&1`], { encoding: 'utf8' })
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

/** Cost against the number of tasks, both axes logarithmic, as an SVG that needs nothing. */
export function chart(table: Table): string {
  const series = [...new Set(table.rows.flatMap(({ timings }) => timings.map(({ name }) => name)))].map((name) => ({
    name,
    points: table.rows.flatMap(({ label, timings }) => {
      const timing = timings.find((each) => each.name === name);
      return timing && timing.seconds.length > 0 ? [[Number(label), median(timing.seconds)] as const] : [];
    }),
  }));
  const all = series.flatMap(({ points }) => points);
  const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
  const x = scale(Math.min(...xs), Math.max(...xs), 60, 560);
  const y = scale(Math.min(...ys) / 1.5, Math.max(...ys) * 1.5, 300, 30);
  const lines = series.map(({ name, points }, at) => drawn(name, points, colors[at % colors.length]!, x, y));
  const ticks = [...new Set(xs)].map((value) => `<text x="${x(value)}" y="320" text-anchor="middle">${value}</text>`);
  const marks = [0.1, 1, 10, 100].filter((v) => v >= Math.min(...ys) / 1.5 && v <= Math.max(...ys) * 1.5);
  const grid = marks.map(
    (v) =>
      `<line x1="60" x2="560" y1="${y(v)}" y2="${y(v)}" stroke="#8884"/><text x="52" y="${y(v) + 4}" text-anchor="end">${v} s</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 340" font-family="sans-serif" font-size="12" fill="#888"><title>Seconds by number of tasks, nothing to change, 3 hosts</title>${grid.join('')}${ticks.join('')}<text x="310" y="336" text-anchor="middle">tasks</text>${lines.join('')}</svg>\n`;
}

const colors = ['#c0392b', '#2471a3', '#1e8449', '#9a7d0a'];

function drawn(name: string, points: (readonly [number, number])[], color: string, x: Scale, y: Scale): string {
  const path = points.map(([px, py]) => `${x(px).toFixed(1)},${y(py).toFixed(1)}`).join(' ');
  const [lx, ly] = points.at(-1) ?? [0, 1];
  return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/><text x="${x(lx) + 6}" y="${y(ly) + 4}" fill="${color}">${name}</text>`;
}

type Scale = (value: number) => number;

function scale(from: number, to: number, start: number, end: number): Scale {
  const [low, high] = [Math.log(from), Math.log(to)];
  return (value) => start + ((Math.log(value) - low) / (high - low || 1)) * (end - start);
}
