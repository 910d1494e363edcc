import * as assert from 'uvu/assert';
import type { Fault } from '../support/fault.ts';
import type { Scene } from '../support/scene.ts';
import { fresh } from '../support/scene.ts';

const small = (options: string) =>
  `mount -t tmpfs -o ${options} tmpfs /srv/f; cd /srv/f; echo old >a; echo old >c; : >go`;
/** A mount namespace for sshd and all that it starts: nothing else of the host is touched. */
const underSshd = (text: string) =>
  `mkdir -p /etc/systemd/system/ssh.service.d; printf '${text}' >/etc/systemd/system/ssh.service.d/fault.conf; systemctl daemon-reload; systemctl restart ssh`;
const unmount = (on: Scene) =>
  on.sh(
    'cp -a /srv/f /srv/kept; umount /srv/f; rm -rf /srv/kept/fill* /srv/kept/lost+found; cp -a /srv/kept/. /srv/f/; rm -r /srv/kept',
  );
const old = async (on: Scene) => assert.equal([on.text('/srv/f/a'), on.text('/srv/f/c')], ['old\n', 'old\n']);

/** What disks refuse. */
export const diskRows: Fault[] = [
  {
    fault: 'disk full',
    when: 'in a write',
    seen: 'the old file is there whole, no temp is left',
    exit: 2,
    says: /no space left on \/srv\/f/i,
    before: (on) => on.sh(`${small('size=64k')}; head -c 60000 /dev/zero >fill 2>/dev/null; true`),
    observe: async (on) => {
      await old(on);
    },
    heal: unmount,
    fast: true,
  },
  {
    fault: 'no inode left',
    when: 'in a write',
    seen: 'the old file is there whole',
    exit: 2,
    says: /no (space|inodes) left/i,
    before: (on) => on.sh(`${small('size=1m,nr_inodes=8')}; touch fill1 fill2 fill3 fill4 2>/dev/null; true`),
    observe: old,
    heal: unmount,
  },
  {
    fault: 'file system read-only',
    when: 'in a write',
    seen: 'the old file is there whole',
    exit: 2,
    says: /read-only file system/i,
    before: (on) => on.sh(`${small('size=1m')}; mount -o remount,ro /srv/f`),
    observe: old,
    heal: async (on) => {
      await on.sh('mount -o remount,rw /srv/f');
      await unmount(on);
    },
  },
  {
    fault: 'the whole root read-only',
    when: 'in a write',
    seen: 'the old file is there whole',
    exit: 2,
    says: /read-only file system/i,
    before: (on) =>
      on.sh(`: >/srv/f/go; ${underSshd('[Service]\\nProtectSystem=strict\\nReadWritePaths=/run /tmp\\n')}`),
    observe: old,
    heal: (on) => on.sh('rm -rf /etc/systemd/system/ssh.service.d; systemctl daemon-reload; systemctl restart ssh'),
  },
  {
    fault: '/run full',
    when: 'as the lock is taken',
    seen: 'nothing was changed',
    exit: 4,
    says: /cannot (write|make)|no space/i,
    before: (on) => on.sh(': >/srv/f/go; mkdir -p /run/kpush; mount -t tmpfs -o size=4k,nr_inodes=1 tmpfs /run/kpush'),
    observe: old,
    heal: (on) => on.sh('umount /run/kpush'),
  },
  {
    fault: '/tmp and /root mounted noexec, /tmp without space',
    when: 'from the start',
    seen: 'the run went on: kpush runs nothing there',
    exit: 0,
    says: /3 changed on 1 host/,
    before: (on) =>
      on.sh(
        'mount -t tmpfs -o noexec,size=4k,nr_inodes=1 tmpfs /tmp; mount --bind /root /root; mount -o remount,bind,noexec /root; : >/srv/f/go',
      ),
    heal: (on) => on.sh('cd /; umount /tmp; umount -l /root'),
  },
  {
    fault: 'an immutable file (chattr +i)',
    when: 'in a write',
    seen: 'the old file is there whole, no temp is left',
    exit: 2,
    says: /immutable|not permitted/i,
    before: (on) => on.sh(': >/srv/f/go; chattr +i /srv/f/a'),
    observe: old,
    heal: (on) => on.sh('chattr -i /srv/f/a'),
  },
  {
    fault: 'a program that runs is replaced (ETXTBSY)',
    when: 'in a write',
    seen: 'the new program is in place, the old one runs on',
    exit: 0,
    says: /1 changed on 1 host/,
    tasks: [{ name: 'program', copy: { dest: '/srv/f/program', content: '#!/bin/sh\ntrue\n', mode: '0755' } }],
    before: (on) =>
      on.sh(
        'cp /bin/sleep /srv/f/program; (exec -a fault-spared setsid /srv/f/program 20) >/dev/null 2>&1 & sleep 0.2',
      ),
    observe: async (on) => assert.is(on.text('/srv/f/program'), '#!/bin/sh\ntrue\n'),
    heal: (on) => on.sh('pkill -f "[f]ault-spared" || true'),
  },
  {
    fault: 'a link planted at the place of the target',
    when: 'before the run',
    seen: 'the link was replaced by the file, what it led to is as it was',
    exit: 0,
    says: /1 changed on 1 host/,
    tasks: [{ name: 'write', copy: { dest: '/srv/f/a', content: fresh, follow: false } }],
    before: (on) => on.sh('echo kept >/srv/f/victim; ln -sf victim /srv/f/a'),
    observe: async (on) => assert.is(on.text('/srv/f/victim'), 'kept\n'),
  },
  {
    fault: 'links planted at names of temps, and an old temp of a dead run',
    when: 'before the run',
    seen: 'no link was followed; the old temp is gone',
    exit: 0,
    says: /3 changed on 1 host/,
    before: (on) =>
      on.sh(
        ': >/srv/f/go; echo kept >/srv/victim; cd /srv/f; ln -s /srv/victim .kpush-20200101-000000-aaaaaa-0123456789abcdef.tmp; echo x >.kpush-20200101-000000-bbbbbb-0123456789abcdef.tmp',
      ),
    observe: async (on) => assert.is(on.text('/srv/victim'), 'kept\n'),
    fast: true,
  },
];
