import * as assert from 'uvu/assert';
import { complaints } from '../../lab/support/run.ts';
import type { Fault } from '../support/fault.ts';
import { type Scene, usual } from '../support/scene.ts';
import { pause } from '../support/until.ts';

/** As a user that no earlier task became: its shell is opened in the middle. */
const other = {
  name: 'other',
  shell: 'echo other >/srv/f/other',
  become_user: 'kept',
  when: 'mended is not defined',
};

/** What people do at the same time, or wrongly. */
export const peopleRows: Fault[] = [
  {
    fault: 'a second operator applies to the same host',
    when: 'in a shell step of the first',
    seen: 'the second changed nothing and says who holds the lock; the first went on',
    exit: 0,
    says: /3 changed on 1 host/,
    inject: async (on) => {
      const second = await on.run([{ name: 'other', copy: { dest: '/srv/f/other', content: 'x\n' } }]);
      assert.is(second.exit, 4);
      assert.match(complaints(second), /locked by run \S+ of .* since \d{4}-/);
      assert.is(on.text('/srv/f/other'), '');
      await on.go();
    },
    fast: true,
  },
  {
    fault: 'a second operator plans meanwhile',
    when: 'in a shell step of the first',
    seen: 'a run that changes nothing takes no lock and is not in the way',
    exit: 0,
    says: /3 changed on 1 host/,
    inject: async (on) => {
      const second = await on.run([{ name: 'same', copy: { dest: '/srv/f/c', content: 'old\n' } }]);
      assert.is(second.exit, 0, complaints(second));
      await on.go();
    },
  },
  {
    fault: 'somebody edits the file between plan and change',
    when: 'while an earlier task of the same run waits',
    seen: 'the edit is kept: the line was added to what was there then',
    exit: 0,
    says: /3 changed on 1 host/,
    inject: async (on) => {
      await on.sh("printf 'edited\\n' >/srv/f/c");
      await on.go();
    },
    observe: async (on) => {
      assert.match(on.text('/srv/f/c'), /^edited\nadded\n$/);
      // For the check that every row ends with.
      await on.sh("printf 'old\\nadded\\n' >/srv/f/c");
    },
  },
  {
    fault: 'a lock whose owner is gone (another boot, a dead process)',
    when: 'before the run',
    seen: 'the lock was taken over at once',
    exit: 0,
    says: /3 changed on 1 host/,
    before: (on) =>
      on.sh(
        ": >/srv/f/go; printf '%s\\n' 0123456789abcdef 20200101-000000-aaaaaa nobody 'other-boot 4000000 1' 2020-01-01T00:00:00Z 'x y 4000001' >/run/kpush.lock",
      ),
    fast: true,
  },
  {
    fault: 'a lock without an owner (its maker died between two commands)',
    when: 'before the run',
    seen: 'the lock was taken over',
    exit: 0,
    says: /3 changed on 1 host/,
    before: (on) => on.sh(': >/srv/f/go; : >/run/kpush.lock'),
  },
  {
    fault: 'a wrong sudo password',
    when: 'from the start',
    seen: 'one attempt in the log of sudo, nothing changed',
    exit: 4,
    says: /wrong password/,
    vars: { ansible_user: 'asked', ansible_become: true, ansible_become_password: 'not it' },
    before: asker,
    mended: { ansible_become_password: 'asked' },
    observe: async (on) => assert.is(on.text('/srv/f/a'), 'old\n'),
  },
  {
    fault: 'the right to use sudo is taken away',
    when: 'in a shell step that runs as root',
    seen: 'the shell that there is goes on to the end',
    exit: 0,
    says: /3 changed on 1 host/,
    vars: { ansible_user: 'asked', ansible_become: true, ansible_become_password: 'asked' },
    before: async (on) => {
      await asker(on);
      await on.sh('rm -f /srv/f/go');
    },
    inject: async (on) => {
      await on.sh('rm /etc/sudoers.d/asked');
      await on.go();
    },
    heal: async (on) => {
      await pause(100);
      await on.sh("echo 'asked ALL=(ALL:ALL) ALL' >/etc/sudoers.d/asked");
    },
  },
  {
    fault: 'the sudo password expires (chage -d 0)',
    when: 'in a shell step, before a task as a third user',
    seen: 'that task was not started; what was done stays done',
    exit: 4,
    says: /become kept.*(expired|required to change)/s,
    vars: { ansible_user: 'asked', ansible_become: true, ansible_become_password: 'asked' },
    tasks: [...usual, other],
    mended: { mended: true },
    before: held,
    inject: async (on) => {
      await on.sh('chage -d 0 asked');
      await on.go();
    },
    observe: async (on) => assert.is(on.text('/srv/f/other'), ''),
    heal: (on) => on.sh('chage -d -1 asked'),
  },
  {
    fault: 'the sudo password is changed',
    when: 'in a shell step, before a task as a third user',
    seen: 'that task was not started, one attempt in the log of sudo',
    exit: 4,
    says: /become kept.*wrong password/s,
    vars: { ansible_user: 'asked', ansible_become: true, ansible_become_password: 'asked' },
    tasks: [...usual, other],
    mended: { mended: true },
    before: held,
    inject: async (on) => {
      await on.sh('echo asked:another | chpasswd');
      await on.go();
    },
    observe: async (on) => assert.is(on.text('/srv/f/other'), ''),
    heal: (on) => on.sh('echo asked:asked | chpasswd'),
  },
  {
    fault: 'sudo forgets at once that it was told the password (timestamp_timeout=0), and is told to (sudo -K)',
    when: 'in a shell step, before a task as a third user',
    seen: 'the password was given again, the run went on',
    exit: 0,
    says: /4 changed on 1 host/,
    vars: { ansible_user: 'asked', ansible_become: true, ansible_become_password: 'asked' },
    tasks: [...usual, other],
    mended: { mended: true },
    before: async (on) => {
      await held(on);
      await on.sh("echo 'Defaults timestamp_timeout=0' >>/etc/sudoers.d/asked");
    },
    inject: async (on) => {
      await on.sh('runuser -u asked -- sudo -K; rm -rf /run/sudo/ts/*');
      await on.go();
    },
  },
  {
    fault: 'a locale that the host does not have, and umask 777 for each login',
    when: 'from the start',
    seen: 'files have the modes that were asked for',
    exit: 0,
    says: /3 changed on 1 host/,
    before: (on) =>
      on.sh(
        `: >/srv/f/go; cp /etc/environment /root/environment.kept 2>/dev/null || : >/root/environment.kept
         printf 'LC_ALL=tr_TR.UTF-8\nLANG=ja_JP.eucJP\n' >>/etc/environment; cp /root/.bashrc /root/bashrc.kept; echo 'umask 777' >>/root/.bashrc
         echo 'session optional pam_umask.so umask=0777' >>/etc/pam.d/sshd`,
      ),
    observe: async (on) => assert.is(await on.sh('stat -c %a /srv/f/a'), '644'),
    heal: (on) =>
      on.sh(
        "mv /root/environment.kept /etc/environment; mv /root/bashrc.kept /root/.bashrc; sed -i '/pam_umask.so umask=0777/d' /etc/pam.d/sshd",
      ),
  },
];

async function held(on: Scene) {
  await asker(on);
  await on.sh(
    'id kept >/dev/null 2>&1 || useradd -m -s /bin/bash kept; chmod 777 /srv/f; rm -f /srv/f/go /srv/f/other',
  );
}

async function asker(on: Scene) {
  await on.sh(`id asked >/dev/null 2>&1 || useradd -m -s /bin/bash asked; mkdir -p -m 700 /home/asked/.ssh
    cp /home/deploy/.ssh/authorized_keys /home/asked/.ssh/; chown -R asked: /home/asked/.ssh
    echo asked:asked | chpasswd; echo 'asked ALL=(ALL:ALL) ALL' >/etc/sudoers.d/asked; : >/srv/f/go`);
}
