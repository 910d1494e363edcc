import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { complaints, counts, kpush, type Ran, runOptions } from '../../lab/support/run.ts';
import type { Lab } from '../../lab-kit/index.ts';
import type { Cell } from './cells.ts';

/** What a cell's two runs did and left; equal for all cells that work. */
export interface Outcome {
  first: Record<string, string>;
  second: Record<string, number>;
  /** Digest of what is on the host, owner names left out. */
  left: string;
}

const short = 'test/matrix/support/short.yml';

/** Runs the short playbook twice; the error's text where it does not come through. */
export async function runShort(lab: Lab, dir: string, cell: Cell): Promise<Outcome | string> {
  const folder = `/var/tmp/matrix-${slug(cell)}`;
  await lab.sh('h1', `rm -rf ${folder}`);
  const inventory = inventoryOf(lab, dir, cell, { dir: folder, expected: cell.expected });
  const outcome = await runTwice(short, inventory, () =>
    lab.sh('h1', `cd ${folder} && ls -1 && stat -c '%a %n' text made && readlink link && cat text lines made seen`),
  );
  await lab.sh('h1', `rm -rf ${folder}`);
  return outcome;
}

/** The same with site.yml, from a host that has nothing of it. */
export async function runWhole(lab: Lab, dir: string, cell: Cell): Promise<Outcome | string> {
  await lab.sh('h1', clean);
  return runTwice('bench/site.yml', inventoryOf(lab, dir, cell, {}, true), () =>
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

/** An inventory of the cell alone; users that become another by default do so in every task. */
export function inventoryOf(
  lab: Lab,
  dir: string,
  { vars, ...cell }: Cell,
  more: Record<string, string> = {},
  root = false,
): string {
  mkdirSync(dir, { recursive: true });
  const path = join(dir, `${slug(cell)}${root ? '-whole' : ''}.yaml`);
  const host = {
    ansible_host: lab.hosts[0]?.address,
    ansible_ssh_private_key_file: lab.keyPath,
    ansible_ssh_common_args: `-o UserKnownHostsFile=${lab.knownHostsPath} -o HostKeyAlias=${lab.hosts[0]?.address}`,
    ...vars,
    ...more,
  };
  writeFileSync(path, stringify({ all: { hosts: { h1: host } } }));
  return path;
}

function slug({ login, way, flavour }: Pick<Cell, 'login' | 'way' | 'flavour'>): string {
  return `${login}-${way}-${flavour}`.replace(/\W+/g, '-');
}
