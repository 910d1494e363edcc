import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import type { RunEvent } from '../../src/core/events.ts';
import { hostRoot } from '../lab/support/host-root.ts';
import { labInventory, scratch, yamlFile } from '../lab/support/inventory.ts';
import { complaints, kpush, runOptions } from '../lab/support/run.ts';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { fresh, holdScript, packageScript, playbook, steps, unitName, unitText } from './support/held.ts';

const test = suite('cut off in every step', { timeout: 900_000 });

/** Seconds of silence after which a host ends what runs, in these runs. */
const deadline = 3;
const dir = scratch('cuts');
let lab: Lab;
let site: string;
let inventory: string;
let seen: { key: string; name: string }[];

interface Fault {
  name: string;
  host: string;
  inject(child: ChildProcess): Promise<void>;
  heal?(): Promise<void>;
  /** Seconds until nothing of ours may run any more. */
  within: number;
}

/** A host for each, so that they go on side by side. */
const faults: Fault[] = [
  { name: 'kpush killed -9', host: 'h1', inject: async (child) => void child.kill('SIGKILL'), within: 5 },
  { name: 'the channel closed', host: 'h2', inject: interruptTwice, within: 5 },
  {
    name: 'the link down',
    host: 'h3',
    inject: () => lab.cut('h3'),
    heal: () => lab.heal('h3'),
    // After silence: the deadline, TERM, two seconds, KILL.
    within: deadline + 5,
  },
  {
    name: 'silence',
    host: 'h4',
    inject: () => lab.drop('h4'),
    heal: () => lab.undrop('h4'),
    within: deadline + 5,
  },
];

test('the lab is up, every step can be held', async () => {
  lab = await Lab.up({ hosts: faults.length });
  const hosts = lab.hosts.map(({ name, address }) => [name, { ansible_host: address }] as const);
  inventory = labInventory(dir, lab, Object.fromEntries(hosts));
  site = yamlFile(dir, 'site.yml', playbook);
  for (const { host } of faults) await lab.sh(host, ['sh', '-ec', `${holdScript}\n${packageScript}`]);
});

test('an uninterrupted run tells its steps, one of each kind', async () => {
  await Promise.all(faults.map(({ host }) => prepare(host, steps)));
  const ran = await kpush(runOptions('apply', site, inventory, { limit: ['h1'] }));
  assert.is(ran.exit, 0, complaints(ran));
  seen = ran.events.flatMap((event) => (event.type === 'step-start' ? [{ key: event.key, name: event.name }] : []));
  assert.equal(
    seen.map(({ name }) => name),
    steps,
  );
});

for (const fault of faults)
  test(`${fault.name}: nothing runs on, nothing is half-written, the next run ends it`, async () => {
    for (const [at, { key, name }] of seen.entries()) await cut(fault, key, name, steps.slice(0, at));
  });

test('everything is put away', () => lab.down());

test.run();

async function cut(fault: Fault, key: string, step: string, before: string[]) {
  const what = `${fault.name} in "${step}"`;
  await prepare(fault.host, before);
  const cwd = scratch('cut');
  const child = started(fault.host, cwd);
  try {
    await until(() => isHeld(fault.host, step), 60, `${what}: the step is never reached: ${journal(cwd).slice(-1500)}`);
    assert.ok(begun(cwd).at(-1) === key, `${what}: the journal says ${begun(cwd).at(-1)}, not ${key}`);
    await fault.inject(child);
    await until(
      () => running(fault.host, step).length === 0,
      fault.within,
      () => `${what}: ${running(fault.host, step).join(', ')}`,
    );
    if (step === 'package') assert.ok(isHeldProcess(fault.host, 'package'), `${what}: dpkg was cut off`);
  } finally {
    child.kill('SIGKILL');
    await fault.heal?.();
  }
  whole(fault.host, what);
  await converges(fault, step, what);
}

/** kpush as a user runs it, on one host, with a journal of its own in `cwd`. */
function started(host: string, cwd: string): ChildProcess {
  const args = ['--import', resolve('node_modules/tsx/dist/esm/index.mjs'), resolve('src/cli/main.ts')];
  const env = { ...process.env, KPUSH_DEADLINE: String(deadline) };
  return spawn(process.execPath, [...args, 'apply', '-i', inventory, '-l', host, '--yes', site], {
    cwd,
    env,
    stdio: 'ignore',
  });
}

async function interruptTwice(child: ChildProcess) {
  child.kill('SIGINT');
  await pause(300);
  child.kill('SIGINT');
}

/** The host as before the first run, with leave to go on for these steps. */
async function prepare(host: string, free: string[]) {
  const words = ['sh', '-c', resetScript, 'sh', ...free];
  await lab.sh(host, words, { timeoutMs: 60_000 });
}

