import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { furtherChannels } from '../../src/remote/pace.ts';
import { type Field, tools } from '../field.ts';
import { type Contender, median, sideBySide, type Timing } from '../measure.ts';
import { type Goal, limitGoal, type Row, ratioGoal, type Table, timed } from '../tables.ts';

/** From the start of the process to its first TCP connect, against an empty node. */
export async function startUp(field: Field, say: (text: string) => void): Promise<Table> {
  say('  start to first connect');
  const seconds: number[] = [];
  for (let run = 0; run < 7; run++) seconds.push(await untilConnect(field));
  const kpush: Timing = { name: 'kpush plan, to first connect', seconds };
  const [node] = await sideBySide(
    [{ name: 'node -e 0', command: { argv: [process.execPath, '-e', '0'] }, runs: 7 }],
    say,
  );
  const over = 1000 * (median(seconds) - median(node!.seconds));
  const goals = [limitGoal('start to first TCP connect over `node -e 0`', over, 150, 'ms')];
  return timed('Start: `kpush plan`, 3 hosts, 41 tasks', [{ label: 'seconds', timings: [kpush, node!] }], { goals });
}

function untilConnect(field: Field): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      const seconds = (performance.now() - start) / 1000;
      socket.destroy();
      server.close();
      child.kill('SIGKILL');
      resolve(seconds);
    });
    let start = 0;
    let child: ReturnType<typeof spawn>;
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      const inventory = field.inventory(
        'start',
        field.hosts.map(() => `127.0.0.1:${port}`),
      );
      start = performance.now();
      child = spawn('bin/kpush', ['plan', '-i', inventory, 'bench/site.yml'], { stdio: 'ignore' });
      child.on('error', reject);
    });
  });
}

const fileSize = 128 * 1024 * 1024;

/** 128 MiB to one host, at no delay and at 50 ms. */
export async function bigFile(field: Field, say: (text: string) => void): Promise<Table> {
  const source = join(field.dir, 'big.bin');
  if (!existsSync(source)) writeFileSync(source, randomBytes(fileSize));
  const rows: Row[] = [];
  for (const delay of [0, 50]) {
    say(`  128 MiB, ${delay} ms`);
    const [address] = await field.reach(delay);
    rows.push({ label: `${delay} ms`, timings: await sideBySide(copies(field, address!, source, delay), say) });
  }
  const note =
    'ssh writes what comes and neither proves it nor waits for the disk. The bare ssh2 script does the least that a proved copy needs: a hash here, a hash there and the disk while it comes, a rename; where there is a delay, over as many channels as kpush uses, since the window of one is what limits ssh there. kpush besides asks what is there, keeps a part for going on after a cut, reads the file again where it lies, and starts and plans.';
  return timed('128 MiB to one host', rows, { note, goals: rows.flatMap(fileGoals) });
}

function fileGoals(row: Row): Goal[] {
  const what = `128 MiB to one host, ${row.label}`;
  return [
    ratioGoal(`${what}: \`ssh host 'cat >'\``, row, "ssh host 'cat >'", 'kpush', { least: 0.9 }),
    ratioGoal(`${what}: a proved copy by bare ssh2`, row, provedCopy, 'kpush', { least: 0.9 }),
  ];
}

const provedCopy = 'bare ssh2, proved';

function copies(field: Field, address: string, source: string, delay: number): Contender[] {
  const inventory = field.inventory(`big-${delay}`, [address]);
  const playbook = join(field.dir, 'big.yml');
  writeFileSync(
    playbook,
    `- hosts: all\n  gather_facts: false\n  tasks:\n    - copy: {src: ${source}, dest: /root/big.bin, mode: '0644'}\n`,
  );
  const channels = String(1 + furtherChannels(fileSize, delay));
  const [host, port] = address.split(':') as [string, string];
  const host0 = field.hosts[0]!;
  const before = async () =>
    void (await field.lab.exec(host0, 'rm -rf /root/big.bin /var/lib/kpush/blobs /root/.cache/kpush'));
  const ssh = `ssh -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -i ${field.lab.keyPath} -p ${port} root@${host} 'cat > /root/big.bin' < ${source}`;
  return [
    { name: "ssh host 'cat >'", runs: 3, command: { argv: ['sh', '-c', ssh], before } },
    {
      name: provedCopy,
      runs: 3,
      command: {
        argv: [process.execPath, 'bench/file-floor.mjs', field.lab.keyPath, address, source, '/root/big.bin', channels],
        before,
      },
    },
    { name: 'kpush', runs: 3, command: { ...tools.kpush(inventory, playbook), before } },
  ];
}
