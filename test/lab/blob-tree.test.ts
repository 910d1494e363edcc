import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { RunEvent } from '../../src/core/events.ts';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { tempFolder } from '../support/temp.ts';
import { yamlFile } from './support/inventory.ts';
import { kpush, runOptions } from './support/run.ts';

/** One big file to hosts that hand it on to each other. */
const test = suite('a big file from host to host', { timeout: 240_000 });

const size = 24_000_000;
const dir = tempFolder('blob-tree');
const source = join(dir, 'big.bin');
let lab: Lab;
let sum: string;
let playbook: string;
let inventory: string;

test('hosts boot', async () => {
  lab = await Lab.up({ hosts: 5 });
  const bytes = randomBytes(size);
  writeFileSync(source, bytes);
  sum = createHash('sha256').update(bytes).digest('hex');
  const copy = { copy: { src: source, dest: '/root/big.bin', mode: '0644' } };
  playbook = yamlFile(dir, 'big.yml', [{ hosts: 'all', gather_facts: false, tasks: [copy] }]);
  mkdirSync(join(dir, 'group_vars'));
  writeFileSync(join(dir, 'group_vars/all.yml'), 'kpush_blob_address: host0\n');
  inventory = lab.inventoryPath;
});

test('the controller sends one copy, every host gets it whole, and nothing of it is left', async () => {
  const { exit, events } = await kpush(runOptions('apply', playbook, inventory));
  assert.is(exit, 0);
  const copies = sentBy(events) / size;
  assert.ok(copies > 1 && copies < 1.2, `${copies} copies`);
  for (const { name } of lab.hosts) await whole(name);
  await clean(lab.hosts.map(({ name }) => name));
});

test('a host that dies while it serves: the others get it all the same', async () => {
  await forgotten();
  const running = kpush(runOptions('apply', playbook, inventory));
  const first = await whoever((names) => names.find((name) => name !== undefined));
  await pause(1500);
  await lab.crash(first);
  const { exit, tasks } = await running;
  assert.is.not(exit, 0, `${first} is lost`);
  const others = lab.hosts.map(({ name }) => name).filter((name) => name !== first);
  assert.equal(
    tasks
      .filter(({ status }) => status === 'changed')
      .map(({ host }) => host)
      .sort(),
    others,
  );
  for (const name of others) await whole(name);
  await clean(others);
  await lab.boot(first);
});

test('kpush killed in the middle: no server stays', async () => {
  await forgotten();
  const child = started();
  await whoever((names) => names[0]);
  child.kill('SIGKILL');
  await clean(
    lab.hosts.map(({ name }) => name),
    { blobs: true },
  );
});

test('the run after it goes on with what is there', async () => {
  const { exit } = await kpush(runOptions('apply', playbook, inventory));
  assert.is(exit, 0);
  for (const { name } of lab.hosts) await whole(name);
});

test('the lab is left', async () => {
  await lab?.down();
});

test.run();

/** Bytes that the run says it sent. */
function sentBy(events: readonly RunEvent[]): number {
  return events.reduce((sum, event) => sum + (event.type === 'trip' ? event.sent : 0), 0);
}

async function whole(host: string): Promise<void> {
  assert.is((await lab.sh(host, 'sha256sum </root/big.bin')).split(' ')[0], sum, host);
}

/** Within ten seconds no server is there, and no blob or part unless those may be. */
async function clean(hosts: string[], { blobs = false } = {}): Promise<void> {
  const look = `pgrep -a perl; ${blobs ? ':' : 'ls /var/lib/kpush/blobs'}; true`;
  for (const host of hosts)
    for (let tried = 0; ; tried++) {
      const left = (await lab.sh(host, look)).trim();
      if (left === '') break;
      if (tried >= 20) throw new Error(`left on ${host}: ${left}`);
      await pause(500);
    }
}

/** Hosts without the file, on links so slow that there is time to break something. */
async function forgotten(): Promise<void> {
  for (const host of lab.hosts) {
    await lab.sh(host, 'rm -rf /root/big.bin /var/lib/kpush/blobs');
    await lab.limit(host, '16mbit');
  }
}

/** Waits until a host serves bytes to another: its server has a child. */
async function whoever(choose: (names: string[]) => string | undefined): Promise<string> {
  for (let tried = 0; tried < 150; tried++) {
    const serving: string[] = [];
    for (const { name } of lab.hosts)
      if ((await lab.sh(name, 'pgrep -c perl || true')).trim() > '1' && (await served(name))) serving.push(name);
    const chosen = choose(serving);
    if (chosen) return chosen;
    await pause(200);
  }
  throw new Error('nobody serves');
}

/** The one that gets it from the controller, and others from him: it pulls nothing. */
async function served(host: string): Promise<boolean> {
  return (await lab.sh(host, 'pgrep -a perl | grep -c PeerHost || true')).trim() === '0';
}

function started(): ChildProcess {
  const words = ['apply', '-i', inventory, playbook, '--yes', '--output', 'plain'];
  const loader = resolve('node_modules/tsx/dist/loader.mjs');
  return spawn(process.execPath, ['--import', loader, resolve('src/cli/main.ts'), ...words], { stdio: 'ignore' });
}
