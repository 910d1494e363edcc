import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { compareFiles, Lab, LabError } from '../lab-kit/index.ts';
import { pidFrom, signalFrom, writePid } from '../lab-kit/proc.ts';
import { run, sleep } from '../lab-kit/shell.ts';
import { suite } from '../support/harness.ts';
import { tempFolder } from '../support/temp.ts';

const test = suite('lab', { timeout: 60_000 });
let lab: Lab;

test('boots hosts and a twin that are up as soon as the call returns', async () => {
  lab = await Lab.up({ hosts: 2, twins: 1 });
  const all = ['h1', 'h2', 't1'];
  assert.equal(
    [...lab.hosts, ...lab.twins].map((host) => host.name),
    all,
  );
  for (const host of all) {
    assert.is(await lab.sh(host, 'systemctl is-system-running --wait'), 'running');
    assert.is(await lab.sh(host, 'hostname'), host);
  }
  const ids = await Promise.all(all.map((host) => lab.sh(host, 'cat /etc/machine-id')));
  assert.is(new Set(ids).size, 3);
});

test('plain hosts have no Python, twins have what ansible-playbook needs', async () => {
  assert.is((await lab.exec('h1', 'ls /usr/bin /usr/local/bin | grep -i python')).code, 1);
  assert.is((await lab.exec('t1', ['python3', '-c', 'import apt'])).code, 0);
});

test('opens root and deploy to the key of the lab, with host keys known beforehand', async () => {
  assert.is((await lab.ssh('h1', 'id -un')).stdout, 'root\n');
  const { code, stdout } = await lab.ssh('h2', 'id -un; sudo id -un', { user: 'deploy' });
  assert.equal([code, stdout], [0, 'deploy\nroot\n']);
  assert.is((await lab.ssh('h1', 'exit 7')).code, 7);
});

test('writes an Ansible inventory per kind of host', () => {
  const { all } = parse(readFileSync(lab.inventoryPath, 'utf8'));
  assert.equal(all.hosts, { h1: { ansible_host: lab.hosts[0]!.address }, h2: { ansible_host: lab.hosts[1]!.address } });
  const members = Object.entries(all.children as Record<string, { hosts: object }>).map(([name, { hosts }]) => [
    name,
    Object.keys(hosts),
  ]);
  assert.equal(Object.fromEntries(members), { pki: ['h1'], etcd: ['h1'], control_plane: ['h1'], nodes: ['h2'] });
  assert.is(all.vars.ansible_ssh_private_key_file, lab.keyPath);
  assert.equal(Object.keys(parse(readFileSync(lab.twinInventoryPath, 'utf8')).all.children.twins.hosts), ['t1']);
});

test('hosts reach each other and the package archive', async () => {
  await lab.sh('h1', ['bash', '-c', `read -r line </dev/tcp/${lab.hosts[1]!.address}/22; [[ $line == SSH-2.0-* ]]`]);
  await lab.sh('h1', 'apt-get -qq update && apt-cache show jq >/dev/null');
});

test('counts the connections, logins and sessions of sshd', async () => {
  const before = await lab.sshdLog('h1');
  await lab.ssh('h1', 'true');
  await lab.ssh('h1', 'true', { user: 'deploy' });
  const log = await lab.sshdLog('h1', before.entries.at(-1)!.at);
  assert.is(log.connections, 2);
  assert.equal(
    log.accepted.map(({ user, method }) => `${user} ${method}`),
    ['root publickey', 'deploy publickey'],
  );
  assert.equal(
    log.sessions.map(({ user, kind }) => `${user} ${kind}`),
    ['root command', 'deploy command'],
  );
});

test('lists the processes of a host with its own pids, and none of another', async () => {
  const child = lab.spawn('h1', ['sleep', '4242']);
  await waitFor(() => lab.processes('h1').some((one) => one.cmdline.join(' ') === 'sleep 4242'));
  const all = lab.processes('h1');
  assert.match(all.find((one) => one.pid === 1)!.cmdline[0]!, /systemd$/);
  const sleeping = all.find((one) => one.cmdline.join(' ') === 'sleep 4242')!;
  assert.is(await lab.sh('h1', `cat /proc/${sleeping.pid}/comm`), 'sleep');
  assert.not.ok(lab.processes('h2').some((one) => one.cmdline.join(' ') === 'sleep 4242'));
  await lab.sh('h1', `kill ${sleeping.pid}`);
  await ended(child);
});

