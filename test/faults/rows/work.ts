import * as assert from 'uvu/assert';
import type { Fault } from '../support/fault.ts';
import type { Scene } from '../support/scene.ts';
import { pause } from '../support/until.ts';

const unitPath = '/etc/systemd/system/kf.service';
const good = '[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/true\n';
const write = { name: 'unit', copy: { dest: unitPath, content: '{{ text }}', mode: '0644' } };
const start = { name: 'start', systemd: { name: 'kf', state: 'started', daemon_reload: true } };
const unit = (text: string) => ({ tasks: [write, start], vars: { text }, mended: { text: good } });
const gone = (on: Scene) =>
  on.sh(`systemctl stop kf 2>/dev/null; systemctl reset-failed; rm -f ${unitPath}; systemctl daemon-reload`);

/** Units and steps that do not do what is hoped. */
const unitRows: Fault[] = [
  {
    fault: 'a unit fails to start',
    when: 'in a start',
    seen: 'the task failed with the last lines of its log',
    exit: 2,
    says: /what went wrong/,
    ...unit('[Service]\nType=oneshot\nExecStart=/bin/sh -c "echo what went wrong; exit 9"\n'),
    before: gone,
    fast: true,
  },
  {
    fault: 'a unit hangs in start',
    when: 'in a start with a timeout of 3 s for the task',
    seen: 'the task failed after 3 s, systemctl was ended',
    exit: 2,
    says: /timed out|timeout/i,
    ...unit('[Service]\nType=oneshot\nExecStart=/bin/sleep 600\n'),
    tasks: [write, { ...start, timeout: 3 }],
    before: gone,
    heal: (on) => on.sh('systemctl kill --signal=KILL kf; systemctl stop kf || true'),
  },
  {
    fault: 'a unit flaps: it dies half a second after each start',
    when: 'in a start',
    seen: 'found at the end of the trip, though systemctl said it had started',
    exit: 2,
    says: /did not stay up/,
    ...unit('[Service]\nRestart=always\nRestartSec=100ms\nExecStart=/bin/sh -c "sleep 0.4; exit 3"\n'),
    before: gone,
    heal: (on) => on.sh('systemctl stop kf'),
  },
  {
    fault: 'the start limit of a unit is hit',
    when: 'in a start',
    seen: 'the task failed and says so',
    exit: 2,
    says: /start-limit-hit|too quickly|start limit/i,
    ...unit('[Unit]\nStartLimitBurst=1\nStartLimitIntervalSec=600\n[Service]\nExecStart=/bin/false\n'),
    before: async (on) => {
      await gone(on);
      await on.sh(`printf '[Unit]\\nStartLimitBurst=1\\nStartLimitIntervalSec=600\\n[Service]\\nExecStart=/bin/false\\n' >${unitPath}
        systemctl daemon-reload; systemctl start kf; sleep 0.5; systemctl start kf; true`);
    },
    heal: (on) => on.sh('systemctl reset-failed'),
  },
  {
    fault: 'a step that takes longer than its timeout',
    when: 'in a shell step with children that ignore TERM',
    seen: 'all of them are gone 2 s after the timeout',
    exit: 2,
    says: /timed out|timeout/i,
    tasks: [
      {
        name: 'long',
        shell: '[ -e /srv/f/mended ] || { sh -c \'trap "" TERM; sleep 301; sleep 302\' & sleep 303; }; : >/srv/f/done',
        args: { creates: '/srv/f/done' },
        timeout: 2,
      },
    ],
    heal: (on) => on.sh(': >/srv/f/mended'),
    fast: true,
  },
];

const flood = (words: string) => ({
  tasks: [
    { name: 'flood', shell: `[ -e /srv/f/done ] || { ${words}; : >/srv/f/done; }`, args: { creates: '/srv/f/done' } },
  ],
  within: 240,
  observe: async (on: Scene) => assert.ok(on.peak > 30 && on.peak < 350, `kpush had ${on.peak} MB`),
  inject: undefined,
  exit: 0,
  says: /1 changed on 1 host/,
});

/** Output that is too much, or not for people. kpush may have 350 MB. */
const outputRows: Fault[] = [
  {
    fault: '1 GB on standard output',
    when: 'in a shell step',
    seen: 'the run went on, kpush had less than 350 MB',
    ...flood('yes 0123456789 | head -c 1000000000'),
  },
  {
    fault: '1 GB on standard error',
    when: 'in a shell step',
    seen: 'the run went on, kpush had less than 350 MB',
    ...flood('yes 0123456789 | head -c 1000000000 >&2'),
  },
  {
    fault: 'a line of 300 MB without an end',
    when: 'in a shell step',
    seen: 'the run went on, kpush had less than 350 MB',
    ...flood("head -c 300000000 /dev/zero | tr '\\\\0' x"),
  },
  {
    fault: 'binary output with every byte, and bytes that imitate frames and escapes',
    when: 'in a shell step',
    seen: 'the run went on, no escape reached the terminal',
    ...flood(
      "head -c 1000000 /dev/urandom; printf '\\\\n0123456789abcdef0123456789abcdef end s 0 0\\\\n\\\\033]0;owned\\\\007'",
    ),
    observe: async (on) => assert.not.match(on.output, /\x1b\]0;/),
    fast: true,
  },
];

