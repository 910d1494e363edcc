import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import type { RunEvent } from '../../src/core/events.ts';
import { scratch, yamlFile } from '../lab/support/inventory.ts';
import { kpush, runOptions } from '../lab/support/run.ts';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';

const test = suite('cut at every step boundary', { timeout: 600_000 });

const unit = '[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/true\n';
const [old, fresh] = ['old\n', `${'new content\n'.repeat(2000)}`];

/** Every kind of step; the shell ones wait until they may go on, so that a cut finds them running. */
const waits = (name: string) => `while [ ! -e /srv/go/${name} ]; do sleep 0.1; done; touch /srv/kb/${name}`;
const waiting = (name: string) => ({ name, shell: { cmd: waits(name), creates: `/srv/kb/${name}` } });
const playbook = [
  {
    hosts: 'all',
    gather_facts: false,
    tasks: [
      { name: 'write', copy: { dest: '/srv/kb/a', content: fresh, mode: '0644' }, notify: 'handle' },
      waiting('first'),
      { name: 'unit', copy: { dest: '/etc/systemd/system/kbcut.service', content: unit, mode: '0644' } },
      { name: 'start', systemd: { name: 'kbcut', state: 'started', daemon_reload: true } },
      { name: 'line', lineinfile: { path: '/srv/kb/c', line: 'added' } },
      waiting('second'),
    ],
    handlers: [waiting('handle')],
  },
];

const faults = {
  'kpush killed -9': { inject: async (_lab: Lab, child: ChildProcess) => void child.kill('SIGKILL'), within: 5 },
};

test('nothing runs on, no file is half-written, the next run converges', async () => {
  const lab = await Lab.up({ hosts: 1 });
  const dir = scratch('boundaries');
  const site = yamlFile(dir, 'site.yml', playbook);
  try {
    const boundaries = await stepsOf(lab, site);
    assert.ok(boundaries.length >= 7, `steps of an uninterrupted run: ${boundaries.map(({ key }) => key).join(' ')}`);
    for (const [name, fault] of Object.entries(faults))
      for (const [at, { key, name: step }] of boundaries.entries())
        await oneCut(lab, site, key, boundaries.slice(0, at), `${name} at ${key} (${step})`, fault);
  } finally {
    await lab.down();
  }
});

test.run();

interface Boundary {
  key: string;
  name: string;
}

/** The steps, in order, of a run that nobody disturbs. */
async function stepsOf(lab: Lab, site: string): Promise<Boundary[]> {
  await prepare(lab, ['first', 'second', 'handle']);
  const ran = await kpush(runOptions('apply', site, lab.inventoryPath));
  assert.is(ran.exit, 0);
  return ran.events
    .filter((e): e is RunEvent & { type: 'step-start' } => e.type === 'step-start')
    .map(({ key, name }) => ({ key, name }));
}

interface Fault {
  inject(lab: Lab, child: ChildProcess): Promise<void>;
  /** Seconds until nothing of ours may run any more. */
  within: number;
}

async function oneCut(lab: Lab, site: string, key: string, before: Boundary[], what: string, fault: Fault) {
  await prepare(
    lab,
    before.map(({ name }) => name),
  );
  const cwd = scratch('cut');
  const args = ['apply', '-i', lab.inventoryPath, site, '--yes'];
  const child = spawn(resolve('bin/kpush'), args, { cwd, stdio: 'ignore' });
  await reached(cwd, key, what);
  await fault.inject(lab, child);
  await gone(lab, fault.within, what);
  const [a, c] = [await lab.sh('h1', 'cat /srv/kb/a'), await lab.sh('h1', 'cat /srv/kb/c')];
  assert.ok(
    [old, fresh].some((text) => text.trim() === a.trim()),
    `${what}: a is neither old nor new`,
  );
  assert.ok(['old', 'old\nadded'].includes(c.trim()), `${what}: c is ${JSON.stringify(c)}`);
  await converges(lab, site, what);
}

/** The host as before, with leave to go on for these shell steps. */
async function prepare(lab: Lab, go: string[]) {
  await lab.sh(
    'h1',
    `systemctl stop kbcut 2>/dev/null; rm -rf /srv/kb /srv/go /etc/systemd/system/kbcut.service; systemctl daemon-reload
    mkdir -p /srv/kb /srv/go; printf 'old\\n' > /srv/kb/a; printf 'old\\n' > /srv/kb/c; cd /srv/go; touch . ${go.join(' ')}`,
  );
}

/** The journal of the run says that the step has begun: the boundary was hit. */
async function reached(cwd: string, key: string, what: string) {
  for (let tries = 0; tries < 4000; tries++) {
    if (seen(cwd, key)) return;
    await pause(5);
  }
  throw new Error(`${what}: the step never began\n${journal(cwd).slice(-2000)}`);
}

function seen(cwd: string, key: string): boolean {
  return journal(cwd)
    .split('\n')
    .some((line) => line.includes('"step-start"') && line.includes(`"key":"${key}"`));
}

function journal(cwd: string): string {
  const runs = join(cwd, '.kpush/runs');
  const run = existsSync(runs) ? readdirSync(runs).find((name) => name !== 'latest') : undefined;
  const file = run ? join(runs, run, 'events.jsonl') : '';
  return file && existsSync(file) ? readFileSync(file, 'utf8') : '';
}

async function gone(lab: Lab, seconds: number, what: string) {
  const end = Date.now() + seconds * 1000;
  let left = ours(lab);
  while (left.length > 0 && Date.now() < end) {
    await pause(100);
    left = ours(lab);
  }
  assert.equal(left, [], `${what}: still there after ${seconds} s`);
}

function ours(lab: Lab): string[] {
  return lab
    .processes('h1')
    .map(({ cmdline }) => cmdline.join(' '))
    .filter((line) => /kp_|kpush|\/srv\/go|^sleep 0\.1$/.test(line));
}

async function converges(lab: Lab, site: string, what: string) {
  await lab.sh('h1', 'touch /srv/go/first /srv/go/second /srv/go/handle');
  const again = await kpush(runOptions('apply', site, lab.inventoryPath));
  assert.is(again.exit, 0, `${what}: the next run`);
  assert.is(await lab.sh('h1', 'cat /srv/kb/a'), fresh.trim(), what);
  const third = await kpush(runOptions('apply', site, lab.inventoryPath));
  assert.equal(
    third.tasks.filter(({ status }) => status === 'changed').map(({ name }) => name),
    [],
    `${what}: a third run`,
  );
  await gone(lab, 5, `${what}: after a run that ended well`);
  const rest = await lab.sh(
    'h1',
    "find /srv /etc /run -xdev -name '.kpush-*' 2>/dev/null; ls -d /run/kpush.lock 2>/dev/null || true",
  );
  assert.is(rest.trim(), '', `${what}: left behind`);
}

function pause(ms: number) {
  return new Promise((done) => setTimeout(done, ms));
}
