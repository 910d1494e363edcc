import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import type { Target } from '../../src/core/session.ts';
import { anyTransport } from '../../src/transports/index.ts';
import { type FileEntry, Lab, type LabHost } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { hostTarget } from './remote-support.ts';
import { labInventory, scratch, through } from './support/inventory.ts';
import { type Carried, CountingProxy } from './support/proxy.ts';
import { complaints, counts, kpush, type Ran, runOptions } from './support/run.ts';

const test = suite('site.yml', { timeout: 600_000 });
const site = 'bench/site.yml';
const dir = scratch('engine');
let lab: Lab;
let inventory: string;
let proxies: CountingProxy[];

const first = { ok: 41, changed: 39, skipped: 0, failed: 0, unreachable: 0, unknown: 0 };
const second = { ...first, changed: 0 };

test('the lab is up, without Python and behind counting proxies', async () => {
  lab = await Lab.up({ hosts: 2, twins: 1 });
  proxies = await Promise.all(lab.hosts.map(({ address }) => CountingProxy.to(address)));
  inventory = labInventory(dir, lab, Object.fromEntries(lab.hosts.map(reached)));
  for (const host of lab.hosts) assert.is((await lab.exec(host, 'command -v python3')).code, 127);
});

test('plan and first apply count as ansible-playbook does: ok 41, changed 39', async () => {
  for (const verb of ['plan', 'apply'] as const) {
    const ran = await kpush(runOptions(verb, site, inventory));
    assert.is(ran.exit, 0, complaints(ran));
    for (const host of lab.hosts) assert.equal(countsOf(ran, host), first, `${verb} on ${host.name}`);
  }
  // The count by which the second run is judged sees trips when there are many.
  for (const carried of proxies.map(sum)) assert.ok(carried.turns > 14, `${carried.turns} turns of two busy runs`);
});

test('the second run changes nothing: one connection, one session, at most two trips', async () => {
  const bare = await bareTurns();
  const before = await Promise.all(lab.hosts.map((host) => now(host)));
  for (const proxy of proxies) proxy.take();
  const ran = await kpush(runOptions('apply', site, inventory));
  assert.is(ran.exit, 0, complaints(ran));
  for (const [at, host] of lab.hosts.entries()) {
    assert.equal(countsOf(ran, host), second, host.name);
    const log = await lab.sshdLog(host, before[at]);
    assert.equal([log.connections, log.sessions.length], [1, 1], `${host.name}: connections and sessions`);
    const [carried, ...more] = proxies[at]!.take();
    assert.is(more.length, 0);
    const trips = carried!.turns - bare + 1;
    assert.ok(trips >= 1 && trips <= 2, `${host.name}: ${trips} trips (${carried!.turns} turns, bare ${bare})`);
  }
});

test('ansible-playbook says the same of a twin, and leaves the same files', async () => {
  assert.equal(await ansible(), { ok: 41, changed: 39, unreachable: 0, failed: 0, skipped: 0, rescued: 0, ignored: 0 });
  assert.equal(await ansible(), { ok: 41, changed: 0, unreachable: 0, failed: 0, skipped: 0, rescued: 0, ignored: 0 });
  const theirs = await written(lab.twins[0]!);
  assert.ok(theirs.size > 30);
  for (const host of lab.hosts) assert.equal(await written(host), theirs, host.name);
});

test('everything is put away', async () => {
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await lab.down();
});

test.run();

function reached({ name, address }: LabHost, at: number): [string, Record<string, unknown>] {
  return [name, through(lab, address, proxies[at]!.port)];
}

function countsOf(ran: Ran, { name }: LabHost) {
  return counts(ran.tasks.filter(({ host }) => host === name));
}

function sum(proxy: CountingProxy): Carried {
  const all = proxy.take();
  const of = (field: keyof Carried) => all.reduce((total, carried) => total + carried[field], 0);
  return { turns: of('turns'), sent: of('sent'), received: of('received') };
}

/** Turns of a connection that runs one command and leaves: key exchange, login and all. */
async function bareTurns(): Promise<number> {
  const proxy = proxies[0]!;
  proxy.take();
  const way: Partial<Target> = {
    address: '127.0.0.1',
    port: proxy.port,
    strictHostKeyChecking: 'no',
    knownHostsFiles: [],
  };
  const connection = await anyTransport.connect(hostTarget(lab, way));
  const channel = await connection.exec('true', { onStdout() {}, onStderr() {} });
  await channel.closed;
  await connection.close();
  const [carried] = proxy.take();
  return carried!.turns;
}

/** The host's time in microseconds, as its sshd stamps its log. */
async function now(host: LabHost): Promise<number> {
  return Number(await lab.sh(host, 'date +%s%6N'));
}

async function ansible(): Promise<Record<string, number>> {
  const env = { ...process.env, ANSIBLE_HOST_KEY_CHECKING: 'True', ANSIBLE_LOCALHOST_WARNING: 'False' };
  const { stdout } = await promisify(execFile)('ansible-playbook', ['-i', lab.twinInventoryPath, site], { env });
  const recap = /^t1\s*:(.*)$/m.exec(stdout)?.[1] ?? '';
  return Object.fromEntries([...recap.matchAll(/(\w+)=(\d+)/g)].map(([, name, count]) => [name, Number(count)]));
}

/** What the playbook wrote, but for times. */
async function written(host: LabHost): Promise<Map<string, Partial<FileEntry>>> {
  const files = await lab.snapshotFiles(host);
  const wanted = (path: string) => path.startsWith('/etc/kb') || path.startsWith('/etc/systemd/system/');
  return new Map(
    [...files].filter(([path]) => wanted(path)).map(([path, { mtimeMs, ...rest }]) => [path, rest] as const),
  );
}
