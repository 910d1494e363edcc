/** Kinds of trouble that people of this field reported, on real hosts. docs/field-reports.md says which are these. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import type { TaskEvent } from '../../src/core/events.ts';
import { Lab, type LabHost } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { labInventory, scratch, yamlFile } from './support/inventory.ts';
import { complaints, counts, kpush, type Ran, runOptions } from './support/run.ts';

const test = suite('field reports', { timeout: 240_000 });
const dir = scratch('reports');
let lab: Lab;
let inventory: string;
let h1: LabHost;

test('the lab is up, with habits that hosts have', async () => {
  lab = await Lab.up({ hosts: 2 });
  h1 = lab.hosts[0]!;
  const [first, second] = lab.hosts.map(({ address }) => ({ ansible_host: address }));
  const gone = { ansible_host: '127.0.0.1', ansible_port: 9, ansible_ssh_retries: 0 };
  inventory = labInventory(dir, lab, { h1: first!, h2: second!, gone });
  mkdirSync(join(dir, 'tree'));
  writeFileSync(join(dir, 'tree', 'f'), 'x');
  for (const host of lab.hosts)
    await lab.sh(
      host,
      `echo 'LANGUAGE=de' >>/etc/environment; echo 'umask 027' >>/etc/profile; sed -i '1i umask 027' /root/.bashrc
       printf 'session optional pam_umask.so umask=0027\\n' >>/etc/pam.d/sshd; mkdir -p /srv/k`,
    );
});

test('what a task sets in its environment reaches the command through sudo, whatever sudo keeps', async () => {
  await lab.sh(h1, `printf 'Defaults env_reset\\nDefaults !setenv\\n' >/etc/sudoers.d/zz-env`);
  const ran = await play(
    `- {name: env, shell: 'echo "$(id -un) $NEEDRESTART_MODE $TWO"', environment: {NEEDRESTART_MODE: l, TWO: "a b'c"}, changed_when: false}`,
    { become: true, vars: { ansible_user: 'deploy' } },
  );
  assert.is(stdout(ran, 'env'), "root l a b'c");
});

test('programs speak English, also where LANGUAGE says otherwise', async () => {
  const ran = await play(
    `- {name: env, shell: 'echo "$LC_ALL-$LANGUAGE"; ls /nowhere 2>&1 || true', changed_when: false}`,
  );
  assert.match(stdout(ran, 'env'), /^C-\n.*No such file or directory/);
});

test('files and the directories on their way have the modes that are asked for, whatever the umask', async () => {
  const ran = await play(`
- {name: way, file: {path: /srv/k/umask/a/b, state: directory}}
- {name: copy, copy: {dest: /srv/k/umask/a/b/c, content: x}}
- {name: tree, copy: {dest: /srv/k/umask/new/deep/, src: tree/}}
- {name: line, lineinfile: {path: /srv/k/umask/line, line: x, create: true, mode: "0664"}}
`);
  assert.is(ran.exit, 0, complaints(ran));
  const modes = await lab.sh(h1, 'umask; cd /srv/k/umask && stat -c "%a %n" a a/b a/b/c new new/deep new/deep/f line');
  assert.is(modes, '0022\n755 a\n755 a/b\n644 a/b/c\n755 new\n755 new/deep\n644 new/deep/f\n664 line');
  assert.is((await lab.ssh(h1, 'umask')).stdout.trim(), '0027', 'a login of this host does have a umask');
});

test('names that look like options, modes or words are names', async () => {
  const names = ['0750', '-m', '-rf', 'a b', '$(touch x)', '`id`', "it's", '*', ';', 'ü'];
  const quoted = JSON.stringify(names);
  const tasks = `
- {name: made, file: {path: "{{ item }}", state: directory, mode: "0700"}, loop: ${JSON.stringify(names.map((name) => `/srv/k/names/${name}`))}}
- {name: written, copy: {dest: "/srv/k/names/{{ item }}/{{ item }}", content: "{{ item }}"}, loop: ${quoted}}
- {name: gone, file: {path: "/srv/k/names/{{ item }}", state: absent}, loop: ['-rf', '*']}
`;
  const ran = await play(tasks);
  assert.is(ran.exit, 0, complaints(ran));
  const left = await lab.sh(
    h1,
    'cd /srv/k/names && for d in ./*; do [ "$(cat "$d/$d")" = "${d#./}" ] && echo "$d"; done',
  );
  const expected = names.filter((name) => name !== '-rf' && name !== '*').map((name) => `./${name}`);
  assert.equal(left.split('\n').sort(), expected.sort());
  assert.is(await lab.sh(h1, 'ls /root/0750 /srv/k/0750 2>/dev/null | wc -l'), '0');
});

test('a child that a command leaves behind does not hold its step', async () => {
  const ran = await play(`- {name: child, shell: 'sleep 600 & echo hi'}\n- {name: after, command: 'true'}`);
  assert.is(ran.exit, 0, complaints(ran));
  assert.is(stdout(ran, 'child'), 'hi');
});

test('output that is no text ends nothing and is shown as what it is', async () => {
  const ran = await play(`- {name: bytes, shell: "printf 'caf\\\\351 \\\\000 \\\\377 end'", changed_when: false}`);
  assert.is(ran.exit, 0, complaints(ran));
  assert.match(stdout(ran, 'bytes'), /^caf\uFFFD .*\uFFFD end$/s);
});

test('half an archive puts nothing at its destination', async () => {
  await lab.sh(
    h1,
    `mkdir -p /srv/k/src/d && head -c 300000 /dev/urandom >/srv/k/src/d/big && tar -C /srv/k/src -czf /srv/k/whole.tgz d
     head -c 150000 /srv/k/whole.tgz >/srv/k/half.tgz; mkdir -p /srv/k/dest`,
  );
  const half = await play('- {name: half, unarchive: {src: /srv/k/half.tgz, dest: /srv/k/dest, remote_src: true}}');
  assert.is(half.exit, 2);
  assert.is(await lab.sh(h1, 'ls -A /srv/k/dest'), '');
  const whole = await play('- {name: whole, unarchive: {src: /srv/k/whole.tgz, dest: /srv/k/dest, remote_src: true}}');
  assert.is(whole.exit, 0, complaints(whole));
  assert.is(await lab.sh(h1, 'cmp /srv/k/dest/d/big /srv/k/src/d/big && echo same'), 'same');
});

const unit = (name: string) => `
- name: unit ${name}
  systemd_unit:
    name: ${name}
    content: "[Service]\\nExecStart=/bin/sh -c 'cat /srv/k/${name}.a /srv/k/${name}.b >>/srv/k/${name}.starts; exec sleep 1000'\\nExecStop=/bin/sleep 3\\n"
- {name: a of ${name}, copy: {dest: /srv/k/${name}.a, content: "a{{ n }} "}, notify: restart ${name}}
- {name: b of ${name}, copy: {dest: /srv/k/${name}.b, content: "b{{ n }}\\n"}, notify: restart ${name}}`;

test('two changed files of a unit are one restart, after both are there; two units are two', async () => {
  const handlers = ['one', 'two'].map((name) => ({
    name: `restart ${name}`,
    systemd: { name, state: 'restarted' },
  }));
  const run = (n: number) => play(unit('one') + unit('two'), { handlers, vars: { n } });
  for (const n of [1, 2]) assert.is((await run(n)).exit, 0);
  assert.is(await lab.sh(h1, 'cat /srv/k/one.starts /srv/k/two.starts'), 'a1 b1\na2 b2\na1 b1\na2 b2');
  const third = await run(2);
  assert.equal([third.exit, counts(third.tasks).changed], [0, 0]);
});

test('stopping a unit lasts until it is inactive', async () => {
  const ran = await play(`
- {name: stop, systemd: {name: one, state: stopped}}
- {name: state, shell: systemctl show -p ActiveState --value one, changed_when: false}
`);
  assert.is(stdout(ran, 'state'), 'inactive');
});

test('words of a unit are those that the program gets', async () => {
  const words = ['a b', '100%', '$HOME', '"q"', "it's", '\\n', '${X}', '%h', ';'];
  const ran = await play(
    `
- name: unit
  systemd_unit:
    name: words
    content: |
      [Service]
      Type=oneshot
      Environment={{ ('PROXY=' ~ proxy) | systemd_word }}
      ExecStart=/usr/bin/python-less {{ words | map('systemd_word') | join(' ') }}
`.replace('/usr/bin/python-less', '/srv/k/argv'),
    { vars: { words, proxy: 'a b"c' } },
  );
  assert.is(ran.exit, 0, complaints(ran));
  await lab.sh(
    h1,
    `printf '#!/bin/sh\\nprintf "%%s\\\\n" "$PROXY" "$@" >/srv/k/argv.out\\n' >/srv/k/argv; chmod +x /srv/k/argv; systemctl start words`,
  );
  assert.equal((await lab.sh(h1, 'cat /srv/k/argv.out')).split('\n'), ['a b"c', ...words]);
});

test('a run that failed half-way is taken up by the next: the same state as without the failure', async () => {
  const tasks = `
- {name: text, systemd_unit: {name: late, content: "[Service]\\nExecStart=/srv/k/late\\n", state: started}}
- {name: after, copy: {dest: /srv/k/after-late, content: x}}
`;
  const first = await play(tasks);
  assert.is(first.exit, 2);
  await lab.sh(
    h1,
    `printf '#!/bin/sh\\nexec sleep 1000\\n' >/srv/k/late; chmod +x /srv/k/late; systemctl reset-failed late || true`,
  );
  const second = await play(tasks);
  assert.is(second.exit, 0, complaints(second));
  assert.is(await lab.sh(h1, 'systemctl is-active late; cat /srv/k/after-late'), 'active\nx');
});

test('a new session sees what the login of the host sets: meta reset_connection begins one', async () => {
  const ran = await play(`
- {name: set, lineinfile: {path: /etc/environment, line: KIND=new}}
- {name: before, shell: 'echo "[$KIND]"', changed_when: false}
- {meta: reset_connection}
- {name: then, shell: 'echo "[$KIND]"', changed_when: false}
`);
  assert.equal([stdout(ran, 'before'), stdout(ran, 'then')], ['[]', '[new]'], complaints(ran));
});

test('a host that cannot be reached is told once, is not asked again by later plays, and holds up nobody', async () => {
  const path = yamlFile(dir, 'gone.yaml', [
    { hosts: 'all', gather_facts: false, tasks: parse("- {name: one, command: 'true'}") },
    { hosts: 'all', gather_facts: false, tasks: parse("- {name: two, command: 'true'}") },
  ]);
  const ran = await kpush(runOptions('apply', path, inventory));
  assert.is(ran.exit, 4);
  const told = ran.events.filter((event) => event.type === 'connecting' && event.host === 'gone');
  assert.is(told.length, 1);
  const done = ran.tasks.filter(({ name, status }) => name === 'two' && status === 'changed').map(({ host }) => host);
  assert.equal(done.sort(), ['h1', 'h2']);
  const limited = await kpush(runOptions('apply', path, inventory, { limit: ['h1'] }));
  assert.is(limited.exit, 0, complaints(limited));
});

test('tasks that are skipped cost no trip and no byte', async () => {
  const skipped = Array.from(
    { length: 300 },
    (_, n) => `- {name: s${n}, copy: {dest: /srv/k/s${n}, content: x}, when: "false"}`,
  );
  const few = await play(`- {name: t, command: 'true', changed_when: false}\n${skipped[0]}`);
  const many = await play(`- {name: t, command: 'true', changed_when: false}\n${skipped.join('\n')}`);
  assert.is(counts(many.tasks).skipped, 300);
  assert.equal(traffic(many), traffic(few));
});

test('where SELinux is, what took its place gets the label of its path', async () => {
  const target = join(dir, 'labelled');
  const log = join(dir, 'labels');
  const tools = join(dir, 'tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'restorecon'), `#!/bin/sh\necho "$@" >>${log}\n`, { mode: 0o755 });
  const tasks = `
- {copy: {dest: ${target}.unit, content: x}}
- {copy: {dest: ${target}, content: x}}
- {lineinfile: {path: ${target}, line: y}}
`;
  const path = yamlFile(dir, 'labels.yaml', [{ hosts: 'all', gather_facts: false, tasks: parse(tasks) }]);
  const main = `--import ${resolve('node_modules/tsx/dist/loader.mjs')} ${resolve('src/cli/main.ts')}`;
  const ran = spawnSync(
    'unshare',
    [
      '-m',
      'sh',
      '-ec',
      `mount -t tmpfs none /sys/fs; mkdir /sys/fs/selinux; : >/sys/fs/selinux/enforce
       PATH=${tools}:$PATH exec ${process.execPath} ${main} apply -i here, -c local ${path}`,
    ],
    { encoding: 'utf8', cwd: dir },
  );
  assert.is(ran.status, 0, ran.stdout + ran.stderr);
  const labelled = readFileSync(log, 'utf8').trim().split('\n');
  assert.equal(labelled, [`${target}.unit`, target, target]);
});

const cluster = parse(readFileSync('playbooks/cluster.yaml', 'utf8')) as { gates: { name: string }[] }[];
/** Plays the gates of the cluster's first play, and of its preflight role the tasks that are named. */
function preflight(more: { gates?: string; tasks?: string[] }) {
  const all = parse(readFileSync('playbooks/roles/preflight/tasks/main.yml', 'utf8')) as { name: string }[];
  const tasks = all.filter(({ name }) => more.tasks?.includes(name));
  const gates = cluster[0]!.gates
    .filter(({ name }) => name === more.gates)
    .map((gate) => ({ ...gate, ...('from' in gate ? { from: 'h1:h2' } : {}), deadline: 8 }));
  const after = { hosts: 'h1:h2', gather_facts: false, tasks: [{ copy: { dest: '/srv/k/changed', content: 'x' } }] };
  const before = { hosts: 'h1:h2', any_errors_fatal: true, tasks, gates };
  return kpush(runOptions('apply', yamlFile(dir, 'preflight.yaml', [before, after]), inventory));
}

