import * as assert from 'uvu/assert';
import { complaints } from '../../lab/support/run.ts';
import type { Fault } from '../support/fault.ts';
import { type Scene, usual } from '../support/scene.ts';

const done = /4 changed on 1 host/;
const year = { name: 'year', shell: 'date +%Y >/srv/f/year', args: { creates: '/srv/f/year' } };
const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const late = (seconds: number) => `[Service]\\nExecStartPre=/bin/sleep ${seconds}\\n`;

/** Clocks of hosts (libfaketime in all that kpush starts there) that are wrong or jump. */
const clockRows: Fault[] = [
  {
    fault: "the host's clock is three years behind",
    when: 'from the start',
    seen: 'the run went on, the second run had nothing to do',
    exit: 0,
    says: done,
    tasks: [...usual, year],
    before: async (on) => {
      await on.sh(': >/srv/f/go');
      await skewed(on, 'FAKETIME=-1100d');
    },
    observe: async (on) => assert.ok(yearOf(on) <= thisYear() - 3, `the clock was right: ${yearOf(on)}`),
    heal: right,
  },
  {
    fault: "the host's clock is three years ahead",
    when: 'from the start',
    seen: 'the run went on, the second run had nothing to do',
    exit: 0,
    says: done,
    tasks: [...usual, year],
    before: async (on) => {
      await on.sh(': >/srv/f/go');
      await skewed(on, 'FAKETIME=+1100d');
    },
    observe: async (on) => assert.ok(yearOf(on) >= thisYear() + 3, `the clock was right: ${yearOf(on)}`),
    heal: right,
  },
  {
    fault: "the host's clock jumps three years, and back",
    when: 'in a shell step, while a second operator tries',
    seen: 'no deadline struck, the lock was not taken for an old one, the run went on',
    exit: 0,
    says: done,
    tasks: [...usual, year],
    before: (on) => skewed(on, 'FAKETIME_TIMESTAMP_FILE=/etc/fault-clock FAKETIME_NO_CACHE=1'),
    inject: async (on) => {
      await on.sh('echo +1100d >/etc/fault-clock; sleep 1');
      const second = await on.run([{ name: 'other', copy: { dest: '/srv/f/other', content: 'x\n' } }]);
      assert.match(complaints(second), /locked by run/);
      await on.sh('echo -1100d >/etc/fault-clock; sleep 1');
      assert.not(on.isOver(), 'the step was ended');
      await on.go();
    },
    observe: async (on) => assert.ok(yearOf(on) <= thisYear() - 3, `the clock never jumped: ${yearOf(on)}`),
    heal: right,
  },
];

const reboot = {
  name: 'reboot',
  reboot: { reboot_timeout: 60, connect_timeout: 3 },
  when: 'mended is not defined',
};

/** Hosts that take their time to come up. */
const bootRows: Fault[] = [
  {
    fault: 'the host boots slowly: its sshd comes 12 s later than it could',
    when: 'in a reboot task',
    seen: 'the run waited for it, and went on after the boot',
    exit: 0,
    says: /4 changed on 1 host/,
    tasks: [usual[0], reboot, usual[1], usual[2]],
    mended: { mended: true },
    within: 120,
    before: async (on) => {
      await on.sh(': >/srv/f/go');
      await lateSshd(on, 12);
    },
    observe: async (on) => assert.is(on.text('/srv/f/c'), 'old\nadded\n'),
    heal: prompt,
  },
  {
    fault: 'the host boots too slowly: its sshd comes after the reboot_timeout',
    when: 'in a reboot task',
    seen: 'the task failed by then, no later one was started',
    exit: 2,
    says: /reboot|not (back|reached)|h\d/,
    tasks: [usual[0], { ...reboot, reboot: { reboot_timeout: 8, connect_timeout: 2 } }, usual[1], usual[2]],
    mended: { mended: true },
    within: 90,
    before: async (on) => {
      await on.sh(': >/srv/f/go');
      await lateSshd(on, 25);
    },
    observe: async (on) => {
      assert.is(on.text('/srv/f/c'), 'old\n');
      await on.lab.ready(on.host);
    },
    heal: prompt,
  },
  {
    fault: 'the host is still booting',
    when: 'as the run begins, with connections tried again (ConnectionAttempts)',
    seen: 'the run went on as soon as sshd was there',
    exit: 0,
    says: /3 changed on 1 host/,
    within: 60,
    before: async (on) => {
      on.sshConfig('ConnectionAttempts 10\n');
      await on.sh(': >/srv/f/go');
      await lateSshd(on, 6);
      await on.sh('systemctl --no-block restart ssh; sleep 0.3');
    },
    heal: prompt,
  },
  {
    fault: 'the host lets only root in (/run/nologin, as while it boots or goes down)',
    when: 'at each login as another user',
    seen: 'nothing happened on the host',
    exit: 4,
    says: /was not let in: System is booting up/,
    vars: { ansible_user: 'deploy', ansible_become: true },
    before: async (on) => {
      on.sshConfig('ConnectionAttempts 2\n');
      await on.sh(": >/srv/f/go; echo 'System is booting up. See pam_nologin(8).' >/run/nologin");
    },
    observe: async (on) => assert.is(on.text('/srv/f/a'), 'old\n'),
    heal: (on) => on.sh('rm -f /run/nologin'),
  },
  {
    fault: 'the host lets only root in for 3 s (/run/nologin)',
    when: 'at logins as another user, with connections tried again (ConnectionAttempts)',
    seen: 'the run went on as soon as it was let in',
    exit: 0,
    says: /3 changed on 1 host/,
    vars: { ansible_user: 'deploy', ansible_become: true },
    before: async (on) => {
      on.sshConfig('ConnectionAttempts 8\n');
      await on.sh(`: >/srv/f/go; echo 'System is booting up. See pam_nologin(8).' >/run/nologin
        systemd-run -q --on-active=3 rm -f /run/nologin`);
    },
    heal: (on) => on.sh('rm -f /run/nologin'),
  },
];

export const timeRows: Fault[] = [...clockRows, ...bootRows];

const thisYear = () => new Date().getFullYear();
const yearOf = (on: Scene) => Number(on.text('/srv/f/year'));

async function skewed(on: Scene, variables: string) {
  await on.sh(`[ -e ${library} ] || { apt-get -qq update && apt-get -qq install libfaketime; } >/dev/null 2>&1
    echo +0d >/etc/fault-clock; [ -e ${library} ]
    echo 'SetEnv LD_PRELOAD=${library} ${variables}' >/etc/ssh/sshd_config.d/00-fault.conf; systemctl restart ssh`);
}

function right(on: Scene) {
  return on.sh('rm -f /etc/ssh/sshd_config.d/00-fault.conf /etc/fault-clock; systemctl restart ssh');
}

function lateSshd(on: Scene, seconds: number) {
  return on.sh(
    `mkdir -p /etc/systemd/system/ssh.service.d; printf '${late(seconds)}' >/etc/systemd/system/ssh.service.d/fault.conf; systemctl daemon-reload`,
  );
}

function prompt(on: Scene) {
  return on.sh('rm -rf /etc/systemd/system/ssh.service.d; systemctl daemon-reload');
}