test('sees every change on the disk of a host from outside', async () => {
  const before = await lab.snapshotFiles('h2');
  assert.equal(await changesSince(before), { added: [], removed: [], changed: {} });
  await lab.sh(
    'h2',
    'echo new >"/etc/two words é"; setfattr -n user.note -v x /etc/hostname; chmod 4711 /usr/bin/less',
  );
  await lab.sh(
    'h2',
    'mv /usr/share/doc/sudo /usr/share/doc/moved; ln -s /nowhere /opt/link; touch /run/unseen /var/log/unseen',
  );
  const { added, removed, changed } = await changesSince(before);
  assert.equal(
    added.filter((path) => !path.startsWith('/usr/share/doc/moved/')),
    ['/etc/two words é', '/opt/link', '/usr/share/doc/moved'],
  );
  assert.ok(removed.includes('/usr/share/doc/sudo') && removed.every((path) => path.startsWith('/usr/share/doc/sudo')));
  assert.equal(changed['/etc/hostname'], ['xattrs']);
  assert.equal(changed['/usr/bin/less'], ['mode']);
  const link = (await lab.snapshotFiles('h2')).get('/opt/link')!;
  assert.equal([link.type, link.target], ['symlink', '/nowhere']);
});

test('cut makes a host unreachable, heal brings it back', async () => {
  await lab.cut('h2');
  assert.is(await knock('h2', 8000), 'EHOSTUNREACH');
  assert.equal(await lab.faults('h2'), ['cut']);
  await lab.heal('h2');
  assert.is(await knock('h2', 8000), 'open');
});

test('drop is silence, undrop ends it', async () => {
  await lab.drop('h2');
  assert.is(await knock('h2', 1500), 'silence');
  assert.equal(await lab.faults('h2'), ['dropping']);
  await lab.undrop('h2');
  assert.is(await knock('h2', 8000), 'open');
});

test('a frozen host takes connections and says nothing until it is thawed', async () => {
  lab.freeze('h2');
  assert.is(await knock('h2', 1500), 'open');
  assert.is(await greeting('h2', 1500), undefined);
  await throwsLabError(lab.poweroff('h2'), /frozen/);
  lab.thaw('h2');
  assert.match((await greeting('h2', 8000)) ?? '', /^SSH-2.0-/);
});

test('a rate limit slows a host down', async () => {
  const send = async () => {
    const start = performance.now();
    assert.is((await lab.ssh('h2', 'cat >/dev/null', { input: Buffer.alloc(300_000, 'x') })).code, 0);
    return performance.now() - start;
  };
  await lab.limit('h2', '1mbit');
  const slow = await send();
  await lab.limit('h2', null);
  const fast = await send();
  assert.ok(slow > 1800 && fast < 1500, `${Math.round(slow)} ms limited, ${Math.round(fast)} ms not`);
});

test('poweroff and boot: another boot id, the same disk and keys', async () => {
  const before = lab.bootId('h1');
  await lab.sh('h1', 'echo kept >/root/file');
  await lab.poweroff('h1');
  assert.is(await lab.power('h1'), 'off');
  assert.is(lab.bootId('h1'), undefined);
  await throwsLabError(lab.exec('h1', 'true'), /h1 is off/);
  await lab.boot('h1');
  assert.is.not(lab.bootId('h1'), before);
  assert.is((await lab.ssh('h1', 'cat /root/file')).stdout, 'kept\n');
});

test('a reboot from inside comes back by itself', async () => {
  const before = lab.bootId('h1')!;
  await lab.exec('h1', 'systemctl reboot');
  await lab.ready('h1', { notBoot: before });
  assert.is.not(lab.bootId('h1'), before);
  assert.is((await lab.ssh('h1', 'cat /proc/sys/kernel/random/boot_id')).stdout.trim(), lab.bootId('h1'));
});

test('a crash ends the host in the middle of its work', async () => {
  const client = spawnSsh('h1', 'echo started; sleep 600');
  await once(client, /started/);
  await lab.crash('h1');
  assert.is(await lab.power('h1'), 'off');
  assert.not.ok(existsSync(`/sys/class/net/vb-${lab.id}-h1`));
  client.kill('SIGKILL');
  await lab.boot('h1');
  assert.is((await lab.ssh('h1', 'cat /root/file')).stdout, 'kept\n');
});

test('a snapshot restores all hosts with their disks, booted or off as they were', async () => {
  await lab.poweroff('h2');
  await lab.sh('h1', 'echo prepared >/root/file; echo image >/var/lib/docker/layer');
  await lab.snapshot('base');
  assert.equal([await lab.power('h1'), await lab.power('h2')], ['on', 'off']);
  await lab.sh('h1', 'rm /root/file /var/lib/docker/layer; echo later >/root/later; chattr +i /root/later');
  await lab.boot('h2');
  const start = performance.now();
  await lab.restore('base');
  assert.ok(performance.now() - start < 10_000);
  assert.is(await lab.sh('h1', 'cat /root/file /var/lib/docker/layer; ls /root'), 'prepared\nimage\nfile');
  assert.equal([await lab.power('h1'), await lab.power('h2')], ['on', 'off']);
  await throwsLabError(lab.snapshot('base'), /already/);
  await throwsLabError(lab.restore('none'), /no snapshot none; it has: base/);
});

