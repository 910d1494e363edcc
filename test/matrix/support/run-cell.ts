import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { complaints, counts, kpush, type Ran, runOptions } from '../../lab/support/run.ts';
import type { Lab } from '../../lab-kit/index.ts';
import type { Cell } from './cells.ts';
import type { Row } from './rows.ts';

/** What a cell's two runs did and left; equal for all cells that work. */
export interface Outcome {
  first: Record<string, string>;
  second: Record<string, number>;
  /** Digest of what is on the host, owner names left out. */
  left: string;
}

const short = 'test/matrix/support/short.yml';

/** Runs the short playbook twice; the error's text where it does not come through. */
export function runShort(lab: Lab, dir: string, cell: Cell): Promise<Outcome | string> {
  return runIn(lab, dir, `${cell.login}-${cell.way}-${cell.flavour}`, cell.vars, cell.expected);
}

/** The same for a row, with what has to be done on the host before and after. */
export async function runRow(lab: Lab, dir: string, row: Row): Promise<Outcome | string> {
  if (row.before) await lab.sh('h1', row.before);
  try {
    return await runIn(lab, dir, row.name, row.vars, row.expected ?? 'root');
  } finally {
    if (row.after) await lab.sh('h1', row.after);
  }
}

async function runIn(
  lab: Lab,
  dir: string,
  name: string,
  vars: Cell['vars'],
  expected: string,
): Promise<Outcome | string> {
  const folder = `/var/tmp/matrix-${slug(name)}`;
  await lab.sh('h1', `rm -rf ${folder}`);
  const inventory = inventoryOf(lab, dir, name, { ...vars, dir: folder, expected });
  const outcome = await runTwice(short, inventory, () =>
    lab.sh('h1', `cd ${folder} && ls -1 && stat -c '%a %n' text made && readlink link && cat text lines made seen`),
  );
  await lab.sh('h1', `rm -rf ${folder}`);
  return outcome;
}

/** The same with site.yml, from a host that has nothing of it. */
export async function runWhole(lab: Lab, dir: string, cell: Cell): Promise<Outcome | string> {
  await lab.sh('h1', clean);
  const { login, way, flavour } = cell;
  const inventory = inventoryOf(lab, dir, `${login}-${way}-${flavour}-whole`, cell.vars);
  return runTwice('bench/site.yml', inventory, () =>
    lab.sh(
      'h1',
      "find /etc/kb /etc/systemd/system/kb* | sort | xargs stat -c '%a %U %n'; cat /etc/kb/lines /etc/kb/d*/*; systemctl is-active kb0 kb1 kb2 kb3 kb4; getent group kube | cut -d: -f1",
    ),
  );
}

const clean = `systemctl stop 'kb*' 2>/dev/null; for n in 0 1 2 3 4; do systemctl disable -q kb$n 2>/dev/null; done
rm -rf /etc/kb /etc/systemd/system/kb*; systemctl daemon-reload; groupdel kube 2>/dev/null; true`;

async function runTwice(playbook: string, inventory: string, look: () => Promise<string>): Promise<Outcome | string> {
  const first = await kpush(runOptions('apply', playbook, inventory));
  if (first.exit !== 0) return problem(first);
  const second = await kpush(runOptions('apply', playbook, inventory));
  if (second.exit !== 0) return problem(second);
  const digest = createHash('sha256').update(await look());
  return { first: statuses(first), second: counts(second.tasks), left: digest.digest('hex') };
}

/** One play's words for what went wrong, with the hints. */
export function problem(ran: Ran): string {
  const hints = ran.events.flatMap((event) => ('hint' in event && event.hint ? [`hint: ${event.hint}`] : []));
  return [complaints(ran), ...hints].join('\n') || `exit ${ran.exit}`;
}

function statuses({ tasks }: Ran): Record<string, string> {
  return Object.fromEntries(tasks.map(({ name, status }) => [name, status]));
}

function inventoryOf(lab: Lab, dir: string, name: string, vars: Cell['vars']): string {
  mkdirSync(dir, { recursive: true });
  const path = join(dir, `${slug(name)}.yaml`);
  const address = lab.hosts[0]?.address;
  const host = {
    ansible_host: address,
    ansible_ssh_private_key_file: lab.keyPath,
    ansible_ssh_common_args: `-o UserKnownHostsFile=${lab.knownHostsPath} -o HostKeyAlias=${address}`,
    ...vars,
  };
  writeFileSync(path, stringify({ all: { hosts: { h1: host } } }));
  return path;
}

function slug(name: string): string {
  return name.replace(/\W+/g, '-');
}
