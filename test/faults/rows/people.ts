import * as assert from 'uvu/assert';
import { complaints } from '../../lab/support/run.ts';
import type { Fault } from '../support/fault.ts';
import type { Scene } from '../support/scene.ts';
import { pause } from '../support/until.ts';

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
        ": >/srv/f/go; mkdir /run/kpush.lock; printf '%s\\n' 0123456789abcdef 20200101-000000-aaaaaa nobody 'other-boot 4000000 1' 2020-01-01T00:00:00Z 'x y 4000001' >/run/kpush.lock/owner",
      ),
    fast: true,
  },
  {
    fault: 'a lock without an owner (its maker died between two commands)',
    when: 'before the run',
    seen: 'the lock was taken over',
    exit: 0,
    says: /3 changed on 1 host/,
    before: (on) => on.sh(': >/srv/f/go; mkdir /run/kpush.lock'),
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
];

async function asker(on: Scene) {
  await on.sh(`id asked >/dev/null 2>&1 || useradd -m -s /bin/bash asked; mkdir -p -m 700 /home/asked/.ssh
    cp /home/deploy/.ssh/authorized_keys /home/asked/.ssh/; chown -R asked: /home/asked/.ssh
    echo asked:asked | chpasswd; echo 'asked ALL=(ALL:ALL) ALL' >/etc/sudoers.d/asked; : >/srv/f/go`);
}
