// One plan of everyday tasks, so that V8's compiled code of the functions they need is kept (dist/kpush.cache): over
// SSH, to a server of this process that knows one key and answers on loopback only. A plan changes nothing.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';

const tasks = `- hosts: all
  vars: {version: v1}
  ignore_errors: true
  tasks:
    - apt: {name: [coreutils], state: present}
    - file: {path: /, state: directory}
      when: ansible_facts.system == 'Linux'
    - copy: {dest: /kpush-none/conf, content: "version={{ version }}\\n", mode: '0644'}
      notify: again
    - template: {src: text.j2, dest: /kpush-none/text}
    - lineinfile: {path: /kpush-none/lines, line: "{{ item }}", create: true}
      loop: [a, b]
    - group: {name: root}
    - systemd: {name: kpush-none.service, state: started, enabled: true, daemon_reload: true}
    - command: {cmd: true, creates: /}
      register: made
    - debug: {msg: "{{ made.rc | default(0) }}"}
  handlers:
    - name: again
      systemd: {name: kpush-none.service, state: restarted}
`;

/** Runs `kpush` so; rejects with what it printed. */
export async function train(kpush) {
  const dir = mkdtempSync(join(tmpdir(), 'kpush-build-'));
  const server = await serve(dir);
  try {
    writeFileSync(join(dir, 'site.yml'), tasks);
    writeFileSync(join(dir, 'text.j2'), '{% for n in range(2) %}{{ n }} {{ version }}\n{% endfor %}');
    writeFileSync(join(dir, 'hosts.yml'), JSON.stringify(inventory(dir, server.address().port)));
    await run([kpush, 'plan', '-i', 'hosts.yml', 'site.yml'], dir);
  } finally {
    server.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

function inventory(dir, port) {
  const vars = {
    ansible_host: '127.0.0.1',
    ansible_port: port,
    ansible_user: 'kpush',
    ansible_ssh_private_key_file: join(dir, 'key'),
    ansible_ssh_common_args: `-o StrictHostKeyChecking=no -o UserKnownHostsFile=${join(dir, 'known')}`,
  };
  return { all: { hosts: { built: vars } } };
}

async function serve(dir) {
  const [host, user] = [0, 1].map(() => ssh2.utils.generateKeyPairSync('ed25519'));
  writeFileSync(join(dir, 'key'), user.private, { mode: 0o600 });
  const known = ssh2.utils.parseKey(user.public);
  const server = new ssh2.Server({ hostKeys: [host.private] }, (client) => {
    client.on('authentication', (auth) => (isKnown(auth, known) ? auth.accept() : auth.reject(['publickey'])));
    client.on('session', (accept) => accept().on('exec', (begin, _reject, { command }) => answer(begin(), command)));
    client.on('error', () => {}); // a client that is gone is seen by the run itself
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function isKnown({ method, key, blob, signature, hashAlgo }, known) {
  if (method !== 'publickey' || !key.data.equals(known.getPublicSSH())) return false;
  return !signature || known.verify(blob, signature, hashAlgo) === true;
}

/** In a group of its own, as sshd's are: what kpush leaves on a host ends its whole group. */
function answer(channel, command) {
  const child = spawn('/bin/sh', ['-c', command], { detached: true });
  channel.pipe(child.stdin);
  child.stdout.pipe(channel, { end: false });
  child.stderr.pipe(channel.stderr, { end: false });
  child.stdin.on('error', () => {}); // the shell may end first
  child.on('close', (code) => {
    channel.exit(code ?? 1);
    channel.end();
  });
}

function run(argv, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, argv, { cwd, env: { ...process.env, HOME: cwd, KPUSH_WRITE_CACHE: '1' } });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(said || `exit ${code}`))));
  });
}
