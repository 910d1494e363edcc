import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { RunEvent } from '../../src/core/events.ts';
import { suite } from '../support/harness.ts';
import { scratch } from './support/inventory.ts';
import { complaints, kpush, runOptions } from './support/run.ts';

/** What a run does on the controller itself; debug tasks show it, so that no host is needed. */
const test = suite('controller', { timeout: 120_000 });

// A value that ansible-vault encrypted with the password hunter2.
const vaulted = readFileSync('test/unit/load/vault/value.yml', 'utf8');
const plain = 'top secret ünï';

function setUp(name: string, tasks: string, play = '') {
  const dir = scratch(name);
  const site = join(dir, 'site.yml');
  writeFileSync(site, `- hosts: localhost\n  gather_facts: no\n${play}  tasks:\n${tasks}`);
  return { dir, site };
}

const messages = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.type === 'task' ? [(event.result as { msg?: unknown }).msg ?? event.message] : []));

test('a password is known only after the apply that writes it; the next apply reads it', async () => {
  const { dir, site } = setUp('password', `    - debug: {msg: "{{ lookup('password', 'pw/a') }}"}\n`);
  const planned = await kpush(runOptions('plan', site, 'localhost,'));
  assert.match(String(messages(planned.events)[0]), /the password that is written to .*pw\/a/, complaints(planned));
  const checked = await kpush(runOptions('apply', site, 'localhost,', { check: true }));
  assert.match(String(messages(checked.events)[0]), /the password that is written to/);
  assert.not(existsSync(join(dir, 'pw')));
  const concealed: string[] = [];
  const applied = await kpush(runOptions('apply', site, 'localhost,'), { conceal: (secret) => concealed.push(secret) });
  const kept = readFileSync(join(dir, 'pw', 'a'), 'utf8').trim();
  assert.is(kept.length, 20);
  assert.equal([messages(applied.events), concealed], [[kept], [kept]]);
  const again = await kpush(runOptions('apply', site, 'localhost,'));
  assert.equal(messages(again.events), [kept]);
});

test('pipe runs in the plan and again in the apply, is told with its place, and --no-probes leaves it out', async () => {
  const { dir, site } = setUp('pipe', `    - debug: {msg: "{{ lookup('pipe', 'echo x >> ran; wc -l < ran') }}"}\n`);
  const both = await kpush(runOptions('apply', site, 'localhost,', { yes: false }), { confirm: async () => true });
  assert.is(both.exit, 0, complaints(both));
  const probes = both.events.filter((event) => event.type === 'probe');
  assert.equal(
    probes.map(({ host, origin, command }) => [host, origin.line, command]),
    [
      ['localhost', 4, 'echo x >> ran; wc -l < ran'],
      ['localhost', 4, 'echo x >> ran; wc -l < ran'],
    ],
  );
  assert.equal(messages(both.events), ['1', '2']);
  const refused = await kpush(runOptions('plan', site, 'localhost,', { noProbes: true }));
  assert.match(String(messages(refused.events)[0]), /a probe that --no-probes leaves out/);
  assert.is(readFileSync(join(dir, 'ran'), 'utf8'), 'x\nx\n');
});

test('plan and apply of one run draw the same', async () => {
  const { site } = setUp('random', '    - debug: {msg: "{{ 1000000000 | random }}"}\n');
  const { events } = await kpush(runOptions('apply', site, 'localhost,', { yes: false }), {
    confirm: async () => true,
  });
  const drawn = messages(events);
  assert.is(drawn.length, 2);
  assert.is(drawn[0], drawn[1]);
});

test('vars_prompt is asked before anything else, and the answer is the variable', async () => {
  const { site } = setUp('prompt', '    - debug: {msg: "{{ a }}"}\n', '  vars_prompt: [{name: a, private: no}]\n');
  const { events } = await kpush(runOptions('apply', site, 'localhost,'), { prompt: async (text) => `${text}!` });
  assert.equal(messages(events), ['a: !']);
});

test('ansible.cfg says how many forks and where the vault password is', async () => {
  const { dir, site } = setUp(
    'config',
    '    - debug: {msg: "{{ ansible_forks }} {{ x }}"}\n',
    '  vars_files: [v.yml]\n',
  );
  writeFileSync(join(dir, 'v.yml'), vaulted);
  writeFileSync(join(dir, 'pw'), 'hunter2\n');
  writeFileSync(join(dir, 'ansible.cfg'), '[defaults]\nforks = 3\nvault_password_file = pw\n');
  process.env.ANSIBLE_CONFIG = join(dir, 'ansible.cfg');
  try {
    const ran = await kpush(runOptions('apply', site, 'localhost,'));
    assert.equal(messages(ran.events), [`3 ${plain}`]);
  } finally {
    delete process.env.ANSIBLE_CONFIG;
  }
});

test('a template error shows its place; msg is what Ansible says', async () => {
  const { dir, site } = setUp(
    'error',
    '    - debug: {msg: "{{ a }}"}\n      ignore_errors: yes\n',
    '  vars_files: [v.yml]\n',
  );
  writeFileSync(join(dir, 'v.yml'), 'b: x\na: "{{ b + 1 }}"\n');
  const { tasks } = await kpush(runOptions('apply', site, 'localhost,'));
  assert.match(tasks[0]?.message ?? '', / \(.*v\.yml:2:\d+\)$/);
  assert.not.match(String((tasks[0]!.result as { msg?: string }).msg), /v\.yml/);
});
test.run();
