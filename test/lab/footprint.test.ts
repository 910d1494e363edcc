import * as assert from 'uvu/assert';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { scratch, yamlFile } from './support/inventory.ts';
import { complaints, kpush, type Ran, runOptions } from './support/run.ts';

/** What was put on a machine goes, and in the same run it is put there again: the plan must know what is left. */
const test = suite('footprint on a host', { timeout: 180_000 });
const dir = scratch('footprint');
let lab: Lab;

const print = {
  files: ['/etc/app/conf/main.conf', '/etc/app/theirs.conf', '/opt/app/run-*'],
  trees: ['/var/lib/app'],
  folders: ['/etc/app/conf', '/etc/app', '/opt/app', '/srv/app', '/etc/empty'],
};
const noted = { footprint: { state: 'noted', ...print } };
const removed = { footprint: { state: 'removed', ...print } };
const folder = (path: string) => ({ file: { path, state: 'directory', mode: '0755' } });
const put = (dest: string, content: string) => ({ copy: { dest, content, mode: '0644' } });
const built = [
  ...['/etc/app', '/etc/app/conf', '/opt/app', '/var/lib/app', '/var/lib/app/deep', '/srv/app'].map(folder),
  put('/etc/app/conf/main.conf', 'ours'),
  put('/etc/app/theirs.conf', 'ours'),
  put('/opt/app/run-1', 'ours'),
  put('/var/lib/app/deep/data', 'ours'),
];

test('noted, put there, removed and put there again in one run each', async () => {
  lab = await Lab.up({ hosts: 1 });
  await lab.sh('h1', 'mkdir -p /etc/app; echo theirs >/etc/app/theirs.conf; chmod 0600 /etc/app/theirs.conf');
  await apply([noted, ...built]);
  await lab.sh('h1', 'echo mine >/etc/app/conf/mine; mkdir /opt/app/.mine; touch "/opt/app/.mine/a b"');
  const ran = await apply([{ footprint: { state: 'removed', ...print, keep_packages: true } }, ...built]);
  assert.equal(stays(ran), [
    '/etc/app/conf stays: /etc/app/conf/mine is in it',
    '/opt/app stays: /opt/app/.mine is in it',
  ]);
  assert.is(await found(), 'mine ours ours ours ours');
});

test('a plan and an apply are of one mind about what goes, and what others put there stays', async () => {
  const plan = await kpush(runOptions('plan', playbook([removed]), lab.inventoryPath));
  assert.equal(stays(plan), [
    '/etc/app/conf stays: /etc/app/conf/mine is in it',
    '/opt/app stays: /opt/app/.mine is in it',
  ]);
  const ran = await apply([removed]);
  assert.equal(stays(ran), stays(plan));
  assert.is(await found(), 'mine theirs');
  const left = 'cd /; find etc/app opt/app srv/app var/lib/app var/lib/kpush 2>/dev/null | sort';
  assert.equal((await lab.sh('h1', left)).trim().split('\n'), [
    ...['etc/app', 'etc/app/conf', 'etc/app/conf/mine', 'etc/app/theirs.conf'],
    ...['opt/app', 'opt/app/.mine', 'opt/app/.mine/a b'],
  ]);
  assert.is((await lab.sh('h1', 'stat -c %a /etc/app/theirs.conf')).trim(), '600');
});

test('another time there is nothing to do, and what was put back stays', async () => {
  await lab.sh('h1', 'echo theirs >/etc/app/theirs.conf');
  const ran = await apply([{ footprint: { state: 'removed', mark: '/etc/systemd/system/app.target', ...print } }]);
  assert.equal(
    ran.tasks.map(({ status }) => status),
    ['ok'],
  );
  assert.is(await found(), 'mine theirs');
});

test('a folder that something is mounted on stays; such a tree is emptied', async () => {
  await apply([noted, ...built]);
  await lab.sh('h1', 'for m in /srv/app /var/lib/app; do mount -t tmpfs none $m; touch $m/data; done');
  const ran = await apply([removed]);
  assert.ok(stays(ran).includes('/srv/app stays: something is mounted on it'), stays(ran).join('\n'));
  assert.is((await lab.sh('h1', 'cd /; find srv/app var/lib/app')).trim(), 'srv/app\nsrv/app/data\nvar/lib/app');
});

test.run();

function playbook(tasks: unknown[]): string {
  return yamlFile(dir, 'site.yaml', [{ hosts: 'h1', gather_facts: false, tasks }]);
}

async function apply(tasks: unknown[]): Promise<Ran> {
  const ran = await kpush(runOptions('apply', playbook(tasks), lab.inventoryPath));
  assert.is(ran.exit, 0, complaints(ran));
  return ran;
}

function stays(ran: Ran): string[] {
  return ran.tasks.flatMap(({ notes = [] }) => notes).sort();
}

/** Contents of the files, in the order of their paths. */
async function found(): Promise<string> {
  const files = '/etc/app/conf/main.conf /etc/app/conf/mine /etc/app/theirs.conf /opt/app/run-1 /var/lib/app/deep/data';
  return (await lab.sh('h1', `cat ${files} 2>/dev/null | sed 's/ours/ours\\n/g' | sort | tr '\\n' ' '; :`)).trim();
}
