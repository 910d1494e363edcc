/** Canaries in every source of secrets, and a search for them in every sink. Last, a leak on purpose that is found. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { encryptVault } from '../support/vault.ts';
import { hostRoot } from './support/host-root.ts';
import { scratch, yamlFile } from './support/inventory.ts';
import { inFiles, inText, type Sighting, watchProcesses } from './support/sinks.ts';

const test = suite('canaries', { timeout: 240_000 });
const dir = scratch('canaries');
const home = join(dir, 'home');
const canaries = Object.fromEntries(
  [
    'login',
    'become',
    'vault',
    'vaulted',
    'token',
    'private',
    'input',
    'printed',
    'header',
    'hash',
    'kept',
    'fact',
    'extra',
    'url',
  ].map((name) => [name, `canary.${name}.${randomBytes(12).toString('hex')}`]),
);
/** One that kpush is not told to be a secret: it gets out, and every kind of search finds it. */
const leaked = { leaked: `canary.leaked.${randomBytes(12).toString('hex')}` };
/** Files whose purpose is to hold what a task put there, and the host's own memory of passwords. */
const allowed = [/^srv\/c\//, /^etc\/shadow/];
let lab: Lab;
let outputs: Sighting[] = [];
let processes: ReturnType<ReturnType<typeof watchProcesses>['end']>;

test('the lab is up; its user logs in and becomes root with passwords', async () => {
  lab = await Lab.up({ hosts: 1 });
  await lab.sh(
    'h1',
    `useradd -m -s /bin/bash pw && echo 'pw:${canaries.login}' | chpasswd && echo 'root:${canaries.become}' | chpasswd
     printf 'Defaults:pw targetpw\\npw ALL=(ALL) ALL\\n' >/etc/sudoers.d/pw
     mkdir -p /srv/c && umask 077 && echo '${canaries.kept}' >/srv/c/kept
     printf 'PasswordAuthentication yes\\n' >/etc/ssh/sshd_config.d/00-pw.conf && systemctl reload ssh`,
  );
  writeSources();
});

test('plan, apply and what follows them show none of it, to nobody', async () => {
  const runs = [
    ['plan', '-o', 'plan.json', '--diff', '-vvvv'],
    ['apply', '--diff', '-vvvv', '--summary-file', 'summary.json'],
    ['apply', '--diff', '-vvvv', '--output', 'json'],
  ];
  const watch = await watching(canaries, async () => {
    for (const run of runs) note(run.join(' '), await kpush([...run, '-i', 'hosts.yaml', ...options, 'site.yml']));
  });
  note('runs', await kpush(['runs']));
  note('logs', await kpush(['logs', 'latest']));
  note('report', await kpush(['report', 'latest', '-o', 'report.html']));
  assert.ok(watch.looks > 20, `${watch.looks} looks at the processes`);
  processes = watch;
});

test('not in what is printed, nor in arguments and environments of processes, here and there', () => {
  assert.equal(outputs, []);
  assert.equal(processes.seen, []);
});

test('not in journal, plan, summary and report, nor anywhere else on the controller', () => {
  for (const file of ['plan.json', 'summary.json', 'report.html', '.kpush'])
    assert.ok(existsSync(join(dir, file)), file);
  assert.equal(inFiles(dir, canaries, [/^(vault-password|vars\.yml|site\.yml|hosts\.yaml|extra\.yml)$/]), []);
});

test('not on the host: not in files, logs of sudo, sshd and the system, nor in a history', async () => {
  assert.equal(inFiles(hostRoot(lab, 'h1'), canaries, allowed), []);
  const told = await journal();
  assert.match(told, 'sudo');
  assert.equal(inText('journal', told, canaries), []);
});

test('what was to be written was written: the canaries did travel', async () => {
  const held = await lab.sh('h1', 'cat /srv/c/*');
  const expected = ['vaulted', 'token', 'private', 'input', 'fact', 'extra'];
  assert.equal(
    expected.filter((name) => !held.includes(canaries[name]!)),
    [],
  );
});

test('a leak on purpose is found in each kind of place', async () => {
  yamlFile(dir, 'leak.yml', [{ hosts: 'all', gather_facts: false, vars_files: ['vars.yml'], tasks: leaks() }]);
  let said = '';
  const watch = await watching(leaked, async () => {
    said = await kpush(['apply', '-vvvv', '-i', 'hosts.yaml', ...options, '--yes', 'leak.yml']);
  });
  assert.equal(inText('said', said, leaked), ['said: leaked']);
  assert.ok(watch.seen.includes('h1 cmdline: leaked'), watch.seen.join());
  assert.ok(watch.seen.includes('h1 environ: leaked'), watch.seen.join());
  assert.ok(inFiles(join(dir, '.kpush'), leaked).length > 0);
  assert.ok(inFiles(hostRoot(lab, 'h1'), leaked, allowed).includes('var/leak: leaked'));
  assert.equal(inText('journal', await journal(), leaked), ['journal: leaked']);
});

test('the lab is left', async () => {
  await lab?.down();
});

test.run();

const options = ['--vault-password-file', 'vault-password', '-e', '@extra.yml'];

function writeSources() {
  mkdirSync(home);
  writeFileSync(join(dir, 'vault-password'), canaries.vault!, { mode: 0o600 });
  const vaulted = (name: string) =>
    `!vault |\n${encryptVault(canaries[name]!, canaries.vault!).replace(/^/gm, '  ')}`.trimEnd();
  const secret = [
    'vaulted',
    'login',
    'become',
    'token',
    'private',
    'hash',
    'header',
    'fact',
    'printed',
    'input',
    'url',
  ];
  writeFileSync(join(dir, 'vars.yml'), secret.map((name) => `c_${name}: ${vaulted(name)}\n`).join(''));
  writeFileSync(join(dir, 'extra.yml'), `c_extra: ${vaulted('extra')}\n`);
  const options = `-o UserKnownHostsFile=${lab.knownHostsPath} -o PubkeyAuthentication=no`;
  yamlFile(dir, 'hosts.yaml', {
    all: {
      hosts: { h1: { ansible_host: lab.hosts[0]!.address } },
      vars: {
        ansible_user: 'pw',
        ansible_ssh_common_args: options,
        ansible_password: '{{ c_login }}',
        ansible_become_password: '{{ c_become }}',
      },
    },
  });
  writeFileSync(join(dir, 'site.yml'), playbook);
}

const playbook = `
- hosts: all
  become: true
  vars_files: [vars.yml]
  tasks:
    - {name: vaulted, copy: {dest: /srv/c/vaulted, content: "{{ c_vaulted }}", mode: "0644"}, no_log: true}
    - {name: private, copy: {dest: /srv/c/tls.key, content: "-----BEGIN PRIVATE KEY-----\\n{{ c_private }}\\n", mode: "0600"}}
    - {name: token, lineinfile: {path: /srv/c/token, line: "token={{ c_token }}", create: true, mode: "0600"}, no_log: true}
    - {name: input, shell: cat >/srv/c/input, args: {stdin: "{{ c_input }}"}, no_log: true}
    - {name: printed, command: cat, args: {stdin: "{{ c_printed }}"}, no_log: true, register: printed}
    - {name: length, debug: {msg: "{{ printed.stdout | length }} characters"}}
    - {name: fails, command: sh -c "cat; exit 3", args: {stdin: "{{ c_printed }}"}, no_log: true, ignore_errors: true}
    - {name: fact, set_fact: {c_made: "{{ c_fact }}"}, no_log: true}
    - {name: fact used, copy: {dest: /srv/c/fact, content: "{{ c_made }}", mode: "0600"}}
    - {name: hash, user: {name: someone, password: "$6$salt$ {{- c_hash }}"}}
    - {name: header, get_url: {url: "http://127.0.0.1:9/x", dest: /srv/c/x, headers: {Authorization: "Bearer {{ c_header }}"}}, no_log: true, ignore_errors: true}
    - {name: address, get_url: {url: "http://me:{{ c_url }}@127.0.0.1:9/x", dest: /srv/c/y}, ignore_errors: true}
    - {name: kept, copy: {dest: /srv/c/kept, content: "other", mode: "0600"}}
    - {name: extra, copy: {dest: /srv/c/extra, content: "{{ c_extra }}", mode: "0600"}}
    - name: loop
      copy: {dest: "/srv/c/loop-{{ item.name }}", content: "{{ item.value }}", mode: "0600"}
      loop: [{name: a, value: "{{ c_token }}"}]
      no_log: true
`;

function leaks() {
  return [
    { name: 'shown', debug: { msg: `kept: ${leaked.leaked}` } },
    { name: 'argument', command: `sh -c "sleep 2" ${leaked.leaked}` },
    { name: 'environment', shell: 'sleep 2', environment: { TOKEN: leaked.leaked } },
    { name: 'file', become: true, copy: { dest: '/var/leak', content: leaked.leaked } },
    { name: 'log', become: true, shell: `logger -t leak ${leaked.leaked}` },
  ];
}

/** Looks at all processes while `work` runs. */
async function watching(birds: Readonly<Record<string, string>>, work: () => Promise<void>) {
  const watch = watchProcesses(lab, 'h1', birds, process.pid);
  await work().finally(() => watch.end());
  return watch.end();
}

function journal(): Promise<string> {
  return lab.sh('h1', 'journalctl --sync; journalctl -o export --no-pager');
}

function note(where: string, text: string) {
  outputs = [...outputs, ...inText(where, text, canaries)];
}

/** All that the program printed. */
function kpush(words: string[]): Promise<string> {
  const loader = resolve('node_modules/tsx/dist/loader.mjs');
  const child = spawn(process.execPath, ['--import', loader, resolve('src/cli/main.ts'), ...words], {
    cwd: dir,
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: dir },
  });
  let said = '';
  child.stdout.on('data', (data) => {
    said += data;
  });
  child.stderr.on('data', (data) => {
    said += data;
  });
  return new Promise((done) => child.on('close', () => done(said)));
}