const resetScript = `touch /srv/go/all; sleep 0.2
systemctl stop ${unitName} 2>/dev/null; dpkg -P kpush-held >/dev/null 2>&1
rm -rf /srv/kb /srv/go /srv/held /etc/systemd/system/${unitName}; systemctl daemon-reload; systemctl reset-failed
mkdir -p /srv/kb /srv/go /srv/held; printf 'old\\n' >/srv/kb/a; printf 'old\\n' >/srv/kb/c
for step; do : >"/srv/go/$step"; done`;

function isHeld(host: string, step: string): boolean {
  return existsSync(`${hostRoot(lab, host)}/srv/held/${step}`);
}

function isHeldProcess(host: string, step: string): boolean {
  return lab.processes(host).some(({ cmdline }) => cmdline.includes('/usr/local/bin/hold') && cmdline.includes(step));
}

/**
 * What runs for us on the host. Not ours to end: the unit's own process, which systemd started, and a package
 * transaction, which must finish.
 */
function running(host: string, step: string): string[] {
  const spared = step === 'start' || step === 'package' ? step : undefined;
  const lines = lab.processes(host).map(({ cmdline }) => cmdline.join(' '));
  const held = lines.filter((line) => line.includes('/usr/local/bin/hold') && !(spared && line.endsWith(spared)));
  const shells = lines.filter((line) => /\bkp_|^kpush\b|systemctl .*start/.test(line));
  return [...held, ...(step === 'package' ? [] : shells)];
}

/** Each file is what it was or what it shall be. */
function whole(host: string, what: string) {
  const root = hostRoot(lab, host);
  const text = (path: string) => (existsSync(root + path) ? readFileSync(root + path, 'utf8') : '');
  assert.ok(['old\n', fresh].includes(text('/srv/kb/a')), `${what}: /srv/kb/a is half-written`);
  assert.ok(['old\n', 'old\nadded\n'].includes(text('/srv/kb/c')), `${what}: /srv/kb/c is half-written`);
  assert.ok(['', unitText].includes(text(`/etc/systemd/system/${unitName}`)), `${what}: the unit is half-written`);
}

/** Without force, the next run takes the lock, ends the work and leaves nothing; one more finds nothing to do. */
async function converges({ host }: Fault, step: string, what: string) {
  await lab.sh(host, ': >/srv/go/all');
  await lab.ready(host);
  const next = await kpush(runOptions('apply', site, inventory, { limit: [host] }));
  assert.is(next.exit, 0, `${what}: the next run: ${complaints(next)}`);
  if (step === 'package') assert.match(complaints(next), /was cut off while a step had to finish; it ended well/, what);
  const again = await kpush(runOptions('plan', site, inventory, { limit: [host] }));
  const open = again.tasks.filter(({ status }) => status !== 'ok' && status !== 'skipped');
  assert.equal(
    open.map(({ name, status }) => `${name}: ${status}`),
    [],
    `${what}: what is left to do`,
  );
  await until(
    () => leftovers(host).length === 0,
    5,
    () => `${what}: left behind: ${leftovers(host).join(' ')}`,
  );
}

function leftovers(host: string): string[] {
  const root = hostRoot(lab, host);
  const temps = ['/srv/kb', '/etc/systemd/system'].flatMap((folder) =>
    readdirSync(root + folder).filter((name) => name.startsWith('.kpush-')),
  );
  const runs = existsSync(`${root}/run/kpush`)
    ? readdirSync(`${root}/run/kpush`, { recursive: true, encoding: 'utf8' })
    : [];
  return [...temps, ...runs, ...(existsSync(`${root}/run/kpush.lock`) ? ['kpush.lock'] : [])];
}

/** Keys of the steps that the run's journal says have begun. */
function begun(cwd: string): string[] {
  const lines = journal(cwd)
    .split('\n')
    .filter((line) => line.endsWith('}'));
  const events = lines.map((line) => JSON.parse(line) as RunEvent);
  return events.flatMap((event) => (event.type === 'step-start' ? [event.key] : []));
}

function journal(cwd: string): string {
  const runs = join(cwd, '.kpush/runs');
  const run = existsSync(runs) ? readdirSync(runs).find((name) => /^\d/.test(name)) : undefined;
  const file = run === undefined ? '' : join(runs, run, 'events.jsonl');
  return file !== '' && existsSync(file) ? readFileSync(file, 'utf8') : '';
}

async function until(condition: () => boolean, seconds: number, message: string | (() => string)) {
  const end = performance.now() + seconds * 1000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(typeof message === 'string' ? message : message());
    await pause(50);
  }
}

function pause(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
