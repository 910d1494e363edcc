import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../../test/support/temp.ts';
import { type Contender, sideBySide } from '../measure.ts';
import { limitGoal, type Row, secondsOf, type Table, timed } from '../tables.ts';

/** A large inventory, read and selected from: one group a rack, with variables of its own. */
export async function largeInventory(hosts: number, say: (text: string) => void): Promise<Table> {
  const dir = tempFolder('inventory');
  try {
    const rows: Row[] = [];
    for (const [label, path] of [
      ['INI', ini(dir, hosts)],
      ['YAML', yaml(dir, hosts)],
    ] as const) {
      say(`  ${hosts} hosts, ${label}`);
      rows.push({ label, timings: await sideBySide(contenders(path), say) });
    }
    const goals = rows.map((row) =>
      limitGoal(`${hosts} hosts, ${row.label}: read`, secondsOf(row, 'kpush')! * 1000, 5000, 'ms'),
    );
    return timed(`An inventory of ${hosts} hosts`, rows, { goals });
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function contenders(path: string): Contender[] {
  const graph = (more: string[]) => ['bin/kpush', 'inventory', '--graph', '-i', path, ...more];
  return [
    { name: 'kpush', runs: 3, command: { argv: graph([]) } },
    { name: 'kpush, one rack', runs: 3, command: { argv: graph(['--limit', 'rack7']) } },
  ];
}

function ini(dir: string, hosts: number): string {
  const path = join(dir, 'hosts');
  writeFileSync(
    path,
    racks(hosts)
      .map(([rack, names]) => `[${rack}]\n${names.map((name, n) => `${name} slot=${n}`).join('\n')}\n`)
      .join('\n'),
  );
  return path;
}

function yaml(dir: string, hosts: number): string {
  const path = join(dir, 'hosts.yaml');
  const text = racks(hosts).map(
    ([rack, names]) =>
      `    ${rack}:\n      hosts:\n${names.map((name, n) => `        ${name}: {slot: ${n}}`).join('\n')}\n`,
  );
  writeFileSync(path, `all:\n  children:\n${text.join('')}`);
  return path;
}

function racks(hosts: number): [string, string[]][] {
  return Array.from({ length: Math.ceil(hosts / 40) }, (_, rack) => [
    `rack${rack}`,
    Array.from({ length: Math.min(40, hosts - rack * 40) }, (_, slot) => `node-${rack}-${slot}`),
  ]);
}
