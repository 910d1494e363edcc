import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import type { Value } from '../../src/jinja/values.ts';
import { Float } from '../../src/jinja/values.ts';
import { type BaseFacts, baseFamily, baseKey } from '../../src/world/base.ts';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { labInventory, scratch, yamlFile } from './support/inventory.ts';
import { complaints, kpush, type Ran, runOptions } from './support/run.ts';

const test = suite('system modules on a real host', { timeout: 300_000 });
const dir = scratch('system');
let lab: Lab;
let inventory: string;

/** Tasks in YAML, as a play on all hosts. */
async function apply(name: string, tasks: string, more: Record<string, unknown> = {}): Promise<Ran> {
  const play = { hosts: 'all', gather_facts: false, tasks: parse(tasks), ...more };
  return kpush(runOptions('apply', yamlFile(dir, `${name}.yaml`, [play]), inventory));
}

async function shell(command: string): Promise<string> {
  const { code, stdout, stderr } = await lab.exec(lab.hosts[0]!, command);
  assert.is(code, 0, `${command}: ${stderr}`);
  return stdout.trim();
}

function changed(ran: Ran): string[] {
  return ran.tasks.filter((task) => task.status === 'changed' && !task.always).map((task) => task.name);
}

test('the lab is up', async () => {
  lab = await Lab.up({ hosts: 1, twins: 1 });
  inventory = labInventory(dir, lab, { h1: { ansible_host: lab.hosts[0]!.address } });
});

const everything = `
- {name: group, group: {name: kb, gid: 4711}}
- {name: user, user: {name: kbu, group: kb, groups: [adm], append: true, shell: /bin/bash, comment: "K B", password: "$6$x$abc"}}
- {name: password, user: {name: kbu, password_lock: true, expires: 1893456000}}
- name: unit
  systemd_unit:
    name: kb-a
    content: "[Service]\\nExecStart=/bin/sleep 1000\\n[Install]\\nWantedBy=multi-user.target\\n"
    dropins: {10-x.conf: "[Service]\\nNice=3\\n"}
    enabled: true
    state: started
- {name: template, copy: {dest: "/etc/systemd/system/kb-t@.service", content: "[Service]\\nExecStart=/bin/sleep 3000\\n[Install]\\nWantedBy=multi-user.target\\n", mode: "0644"}}
- {name: instance, systemd: {name: kb-t@one, state: started, enabled: true, daemon_reload: true}}
- {name: mask, systemd: {name: apt-daily.timer, masked: true, state: stopped}}
- {name: sysctl, sysctl: {name: net.ipv4.tcp_keepalive_time, value: "7201", sysctl_file: /etc/sysctl.d/99-kb.conf}}
- {name: module, modprobe: {name: br_netfilter, persistent: present}}
- {name: mount, mount: {path: /mnt/kb, src: tmpfs, fstype: tmpfs, opts: size=1m, state: mounted}}
- {name: job file, cron: {name: kb, minute: "5", job: "true", user: root, cron_file: kb}}
- {name: name, hostname: {name: kb-host}}
- {name: command, command: touch /root/made, args: {creates: /root/made}}
- {name: only if, shell: "echo x >/root/only", args: {unless: test -e /root/only}}
`;

test('what was applied is so, and the second run changes nothing', async () => {
  const first = await apply('everything', everything);
  assert.is(first.exit, 0, complaints(first));
  assert.equal(changed(first).length, 14, JSON.stringify(changed(first)));
  assert.is(await shell('id -Gn kbu; getent passwd kbu | cut -d: -f5,7'), 'kb adm\nK B:/bin/bash');
  assert.is(await shell('getent shadow kbu | cut -d: -f2,8'), '!$6$x$abc:21915');
  assert.is(
    await shell('systemctl is-active kb-a kb-t@one; systemctl is-enabled kb-a kb-t@one'),
    'active\nactive\nenabled\nenabled',
  );
  assert.is(await shell('systemctl show -p Nice,NeedDaemonReload kb-a | sort'), 'NeedDaemonReload=no\nNice=3');
  assert.is(
    await shell(
      'cat /proc/sys/net/ipv4/tcp_keepalive_time /etc/modules-load.d/br_netfilter.conf; uname -n; cat /etc/hostname',
    ),
    '7201\nbr_netfilter\nkb-host\nkb-host',
  );
  assert.is(
    await shell('findmnt -n -o FSTYPE /mnt/kb; cat /etc/cron.d/kb'),
    'tmpfs\n#Ansible: kb\n5 * * * * root true',
  );
  const second = await apply('everything', everything);
  assert.is(second.exit, 0, complaints(second));
  assert.equal(changed(second), []);
});

test('a changed [Install] moves the links, a changed text restarts the unit', async () => {
  const invocation = await shell('systemctl show -p InvocationID kb-a');
  const moved = await apply(
    'moved',
    `
- systemd_unit:
    name: kb-a
    content: "[Service]\\nExecStart=/bin/sleep 2000\\n[Install]\\nWantedBy=sysinit.target\\n"
    enabled: true
    state: started
    restart: true
`,
  );
  assert.is(moved.exit, 0, complaints(moved));
  assert.is(
    await shell('ls /etc/systemd/system/*.wants/kb-a.service'),
    '/etc/systemd/system/sysinit.target.wants/kb-a.service',
  );
  assert.not.equal(await shell('systemctl show -p InvocationID kb-a'), invocation);
  assert.match(await shell('systemctl show -p ExecStart kb-a'), /sleep 2000/);
});