test('reset gives a host a new disk with its old keys and machine-id', async () => {
  const id = await lab.sh('h1', 'cat /etc/machine-id');
  await lab.reset('h1');
  assert.is((await lab.ssh('h1', 'cat /root/file; cat /etc/machine-id')).stdout, `${id}\n`);
});

test('the runc of the lab lowers nothing that this machine refuses to lower', async () => {
  const spec = '{"process":{"args":["\\"rlimits\\":[1]"],"oomScoreAdj":-998,"rlimits":[{"type":"RLIMIT_NOFILE"}]}}';
  const fake = '#!/bin/sh\necho "$@"\n';
  await lab.sh('h1', ['sh', '-c', 'printf "%s" "$1" >/usr/sbin/runc; chmod 755 /usr/sbin/runc', '-', fake]);
  await lab.sh('h1', ['sh', '-c', 'mkdir /b; printf %s "$1" >/b/config.json', '-', spec]);
  assert.is(await lab.sh('h1', 'runc --root /r create --bundle /b one'), '--root /r create --bundle /b one');
  const clamped = spec.replace('-998', '0').replace('[{"type":"RLIMIT_NOFILE"}]', '[]');
  assert.is(await lab.sh('h1', 'cat /b/config.json'), mayRaiseLimits() ? spec : clamped);
});

test('a second lab collides with nothing, and the lab of a killed process is cleared', async () => {
  const orphan = await ownedByAnother();
  assert.ok(existsSync(`/sys/class/net/kl-${orphan.id}`));
  orphan.owner.kill('SIGKILL');
  await ended(orphan.owner);
  const [one, two] = await Promise.all([Lab.up(), Lab.up()]);
  assert.is(new Set([lab, one, two].map(({ networks }) => networks.block)).size, 3);
  assert.is((await one.ssh('h1', 'hostname')).stdout, 'h1\n');
  assert.not.equal(await one.sh('h1', 'cat /etc/machine-id'), await two.sh('h1', 'cat /etc/machine-id'));
  assert.is((await lab.ssh('h1', 'hostname')).stdout, 'h1\n');
  assert.equal(await remainsOf(orphan.id), []);
  await Promise.all([one.down(), two.down()]);
  assert.equal([...(await remainsOf(one.id)), ...(await remainsOf(two.id))], []);
});

test('a pid file whose pid was reused names no process', () => {
  const folder = tempFolder('lab-test');
  const file = join(folder, 'pid');
  writePid(file, process.pid);
  assert.is(pidFrom(file), process.pid);
  const [pid, start, boot] = readFileSync(file, 'utf8').trim().split(' ');
  for (const other of [`${pid} ${Number(start) + 1} ${boot}`, `${pid} ${start} another-boot`, `${pid}`, '']) {
    writeFileSync(file, other);
    assert.is(pidFrom(file), undefined, other);
    assert.is(signalFrom(file, 'SIGKILL'), false);
  }
  rmSync(folder, { recursive: true });
});

test('bad input is named', async () => {
  await throwsLabError(Lab.up({ id: 'Not ok' }), /letters and digits/);
  await throwsLabError(Lab.up({ hosts: 0 }), /at least one host/);
  await throwsLabError(Lab.up({ hosts: 1.5 }), /whole number/);
  await throwsLabError(Lab.up({ id: lab.id }), /up already/);
  assert.throws(() => lab.processes('h9'), /has no host h9; it has h1 h2 t1/);
  await throwsLabError(lab.exec('h1', 'sleep 60', { timeoutMs: 300 }), /took over 300 ms/);
  await waitFor(() => !lab.processes('h1').some((one) => one.cmdline.join(' ') === 'sleep 60'));
});

