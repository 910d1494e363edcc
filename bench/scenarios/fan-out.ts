import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Contender, sideBySide } from '../measure.ts';
import { benchUser, type Sshd, startSshd } from '../sshd.ts';
import { type Goal, type Row, ratioGoal, seriesOf, type Table, timed } from '../tables.ts';

/**
 * `true` on many addresses of 127.0.0.0/8, all answered by one sshd with a lean user: what connecting itself costs.
 * pdsh and clush get the fan-out at which they are fastest here, up to `slowUpTo` addresses.
 */
export async function fanOut(counts: number[], slowUpTo: number, say: (text: string) => void): Promise<Table> {
  const server = await startSshd();
  try {
    const rows: Row[] = [];
    for (const count of counts) {
      say(`  true on ${count} addresses`);
      rows.push({ label: `${count}`, timings: await sideBySide(contenders(server, count, count <= slowUpTo), say) });
    }
    const title = 'Fan-out of `true` on loopback addresses, one sshd';
    const note =
      'Both connections and sshd are on this machine, and share its cores. The bare ssh2 script runs `true` and nothing else. What changes a host must be one at a time there, must be ended with all it started, and must end when the link does: the watched script does the least that takes (a lock, a timer, a reader of the link, a session of its own), understands what was told of the command, and logs and tells it.';
    return timed(title, rows, { note, series: seriesOf(rows), goals: rows.flatMap(goals) });
  } finally {
    server.stop();
  }
}

const watched = 'bare ssh2, watched';

function goals(row: Row): Goal[] {
  const what = `\`true\` on ${row.label} addresses`;
  const peers = ['pdsh', 'clush'].filter((name) => row.timings.some((timing) => timing.name === name));
  return [
    ...peers.map((name) => ratioGoal(`${what}: ${name}`, row, name, 'kpush', { least: 2.5 })),
    ratioGoal(`${what}: kpush to bare ssh2`, row, 'kpush', 'bare ssh2', { most: 1.15 }),
    ratioGoal(`${what}: kpush to bare ssh2, watched`, row, 'kpush', watched, { most: 1.15 }),
  ];
}

function contenders(server: Sshd, count: number, slow: boolean): Contender[] {
  const list = join(server.dir, `list-${count}`);
  writeFileSync(list, `${server.addresses(count).join('\n')}\n`);
  const runs = count > 300 ? 1 : 2;
  const floor = [process.execPath, 'bench/fan-floor.mjs', server.key, String(server.port), list];
  return [
    ...(slow ? peers(server, list, 1) : []),
    {
      name: 'kpush',
      runs,
      command: { argv: ['bin/kpush', 'exec', '-i', server.inventory(count), 'all', '--output', 'plain', '--', 'true'] },
    },
    { name: 'bare ssh2', runs, command: { argv: floor } },
    { name: watched, runs, command: { argv: [...floor, 'watched'] } },
  ];
}

function peers({ options, key, port }: Sshd, list: string, runs: number): Contender[] {
  const ssh = `${options} -o LogLevel=ERROR -i ${key} -p ${port}`;
  return [
    {
      name: 'pdsh',
      runs,
      command: {
        argv: ['pdsh', '-R', 'ssh', '-f', '32', '-l', benchUser, '-w', `^${list}`, 'true'],
        env: { PDSH_SSH_ARGS_APPEND: ssh },
      },
    },
    {
      name: 'clush',
      runs,
      command: { argv: ['clush', '-q', '-f', '32', '-l', benchUser, '-o', ssh, '--hostfile', list, 'true'] },
    },
  ];
}