test('a machine that is still being set up is waited for; one whose set-up failed is not built on', async () => {
  const fake = (text: string) =>
    lab.sh(h1, `printf '#!/bin/sh\n%s\n' '${text}' >/usr/local/bin/cloud-init; chmod +x /usr/local/bin/cloud-init`);
  await fake('sleep 2; echo done >>/srv/k/waited; exit 0');
  const waited = await preflight({ gates: 'cloud-init has finished' });
  assert.is(waited.exit, 0, complaints(waited));
  assert.is(await lab.sh(h1, 'cat /srv/k/waited'), 'done');
  await lab.sh(h1, 'rm -f /srv/k/changed');
  await fake('echo "status: error"; exit 1');
  const failed = await preflight({ gates: 'cloud-init has finished' });
  assert.is(failed.exit, 5);
  assert.is(await lab.sh(h1, 'ls /srv/k/changed 2>/dev/null || echo none'), 'none');
  await lab.sh(h1, 'rm /usr/local/bin/cloud-init');
});

test('machines that do not reach each other are told before anything is changed', async () => {
  const first = lab.hosts[0]!.address;
  await lab.sh('h2', `rm -f /srv/k/changed; ip route add unreachable ${first}`);
  const ran = await preflight({ gates: "every machine reaches every other by SSH's port" });
  assert.is(ran.exit, 5);
  const failed = ran.events.flatMap((event) => (event.type === 'gate' && event.state === 'failed' ? [event] : []));
  assert.match(JSON.stringify(failed), 'h2');
  assert.is(counts(ran.tasks).changed, 0);
  await lab.sh('h2', `ip route del unreachable ${first}`);
});