test('the command line boots, shows, enters and ends a lab', async () => {
  const folder = tempFolder('lab-test');
  const inventory = join(folder, 'lab.yaml');
  const id = `x${process.pid.toString(36)}`.slice(0, 8);
  const up = await cli('up', '--id', id, '--inventory', inventory);
  assert.is(up.code, 0, up.stderr);
  assert.ok(parse(readFileSync(inventory, 'utf8')).all.hosts.h1);
  assert.is((await cli('ssh', '--id', id, 'h1', 'exit', '3')).code, 3);
  assert.is((await cli('exec', '--id', id, 'h1', 'hostname')).stdout, 'h1\n');
  assert.match((await cli('status', '--id', id)).stdout, /h1 .* on\n/);
  const [off, unknown, misused] = [
    await cli('poweroff', '--id', id, 'h1'),
    await cli('boot', '--id', id, 'h7'),
    await cli('up', '--hosts', 'many'),
  ];
  assert.equal([off.code, unknown.code, misused.code], [0, 1, 2]);
  assert.match(unknown.stderr, /has no host h7/);
  const refused = await cli('up', '--inventory', import.meta.filename);
  assert.is(refused.code, 1);
  assert.match(refused.stderr, /is not of the lab/);
  assert.is((await cli('down', '--id', id)).code, 0);
  assert.not.ok(existsSync(inventory));
  assert.equal(await remainsOf(id), []);
  rmSync(folder, { recursive: true });
});

test('down leaves nothing behind', async () => {
  await lab.down();
  assert.equal(await remainsOf(lab.id), []);
});

test.run();

async function changesSince(before: Awaited<ReturnType<Lab['snapshotFiles']>>) {
  return compareFiles(before, await lab.snapshotFiles('h2'), ['.mtimeMs', '/root', '/var/lib/systemd']);
}

/** What of a lab is still on this machine. */
async function remainsOf(id: string): Promise<string[]> {
  const links = (await run('ip', ['-br', 'link'])).stdout
    .split('\n')
    .filter((line) => line.match(`^(kl-${id}|vb-${id}-)`));
  const rules = (await run('iptables-save', [])).stdout.split('\n').filter((line) => line.includes(`kpush-lab:${id}"`));
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => line.includes(`/labs/${id}/`));
  const processes = (await run('ps', ['-eo', 'args'])).stdout
    .split('\n')
    .filter((line) => line.includes(`/labs/${id}/`));
  const cgroups = (await run('find', ['/sys/fs/cgroup', '-name', `kpush-lab-${id}-*`])).stdout
    .split('\n')
    .filter(Boolean);
  const folders = [join(process.env.KPUSH_LAB_CACHE || '/var/cache/kpush-lab', 'labs', id)].filter((dir) =>
    existsSync(dir),
  );
  return [...links, ...rules, ...mounts, ...processes, ...cgroups, ...folders];
}

/** What a TCP connection to sshd meets: `open`, an error code, or `silence` after `ms`. */
function knock(host: string, ms: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: addressOf(host), port: 22 });
    const done = (what: string) => {
      socket.destroy();
      resolve(what);
    };
    socket.setTimeout(ms, () => done('silence'));
    socket.once('connect', () => done('open'));
    socket.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
  });
}

function greeting(host: string, ms: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: addressOf(host), port: 22 });
    const done = (what?: string) => {
      socket.destroy();
      resolve(what);
    };
    socket.setTimeout(ms, () => done());
    socket.once('data', (data) => done(data.toString()));
    socket.once('error', reject);
  });
}

function addressOf(host: string): string {
  return lab.hosts.find((one) => one.name === host)!.address;
}

function spawnSsh(host: string, command: string): ChildProcess {
  const [program, ...args] = lab.sshCommand(host);
  return spawn(program!, [...args, command]);
}

/** A lab whose owner is a process of its own. */
async function ownedByAnother(): Promise<{ id: string; owner: ChildProcess }> {
  const kit = join(import.meta.dirname, '../lab-kit/index.ts');
  const code = `import { Lab } from ${JSON.stringify(kit)}; const lab = await Lab.up(); console.log('id=' + lab.id); setInterval(() => {}, 1e6);`;
  const owner = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code]);
  return { id: (await once(owner, /id=(\w+)/))[1]!, owner };
}

function once(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = '';
    const look = (more: Buffer) => {
      text += more;
      const found = pattern.exec(text);
      if (found) resolve(found);
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', (more) => (text += more));
    child.on('close', () => reject(new Error(`ended without ${pattern}: ${text}`)));
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
}

async function waitFor(holds: () => boolean) {
  for (let n = 0; n < 100 && !holds(); n++) await sleep(50);
  assert.ok(holds());
}

async function throwsLabError(promise: Promise<unknown>, pattern: RegExp) {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.instance(error, LabError);
  assert.match((error as LabError).message, pattern);
}

function cli(...args: string[]) {
  return run(process.execPath, ['--import', 'tsx', join(import.meta.dirname, '../lab-kit/cli.ts'), ...args]);
}

function mayRaiseLimits(): boolean {
  const effective = /^CapEff:\s*(\w+)/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]!;
  return ((BigInt(`0x${effective}`) >> 24n) & 1n) === 1n;
}
