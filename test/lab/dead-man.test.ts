import * as assert from 'uvu/assert';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { labInventory, scratch, yamlFile } from './support/inventory.ts';
import { complaints, kpush, runOptions } from './support/run.ts';

const test = suite("dead-man's switch", { timeout: 240_000 });
const dir = scratch('dead-man');
const sshd = '/etc/ssh/sshd_config.d/zz-port.conf';
let lab: Lab;
let inventory: string;
let before: string;

/** The switch is set, the change made, sshd started anew, and the change confirmed over a new connection. */
function change(content: string, undoAfter: number) {
  const kept = { name: 'sshd', change: content.trim(), files: [sshd, '/root/made'], units: ['ssh.service'] };
  return yamlFile(dir, `${content.replace(/\W/g, '')}.yml`, [
    {
      hosts: 'h1',
      gather_facts: false,
      tasks: [
        { kept_files: { ...kept, undo_after: undoAfter } },
        { copy: { dest: sshd, content } },
        { copy: { dest: '/root/made', content: 'by the change\n' } },
        { systemd: { name: 'ssh', state: 'restarted' } },
        { meta: 'reset_connection' },
        { name: 'confirm', kept_files: { name: 'sshd', state: 'confirmed' } },
      ],
    },
  ]);
}

test("a change that cuts the node's sshd off is undone by itself, and the exit code says so", async () => {
  lab = await Lab.up({ hosts: 1 });
  inventory = labInventory(dir, lab, { h1: { ansible_host: lab.hosts[0]!.address, ansible_ssh_timeout: 5 } });
  await lab.sh('h1', `echo 'ClientAliveInterval 30' >${sshd}`);
  before = await files();
  const cut = await kpush(runOptions('apply', change('Port 2222\n', 15), inventory));
  assert.is(cut.exit, 4, complaints(cut));
  assert.is(await lab.sh('h1', `cat ${sshd}`), 'Port 2222');
  await until(60, reachable);
  assert.is(await files(), before);
});

test('who comes too late is told that the change was undone', async () => {
  const late = yamlFile(dir, 'late.yml', [
    { hosts: 'h1', gather_facts: false, tasks: [{ kept_files: { name: 'sshd', state: 'confirmed' } }] },
  ]);
  const told = await kpush(runOptions('apply', late, inventory));
  assert.is(told.exit, 2, complaints(told));
  assert.match(told.tasks[0]!.message!, /the change was undone by the host/);
});

test('a change that is confirmed stays', async () => {
  const done = await kpush(runOptions('apply', change('ClientAliveInterval 60\n', 8), inventory));
  assert.is(done.exit, 0, complaints(done));
  await new Promise((resolve) => setTimeout(resolve, 12_000));
  assert.is(await lab.sh('h1', `cat ${sshd}`), 'ClientAliveInterval 60');
  const timers = await lab.sh('h1', 'systemctl list-timers --all --no-legend; systemctl --failed --no-legend');
  assert.not.match(timers, /kpush-undo/);
});

test('applied again it does nothing but restart, which is always', async () => {
  const again = await kpush(runOptions('apply', change('ClientAliveInterval 60\n', 8), inventory));
  assert.is(again.exit, 0, complaints(again));
  assert.equal(
    again.tasks.filter(({ status }) => status === 'changed').map(({ module }) => module),
    ['systemd'],
  );
});

test('what was kept is put back on demand, and what there was not is gone', async () => {
  const back = yamlFile(dir, 'back.yml', [
    { hosts: 'h1', gather_facts: false, tasks: [{ kept_files: { name: 'sshd', state: 'restored' } }] },
  ]);
  const done = await kpush(runOptions('apply', back, inventory));
  assert.is(done.exit, 0, complaints(done));
  assert.is(await files(), before);
  const nothing = await kpush(runOptions('apply', back, inventory));
  assert.is(nothing.exit, 2, complaints(nothing));
  await lab.down();
});

test.run();

function files(): Promise<string> {
  return lab.sh('h1', `cat ${sshd}; stat -c '%n %a %U %Y' ${sshd}; ls -A /root/made /etc/ssh 2>&1 || :`);
}

async function reachable(): Promise<boolean> {
  const ping = await kpush(runOptions('ping', '', inventory, { pattern: 'h1' }));
  return ping.exit === 0;
}

async function until(seconds: number, check: () => Promise<boolean>) {
  const end = Date.now() + seconds * 1000;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`not within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
