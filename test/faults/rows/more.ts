import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Fault } from '../support/fault.ts';
import { fresh, type Scene, waiting } from '../support/scene.ts';
import { pause } from '../support/until.ts';

const done = /3 changed on 1 host/;
const patient = { KPUSH_DEADLINE: '30' };

/** Hosts whose shells, folders and clocks are not as one expects. */
export const oddRows: Fault[] = [
  {
    fault: 'start files of the login shell that print, change directory, umask and PATH',
    when: 'at each login',
    seen: 'files have the modes that were asked for; nothing of the noise is taken for an answer',
    exit: 0,
    says: done,
    before: (on) =>
      on.sh(
        ": >/srv/f/go; cp /root/.bashrc /root/bashrc.kept; printf 'echo hello; echo oops >&2; cd /tmp; umask 077; set -o noclobber; alias ls=false; PATH=/bin\\n' >/root/.bashrc",
      ),
    heal: (on) => on.sh('mv /root/bashrc.kept /root/.bashrc'),
    observe: async (on) => assert.is(await on.sh('stat -c %a /srv/f/a'), '644'),
  },
  {
    fault: 'a start file of the login shell that exits',
    when: 'at each login',
    seen: 'nothing happened on the host',
    exit: 4,
    says: /gave no usable shell/,
    before: (on) => on.sh("cp /root/.bashrc /root/bashrc.kept; echo 'echo go away; exit 3' >/root/.bashrc"),
    heal: (on) => on.sh('mv /root/bashrc.kept /root/.bashrc'),
    observe: untouched,
  },
  {
    fault: 'a login shell that lets nobody in (nologin)',
    when: 'at each login',
    seen: 'nothing happened on the host',
    exit: 4,
    says: /gave no usable shell.*not available/s,
    before: (on) => on.sh('usermod -s /usr/sbin/nologin root'),
    heal: (on) => on.sh('usermod -s /bin/bash root'),
    observe: untouched,
  },
  {
    fault: 'a host that nobody vouches for (not in known_hosts)',
    when: 'before the run',
    seen: 'nothing happened on the host, no login was tried',
    exit: 4,
    says: /not trusted|not known|no key/i,
    vars: { ansible_ssh_common_args: '-o UserKnownHostsFile=/dev/null' },
    mended: { ansible_ssh_common_args: '-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null' },
    observe: untouched,
  },
  {
    fault: 'the link down for 2 s',
    when: 'in a shell step, before any deadline',
    seen: 'nothing was noticed, the run went on',
    exit: 0,
    says: done,
    env: patient,
    inject: async (on) => {
      await on.lab.cut(on.host);
      await pause(2000);
      await on.lab.heal(on.host);
      await on.go();
    },
    heal: (on) => on.lab.heal(on.host),
  },
  {
    fault: 'all processes of the host frozen for 3 s',
    when: 'in a shell step, before any deadline',
    seen: 'nothing was noticed, the run went on',
    exit: 0,
    says: done,
    env: patient,
    inject: async (on) => {
      await on.go();
      on.lab.freeze(on.host);
      await pause(3000);
      on.lab.thaw(on.host);
    },
    heal: async (on) => on.lab.thaw(on.host),
  },
  {
    fault: 'all processes of the host frozen for good',
    when: 'in a shell step',
    seen: 'kpush gives up after its keepalive; once thawed the host ends the step by itself',
    exit: 4,
    says: /nothing came from h\d for 4 s/,
    vars: { ansible_ssh_extra_args: '-o ServerAliveInterval=2 -o ServerAliveCountMax=2' },
    inject: async (on) => on.lab.freeze(on.host),
    heal: async (on) => on.lab.thaw(on.host),
  },
  {
    fault: 'a link of 256 kbit/s',
    when: 'all the time, with a file of 200 KB',
    seen: 'the run went on to its end, the signs of life came through',
    exit: 0,
    says: /1 changed on 1 host/,
    env: patient,
    within: 90,
    tasks: [{ name: 'write', copy: { dest: '/srv/f/a', content: '{{ bytes }}' } }],
    vars: { bytes: fresh },
    before: (on) => on.lab.limit(on.host, '256kbit'),
    heal: (on) => on.lab.limit(on.host, null),
  },
  {
    fault: 'Ctrl-C three times',
    when: 'in a shell step',
    seen: 'kpush left at once, the step was ended within 5 s',
    exit: 130,
    says: null,
    within: 5,
    inject: async (on) => {
      for (let n = 0; n < 3; n++) {
        on.child.kill('SIGINT');
        await pause(200);
      }
    },
  },
  {
    fault: 'no more than 64 open files for kpush',
    when: 'from the start',
    seen: 'the run went on',
    exit: 0,
    says: done,
    start: (program, words) => ['bash', '-c', 'ulimit -n 64; "$@"', 'bash', process.execPath, program, ...words],
  },
  {
    fault: 'the folder for journals cannot be made (a file is in its place)',
    when: 'before the run',
    seen: 'the run says that it is not recorded, and goes on',
    exit: 0,
    says: /goes on without a journal: ENOTDIR/,
    before: async (on) => writeFileSync(join(on.cwd, '.kpush'), ''),
    observe: async (on) => assert.is(on.text('/srv/f/c'), 'old\nadded\n'),
  },
  {
    fault: "a folder in the place of the host's lock",
    when: 'as the lock is taken',
    seen: 'nothing was changed',
    exit: 4,
    says: /cannot make \/run\/kpush.lock/,
    before: (on) => on.sh(': >/srv/f/go; mkdir /run/kpush.lock'),
    heal: (on) => on.sh('rmdir /run/kpush.lock'),
    observe: untouched,
  },
  {
    fault: 'a validation that fails',
    when: 'in a write, before the file takes its place',
    seen: 'the old file is there, no temp is left',
    exit: 2,
    says: /not good/,
    tasks: [
      {
        name: 'write',
        copy: {
          dest: '/srv/f/a',
          content: fresh,
          validate: "sh -c '[ -e /srv/f/mended ] || { echo not good; exit 1; }' %s",
        },
      },
    ],
    observe: async (on) => {
      await untouched(on);
      await on.sh(': >/srv/f/mended');
    },
  },
  {
    fault: 'the folder of a target is removed',
    when: 'between plan and change',
    seen: 'the task failed by name, nothing else was written',
    exit: 2,
    says: /\/srv\/f\/d/,
    tasks: [waiting, { name: 'write', copy: { dest: '/srv/f/d/x', content: 'x\n' } }],
    before: (on) => on.sh('mkdir /srv/f/d'),
    inject: async (on) => {
      await on.sh('rmdir /srv/f/d');
      await on.go();
    },
    observe: (on) => on.sh('mkdir -p /srv/f/d'),
  },
  {
    fault: 'a step that is killed on the host (out of memory)',
    when: 'in a shell step',
    seen: 'the task failed with 137, no other was started',
    exit: 2,
    says: /137|SIGKILL|killed/i,
    inject: (on) => on.sh('kill -9 $(cat /run/kpush/step.*)'),
    observe: async (on) => assert.is(on.text('/srv/f/c'), 'old\n'),
  },
  {
    fault: 'half of a package list, as a broken download leaves it',
    when: 'before the run',
    seen: 'nothing installed, what apt cannot read is named',
    exit: 2,
    says: /could not be parsed/,
    tasks: [{ name: 'package', apt: { name: 'hello', state: 'present', update_cache: true } }],
    before: (on) =>
      on.sh(
        'dpkg -P hello >/dev/null 2>&1; apt-get -qq update; cd /var/lib/apt/lists; for f in *Packages*; do truncate -s 3000 "$f"; done; rm -f /var/cache/apt/*.bin',
      ),
    heal: (on) => on.sh('rm -rf /var/lib/apt/lists/*; apt-get -qq update'),
    within: 120,
  },
  {
    fault: 'no space for the download of a package',
    when: 'as a package is installed',
    seen: 'nothing was unpacked; dpkg has nothing half-done',
    exit: 2,
    says: /space|E:/,
    tasks: [{ name: 'package', apt: { name: 'hello', state: 'present' } }],
    before: (on) =>
      on.sh(
        'dpkg -P hello >/dev/null 2>&1; apt-get -qq update; apt-get clean; mount -t tmpfs -o size=8k tmpfs /var/cache/apt/archives; mkdir /var/cache/apt/archives/partial',
      ),
    observe: async (on) => assert.is(await on.sh('dpkg --audit'), ''),
    heal: (on) => on.sh('cd /; umount /var/cache/apt/archives'),
    within: 120,
  },
];

async function untouched(on: Scene) {
  assert.is(on.text('/srv/f/a'), 'old\n');
}
