import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { run } from '../../src/kpush.ts';
import { Lab, type LabHost } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { labInventory, scratch, yamlFile } from './support/inventory.ts';
import { complaints, kpush, type Ran, runOptions, uninterrupted } from './support/run.ts';

const test = suite('saved plans', { timeout: 300_000 });
const dir = scratch('saved-plans');
const saved = join(dir, 'plan.json');
const secret = 'correct-horse-battery-staple-47';
let lab: Lab;
let inventory: string;
let playbook: string;
let changed: LabHost;
let same: LabHost;

const tasks = [
  { name: 'motd', copy: { dest: '/etc/saved-motd', content: 'wanted\n', mode: '0644' } },
  { name: 'password', copy: { dest: '/root/saved-password', content: secret, mode: '0600' } },
  {
    name: 'chance',
    copy: { dest: '/root/saved-chance', content: '{{ 10 ** 9 | random }} {{ now().isoformat() }}\n', mode: '0644' },
  },
];

test('the lab is up', async () => {
  lab = await Lab.up({ hosts: 2 });
  [changed, same] = lab.hosts as [LabHost, LabHost];
  inventory = labInventory(
    dir,
    lab,
    Object.fromEntries(lab.hosts.map(({ name, address }) => [name, { ansible_host: address }])),
  );
  playbook = yamlFile(dir, 'site.yml', [{ hosts: 'all', gather_facts: false, tasks }]);
});

test('a plan is saved for its owner alone, and keeps no secret', async () => {
  await on(changed, "printf 'as planned on\\n' > /etc/saved-motd");
  await on(same, `printf 'old\\n' > /etc/saved-motd; printf %s ${secret}-before > /root/saved-password`);
  const ran = await kpush(runOptions('plan', playbook, inventory, { planOut: saved }));
  assert.is(ran.exit, 0, complaints(ran));
  assert.is(statSync(saved).mode & 0o777, 0o600);
  const text = readFileSync(saved, 'utf8');
  for (const form of [secret, Buffer.from(secret).toString('base64').replace(/=+$/, ''), 'as planned on'])
    assert.not.ok(text.includes(form), `${form} is in the plan`);
  const { hosts } = JSON.parse(text);
  assert.equal(Object.keys(hosts).sort(), lab.hosts.map(({ name }) => name).sort());
  assert.equal(hosts[same.name].steps.length, 3);
});

test('who is asked sees the plan and who is refused first; a no changes nothing', async () => {
  await on(changed, "printf 'by hand\\n' > /etc/saved-motd");
  let seen = '';
  const confirm = async () => {
    seen = complaints({ events });
    return false;
  };
  const events: Ran['events'] = [];
  await run(applyOptions(), (event) => events.push(event), { ...uninterrupted(), confirm });
  assert.match(seen, new RegExp(`${changed.name}: it is not as it was`));
  assert.ok(events.some((event) => event.type === 'phase' && event.phase === 'plan'));
  assert.not.ok(events.some((event) => event.type === 'step-start'));
  assert.is(await on(same, 'cat /etc/saved-motd'), 'old\n');
});

test('a host changed by hand is refused alone and told what moved; the other gets what was planned', async () => {
  await on(changed, "printf 'by hand\\n' > /etc/saved-motd");
  const ran = await applied();
  assert.is(ran.exit, 2, complaints(ran));
  const failed = ran.tasks.filter((task) => task.status === 'failed');
  assert.equal(
    failed.map(({ host, name }) => [host, name]),
    [[changed.name, 'compare with the saved plan']],
  );
  assert.match(failed[0]!.message!, /moved: file \/etc\/saved-motd/);
  assert.is(await on(changed, 'cat /etc/saved-motd; ls /root/saved-* 2>/dev/null || true'), 'by hand\n');
  assert.is(await on(same, 'cat /etc/saved-motd /root/saved-password'), `wanted\n${secret}`);
});

test('what chance decides is what the plan showed', async () => {
  const ran = await kpush(runOptions('plan', playbook, inventory, { planOut: saved, limit: [changed.name] }));
  const [diff] = ran.tasks.find((task) => task.name === 'chance')!.steps[0]!.diff!;
  assert.is(diff!.kind, 'text');
  const again = await applied();
  assert.is(again.exit, 0, complaints(again));
  assert.is(await on(changed, 'cat /root/saved-chance'), diff?.kind === 'text' ? diff.after : undefined);
});

test('a second apply of the same plan is refused: it was made for what was there before', async () => {
  const ran = await applied();
  assert.is(ran.exit, 2);
  assert.match(complaints(ran), /no longer planned: .*saved-motd/);
});

test('a deferred task stops its host, and runs with --allow-deferred', async () => {
  const deferring = yamlFile(dir, 'deferred.yml', [
    {
      hosts: same.name,
      gather_facts: false,
      tasks: [
        { name: 'known', copy: { dest: '/root/saved-known', content: 'known\n' } },
        { name: 'ask', command: 'echo told by the command', register: 'answer' },
        { name: 'later', copy: { dest: '/root/saved-later', content: '{{ answer.stdout }}\n' } },
      ],
    },
  ]);
  const plan = await kpush(runOptions('plan', deferring, inventory, { planOut: saved }));
  assert.is(plan.exit, 0, complaints(plan));
  const { deferred } = JSON.parse(readFileSync(saved, 'utf8')).hosts[same.name];
  assert.equal(
    deferred.map(({ name }: { name: string }) => name),
    ['later'],
  );
  const refused = await applied();
  assert.is(refused.exit, 2, complaints(refused));
  assert.match(complaints(refused), /needs --allow-deferred/);
  assert.is(await on(same, 'cat /root/saved-known; ls /root/saved-later 2>/dev/null || true'), 'known\n');
  await kpush(runOptions('plan', deferring, inventory, { planOut: saved }));
  const allowed = await applied({ allowDeferred: true });
  assert.is(allowed.exit, 0, complaints(allowed));
  assert.is(await on(same, 'cat /root/saved-later'), 'told by the command\n');
});

test('a playbook that changed since is refused before anything is connected', async () => {
  writeFileSync(join(dir, 'deferred.yml'), '[]\n');
  let message = '';
  await applied().catch((error: Error) => {
    message = error.message;
  });
  assert.match(message, /deferred\.yml has changed since .*plan\.json was made/);
});

test('a whole playbook with packages, commands and units is applied from its plan', async () => {
  const plan = await kpush(runOptions('plan', 'bench/site.yml', inventory, { planOut: saved }));
  assert.is(plan.exit, 0, complaints(plan));
  const ran = await applied();
  assert.is(ran.exit, 0, complaints(ran));
  const changes = ({ tasks }: Ran) =>
    tasks.filter(({ status }) => status === 'changed').map(({ host, name }) => `${host}: ${name}`);
  assert.ok(changes(plan).length > 60);
  assert.equal(changes(ran).sort(), changes(plan).sort());
});

test('down', async () => {
  await lab.down();
});

test.run();

function applied(more: { allowDeferred?: boolean } = {}): Promise<Ran> {
  return kpush({ ...applyOptions(), ...more });
}

function applyOptions() {
  return { ...runOptions('apply', saved, ''), inventories: [] };
}

async function on(host: LabHost, script: string): Promise<string> {
  const { code, stdout, stderr } = await lab.exec(host, script);
  assert.is(code, 0, stderr);
  return stdout;
}
