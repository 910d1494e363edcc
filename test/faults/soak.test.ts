/** Hundreds of applies by one process against three hosts: what it holds and what it leaves does not grow. */
import { readdirSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { labInventory, scratch, yamlFile } from '../lab/support/inventory.ts';
import { complaints, kpush, runOptions } from '../lab/support/run.ts';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';

const rounds = Number(process.env.KPUSH_ROUNDS ?? 500);
const settled = 10;
const test = suite('soak', { timeout: 3_000_000 });
const dir = scratch('soak');
let lab: Lab;

interface Held {
  files: number;
  /** Kilobytes. */
  resident: number;
  processes: string[];
  leftovers: string[];
}

test(`${rounds} applies leave open files, memory and the hosts as ${settled} did`, async () => {
  lab = await Lab.up({ hosts: 3 });
  const hosts = Object.fromEntries(lab.hosts.map(({ name, address }) => [name, { ansible_host: address }]));
  const inventory = labInventory(dir, lab, hosts);
  const playbook = yamlFile(dir, 'site.yml', [
    { hosts: 'all', serial: 2, tasks: parse(tasks), handlers: parse(handlers) },
  ]);
  let early: Held | undefined;
  for (let round = 1; round <= rounds; round++) {
    const ran = await kpush(runOptions('apply', playbook, inventory, { extraVars: [`round=${round % 2}`] }));
    assert.is(ran.exit, 0, `round ${round}: ${complaints(ran)}`);
    if (round === settled) early = await held();
  }
  const late = await held();
  console.log(`soak: after ${settled}: ${told(early!)}; after ${rounds}: ${told(late)}`);
  assert.equal(late.leftovers, early!.leftovers);
  assert.equal(late.processes, early!.processes);
  assert.is(late.files, early!.files);
  assert.ok(
    late.resident <= early!.resident * 1.1,
    `${late.resident} kB resident, after ${settled}: ${early!.resident}`,
  );
});

test('everything is put away', async () => {
  await lab?.down();
});

test.run();

/** Half of it changes each round; the rest is looked at. */
const tasks = `
- {copy: {dest: /srv/soak.conf, content: "round {{ round }}\\n", mode: "0644"}, notify: told}
- {file: {path: /srv/soak.d, state: directory, mode: "0750"}}
- {lineinfile: {path: /etc/hosts, line: "192.0.2.7 soak"}}
- {command: cat /srv/soak.conf, register: read, changed_when: false}
- {assert: {that: "read.stdout == 'round ' ~ round", quiet: true}}
- {systemd: {name: ssh, state: started, enabled: true}}
`;
const handlers = `
- {name: told, shell: date +%s >/srv/soak.told}
`;

async function held(): Promise<Held> {
  await new Promise((done) => setTimeout(done, 6000));
  collectGarbage();
  const lists = lab.hosts.map((host) => lab.processes(host).map(({ cmdline }) => cmdline.join(' ')));
  const left = await Promise.all(
    lab.hosts.map((host) =>
      lab.sh(host, 'ls -A /run/kpush* /tmp /var/tmp /srv 2>/dev/null; find / -xdev -name "*.kpush-*"'),
    ),
  );
  return {
    files: readdirSync('/proc/self/fd').length,
    resident: Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]),
    processes: lists
      .flat()
      .filter((line) => line !== '')
      .sort(),
    leftovers: left,
  };
}

function told({ files, resident, processes }: Held): string {
  return `${files} open files, ${Math.round(resident / 1024)} MB resident, ${processes.length} processes on the hosts`;
}

function collectGarbage() {
  setFlagsFromString('--expose-gc');
  for (let i = 0; i < 3; i++) runInNewContext('gc')();
}