const apt = { tasks: [{ name: 'package', apt: { name: 'hello', state: 'present' } }] };
const without = (on: Scene) => on.sh('dpkg -P hello >/dev/null 2>&1; apt-get -qq update');

/** Package managers in the way of each other. */
const packageRows: Fault[] = [
  {
    fault: "apt's lock is held for 4 s (lock-frontend)",
    when: 'as a package is installed',
    seen: 'kpush waited, then installed',
    exit: 0,
    says: /1 changed on 1 host/,
    ...apt,
    before: async (on) => {
      await without(on);
      await holdLock(on, 4);
    },
    within: 90,
  },
  {
    fault: "dpkg's own lock is held for 4 s (lock)",
    when: 'as a package is installed',
    seen: 'kpush waited, then installed',
    exit: 0,
    says: /1 changed on 1 host/,
    ...apt,
    before: async (on) => {
      await without(on);
      await holdLock(on, 4, '/var/lib/dpkg/lock');
    },
    within: 90,
  },
  {
    fault: 'the locks of the package lists and of the downloads are held for 4 s',
    when: 'as the lists are updated and a package is installed',
    seen: 'kpush waited, then installed',
    exit: 0,
    says: /1 changed on 1 host/,
    tasks: [{ name: 'package', apt: { name: 'hello', state: 'present', update_cache: true, cache_valid_time: 3600 } }],
    before: async (on) => {
      await without(on);
      await on.sh('rm -rf /var/lib/apt/periodic/update-success-stamp; touch -d "2 days ago" /var/lib/apt/lists');
      await holdLock(on, 4, '/var/lib/apt/lists/lock');
      await holdLock(on, 4, '/var/cache/apt/archives/lock');
    },
    within: 90,
  },
  {
    fault: "apt's lock is held for longer than lock_timeout",
    when: 'as a package is installed',
    seen: 'nothing installed, the holder is named',
    exit: 2,
    says: /lock.*(held|process|holds)|held.*lock/is,
    tasks: [{ name: 'package', apt: { name: 'hello', state: 'present', lock_timeout: 2 } }],
    before: async (on) => {
      await without(on);
      await holdLock(on, 60);
    },
    heal: (on) => on.sh('pkill -f "[f]ault-spared"; sleep 0.2; true'),
    within: 90,
  },
  {
    fault: 'the mirror is down',
    when: 'as the lists are updated',
    seen: 'nothing installed',
    exit: 2,
    says: /Err:|E:|Failed to fetch|Connection/,
    tasks: [{ name: 'package', apt: { name: 'hello', state: 'present', update_cache: true } }],
    before: async (on) => {
      await without(on);
      await on.sh(
        'echo \'Acquire::http::Proxy "http://127.0.0.1:9"; Acquire::https::Proxy "http://127.0.0.1:9"; Acquire::Retries "0";\' >/etc/apt/apt.conf.d/zz-fault; rm -rf /var/lib/apt/lists/*_*',
      );
    },
    heal: (on) => on.sh('rm /etc/apt/apt.conf.d/zz-fault'),
    within: 90,
  },
  {
    fault: 'dpkg was interrupted (half-configured package)',
    when: 'before the run',
    seen: 'repaired, then installed',
    exit: 0,
    says: /1 changed on 1 host/,
    ...apt,
    before: async (on) => {
      await without(on);
      await on.sh(`mkdir -p /tmp/half/DEBIAN; cd /tmp/half
        printf 'Package: half\\nVersion: 1\\nArchitecture: all\\nMaintainer: x <x@example.com>\\nDescription: x\\n' >DEBIAN/control
        printf '#!/bin/sh\\n[ -e /srv/f/mended ] || kill -9 $PPID\\n' >DEBIAN/postinst; chmod 755 DEBIAN DEBIAN/postinst
        dpkg-deb -b . /tmp/half.deb >/dev/null; dpkg -i /tmp/half.deb >/dev/null 2>&1; : >/srv/f/mended; rm -rf /tmp/half*`);
      assert.match(await on.sh('dpkg --audit; ls /var/lib/dpkg/updates'), /half|\d/);
    },
    observe: async (on) => assert.is(await on.sh('dpkg --audit'), ''),
    within: 90,
  },
  {
    fault: 'no such package',
    when: 'as a package is installed',
    seen: 'the task failed, the name is said',
    exit: 2,
    says: /no-such-package-here/,
    tasks: [{ name: 'package', apt: { name: "{{ 'hello' if mended is defined else 'no-such-package-here' }}" } }],
    mended: { mended: true },
    before: without,
    within: 90,
  },
];

export const workRows: Fault[] = [...unitRows, ...outputRows, ...packageRows];

async function holdLock(on: Scene, seconds: number, file = '/var/lib/dpkg/lock-frontend') {
  await on.sh(
    `setsid bash -c 'exec -a fault-spared perl -e "use Fcntl; open F, q(+>>), q(${file}) or die; my \\$l = pack(q(s s l! l! i), F_WRLCK, 0, 0, 0, 0); fcntl(F, F_SETLKW, \\$l) or die; sleep ${seconds}"' >/dev/null 2>&1 &`,
  );
  await pause(300);
}