test('a unit text with a mistake never takes its place', async () => {
  const wrong = await apply(
    'wrong',
    '- systemd_unit: {name: kb-b, content: "[Service]\\nExecStart=/bin/true\\nTpye=oneshot\\n"}\n',
  );
  assert.is(wrong.exit, 2);
  assert.match(complaints(wrong), /Tpye|validate/);
  assert.is((await lab.exec(lab.hosts[0]!, 'test -e /etc/systemd/system/kb-b.service')).code, 1);
});

test('a service that ends at once is a failure, in words', async () => {
  const failing = await apply(
    'failing',
    `
- copy: {dest: /etc/systemd/system/kb-f.service, content: "[Service]\\nType=oneshot\\nExecStart=/bin/false\\n", mode: "0644"}
- systemd: {name: kb-f, state: started}
`,
  );
  assert.is(failing.exit, 2);
  assert.match(complaints(failing), /Unable to start service kb-f/);
});

test('a gate that fails shows the unit and its journal', async () => {
  const ran = await apply('gate', '- command: "true"\n', {
    gates: [{ name: 'kb-f', unit_online: { name: 'kb-f' }, deadline: 5 }],
  });
  assert.is(ran.exit, 5, complaints(ran));
  const gate = ran.events.find((event) => event.type === 'gate' && event.state === 'failed') as unknown as {
    reason: string;
    evidence: string;
  };
  assert.match(gate.reason, /kb-f failed .exit-code, exit status 1/);
  assert.match(gate.evidence, /kb-f.service/);
  assert.match(gate.evidence, /Failed with result 'exit-code'/);
});

/** Holds dpkg's lock for some seconds. */
const hold = (seconds: number) =>
  `perl -e 'use Fcntl; open F,">>","/var/lib/dpkg/lock-frontend"; my $p=pack("s s x4 q q l x4",F_WRLCK,0,0,0,0); fcntl(F,F_SETLK,$p) or die; sleep ${seconds}' >/dev/null 2>&1 &`;

test('apt names who holds the lock, waits for who lets it go, and mends an interrupted dpkg', async () => {
  await shell(hold(20));
  const locked = await apply('locked', '- apt: {name: socat, lock_timeout: 4}\n');
  assert.is(locked.exit, 2);
  assert.match(complaints(locked), /still locked after 4 s, by process \d+ \(perl/);
  await shell('pkill perl; sleep 0.5; true');
  await shell(hold(5));
  await shell(`awk 'BEGIN{RS=""} /^Package: procps\\n/' /var/lib/dpkg/status >/var/lib/dpkg/updates/0001`);
  const waited = await apply('waited', '- apt: {name: ["socat>=1~"], lock_timeout: 120}\n');
  assert.is(waited.exit, 0, complaints(waited));
  assert.equal(changed(waited).length, 1);
  const again = await apply('waited', '- apt: {name: ["socat>=1~"], update_cache: true}\n');
  assert.equal([again.exit, changed(again)], [0, []]);
});

test('facts have the names, types and values that ansible -m setup gives of the same host', async () => {
  const env = { ...process.env, ANSIBLE_NOCOLOR: '1', ANSIBLE_HOST_KEY_CHECKING: 'True' };
  const ansible = ['-i', lab.twinInventoryPath, 't1', '-m', 'setup'];
  const { stdout } = await promisify(execFile)('ansible', ansible, { maxBuffer: 1 << 24, env });
  const theirs = (JSON.parse(stdout.slice(stdout.indexOf('{'))) as { ansible_facts: Record<string, unknown> })
    .ansible_facts;
  const ours = await facts();
  // `systemd` is a fact of ansible-core newer than the one here.
  const moving = /^(date_time|env|loadavg|mem|uptime|mounts|swapfree|host0|boot_id|systemd)/;
  const wrong = [...ours]
    .filter(([name]) => !moving.test(name))
    .filter(([name, value]) => JSON.stringify(sorted(value)) !== JSON.stringify(sorted(theirs[`ansible_${name}`])));
  assert.equal(wrong, []);
  assert.ok(ours.size > 70);
});

/** Base facts of the twin, as plain values. */
async function facts(): Promise<Map<string, unknown>> {
  const mark = '-- 5d41402abc4b2a76 --';
  const script = `kp_rs='${mark}'; kp_sep() { printf %s "$kp_rs"; }\n${baseFamily.library!()}\n${baseFamily.script([baseKey])}`;
  const { stdout } = await lab.exec(lab.twins[0]!, script);
  const answer = baseFamily.parse(Buffer.from(stdout.split(mark)[0]!, 'utf8').toString('latin1'), baseKey) as {
    value: BaseFacts;
  };
  return new Map([...answer.value].map(([name, value]) => [name, plain(value)]));
}

function plain(value: Value): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, item]) => [String(name), plain(item)]));
  if (value instanceof Float) return value.value;
  return Array.isArray(value) ? value.map(plain) : value;
}

/** Ansible lists interfaces and addresses as the kernel happens to give them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value))
    return value.every((item) => typeof item === 'string') ? [...value].sort() : value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, sorted(item)]),
  );
}

test('the lab is gone', () => lab.down());

test.run();