test('two machines of one machine id are told before anything is changed', async () => {
  const ids = await Promise.all(lab.hosts.map((host) => lab.sh(host, 'cat /etc/machine-id')));
  await lab.sh('h2', `echo ${ids[0]} >/etc/machine-id`);
  const ran = await preflight({ tasks: ['Every machine has a machine id of its own'] });
  await lab.sh('h2', `echo ${ids[1]} >/etc/machine-id`);
  assert.is(ran.exit, 2);
  assert.match(complaints(ran), 'Two machines share a machine id');
  assert.is(counts(ran.tasks).changed, 0);
});

test('the lab is left', async () => {
  await lab?.down();
});

test.run();

/** Tasks in YAML, as a play on h1. */
function play(tasks: string, more: Record<string, unknown> = {}): Promise<Ran> {
  const body = { hosts: 'h1', gather_facts: false, tasks: parse(tasks), ...more };
  return kpush(runOptions('apply', yamlFile(dir, 'play.yaml', [body]), inventory));
}

function stdout(ran: Ran, name: string): string {
  const task = ran.tasks.find((event: TaskEvent) => event.name === name);
  assert.ok(task && task.status !== 'failed', complaints(ran));
  return String((task.result as { stdout?: string } | undefined)?.stdout);
}

/** Trips, and bytes rounded to what ids of runs differ by. */
function traffic(ran: Ran) {
  const trips = ran.events.filter((event) => event.type === 'trip');
  return trips.map(({ purpose, sent }) => [purpose, Math.round(sent / 64)]);
}
