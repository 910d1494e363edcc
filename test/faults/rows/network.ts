import * as assert from 'uvu/assert';
import type { Fault } from '../support/fault.ts';
import type { Scene } from '../support/scene.ts';
import { pause, until } from '../support/until.ts';

const alive = (seconds: number) => `-o ServerAliveInterval=${seconds} -o ServerAliveCountMax=2`;
const outward = '-o host0 -m comment --comment fault -j DROP';
const lost = /was lost|nothing came|heard nothing|ended|closed/;

/** What is done to the way between, and to the host's end of it. */
export const networkRows: Fault[] = [
  {
    fault: 'packets dropped for 2 s, then healed',
    when: 'in a shell step, before any deadline',
    seen: 'nothing was noticed, the run went on',
    exit: 0,
    env: { KPUSH_DEADLINE: '30' },
    says: /3 changed on 1 host/,
    inject: async (on) => {
      await on.lab.drop(on.host);
      await pause(2000);
      await on.lab.undrop(on.host);
      await on.go();
    },
    heal: (on) => on.lab.undrop(on.host),
    fast: true,
  },
  {
    fault: 'packets to the host dropped for good (those from it come through)',
    when: 'in a shell step',
    seen: 'the step is gone by the deadline; kpush hears so from the host',
    exit: 4,
    says: /heard nothing from us and ended what ran/,
    vars: { ansible_ssh_extra_args: alive(2) },
    inject: (on) => on.lab.drop(on.host),
    heal: (on) => on.lab.undrop(on.host),
  },
  {
    fault: 'packets from the host dropped for good (those to it come through)',
    when: 'in a shell step',
    seen: 'kpush gives up after its keepalive; the host sees it go and ends the step',
    exit: 4,
    says: /nothing came from h\d for 4 s/,
    vars: { ansible_ssh_extra_args: alive(2) },
    inject: (on) => on.sh(`iptables -w -I OUTPUT ${outward}`),
    heal: (on) => on.sh(`iptables -w -D OUTPUT ${outward}`),
  },
  {
    fault: 'packets dropped both ways, healed after kpush gave up',
    when: 'in a shell step',
    seen: 'the step is gone by the deadline, before the link healed',
    exit: 4,
    says: /nothing came from h\d for 4 s/,
    vars: { ansible_ssh_extra_args: alive(2) },
    inject: async (on) => {
      await on.sh(`iptables -w -I OUTPUT ${outward}`);
      await on.lab.drop(on.host);
      await until(
        () => on.isOver() && !on.lab.processes(on.host).some(({ cmdline }) => cmdline.join(' ').includes('/srv/f/go')),
        12,
        () => 'the step goes on',
      );
    },
    heal: async (on) => {
      await on.sh(`iptables -w -D OUTPUT ${outward}`);
      await on.lab.undrop(on.host);
    },
  },
  {
    fault: 'packets dropped, healed after the deadline and before the keepalive gives up',
    when: 'in a shell step',
    seen: 'the host ended the step; kpush says that the host heard nothing',
    exit: 4,
    says: /heard nothing from us and ended what ran/,
    inject: async (on) => {
      await on.lab.drop(on.host);
      await pause(9000);
      await on.lab.undrop(on.host);
    },
    heal: (on) => on.lab.undrop(on.host),
  },
  {
    fault: 'the link down for good',
    when: 'in a shell step',
    seen: 'the step is gone by the deadline',
    exit: 4,
    says: lost,
    vars: { ansible_ssh_extra_args: alive(2) },
    inject: (on) => on.lab.cut(on.host),
    heal: (on) => on.lab.heal(on.host),
  },
  {
    fault: 'the host is not there (packets dropped)',
    when: 'before the run',
    seen: 'nothing happened on the host',
    exit: 4,
    says: /no connection in time/,
    vars: { ansible_timeout: 3 },
    before: (on) => on.lab.drop(on.host),
    heal: (on) => on.lab.undrop(on.host),
    observe: untouched,
  },
  {
    fault: 'the link is down',
    when: 'before the run',
    seen: 'nothing happened on the host',
    exit: 4,
    says: /EHOSTUNREACH|unreachable|timed out/i,
    vars: { ansible_timeout: 5 },
    before: (on) => on.lab.cut(on.host),
    heal: (on) => on.lab.heal(on.host),
    observe: untouched,
  },
  {
    fault: "this connection's sshd killed -9 on the host",
    when: 'in a shell step',
    seen: 'the step and its shell are gone within 5 s',
    exit: 4,
    says: lost,
    inject: (on) => on.sh(`kill -9 ${sshdOf(on)}`),
    fast: true,
  },
  {
    fault: "this connection's sshd frozen (SIGSTOP) on the host",
    when: 'in a shell step',
    seen: 'the step is gone by the deadline; kpush gives up after its keepalive',
    exit: 4,
    says: /nothing came from h\d for 4 s/,
    vars: { ansible_ssh_extra_args: alive(2) },
    inject: (on) => on.sh(`kill -STOP ${sshdOf(on)}`),
    heal: (on) => on.sh('pkill -KILL -f "^sshd: root" || true'),
  },
  {
    fault: 'sshd restarted on the host',
    when: 'in a shell step',
    seen: 'the connection is not touched, the run went on',
    exit: 0,
    says: /3 changed on 1 host/,
    inject: async (on) => {
      await on.sh('systemctl restart ssh');
      await on.go();
    },
  },
  {
    fault: 'sshd stopped on the host',
    when: 'before the run',
    seen: 'nothing happened on the host',
    exit: 4,
    says: /ECONNREFUSED|refused/i,
    before: (on) => on.sh('systemctl stop ssh'),
    heal: (on) => on.sh('systemctl start ssh'),
    observe: untouched,
  },
  {
    fault: 'all processes of the host frozen',
    when: 'before the run',
    seen: 'nothing happened on the host: its kernel takes connections, nobody answers',
    exit: 4,
    says: /h\d/,
    vars: { ansible_timeout: 3 },
    before: async (on) => on.lab.freeze(on.host),
    heal: async (on) => on.lab.thaw(on.host),
    observe: untouched,
  },
  {
    fault: 'the shell of kpush killed -9 on the host',
    when: 'in a shell step',
    seen: 'the step ended within 5 s',
    exit: 4,
    says: lost,
    inject: (on) => on.sh("kill -9 $(pgrep -f '^/bin/sh -s' | head -1)"),
  },
  {
    fault: 'the host crashes and is booted again',
    when: 'in a shell step',
    seen: 'files are old or new, the lock is gone with the boot',
    exit: 4,
    says: lost,
    vars: { ansible_ssh_extra_args: alive(2) },
    inject: (on) => on.lab.crash(on.host),
    heal: (on) => on.lab.boot(on.host),
  },
  {
    fault: 'the host is powered off in order',
    when: 'in a shell step',
    seen: 'files are old or new, the lock is gone with the boot',
    exit: 4,
    says: lost,
    vars: { ansible_ssh_extra_args: alive(2) },
    inject: (on) => on.lab.poweroff(on.host),
    heal: (on) => on.lab.boot(on.host),
  },
  {
    fault: 'somebody reboots the host',
    when: 'in a shell step',
    seen: 'the run is told as lost; nothing of it goes on after the boot',
    exit: 4,
    says: lost,
    vars: { ansible_ssh_extra_args: alive(2) },
    inject: async (on) => {
      const boot = on.lab.bootId(on.host)!;
      await on.lab.exec(on.host, 'systemctl reboot');
      await on.lab.ready(on.host, { notBoot: boot });
    },
  },
  {
    fault: 'another host key',
    when: 'before the run',
    seen: 'nothing happened on the host, no login was tried',
    exit: 4,
    says: /its key has changed: .*try: if it was reinstalled: ssh-keygen -R/s,
    before: (on) =>
      on.sh(
        'mkdir /root/keys && mv /etc/ssh/ssh_host_* /root/keys/ && ssh-keygen -q -t ed25519 -N "" -f /etc/ssh/ssh_host_ed25519_key && systemctl restart ssh',
      ),
    heal: (on) => on.sh('rm /etc/ssh/ssh_host_*; mv /root/keys/* /etc/ssh/; rmdir /root/keys; systemctl restart ssh'),
    observe: untouched,
    fast: true,
  },
  {
    fault: 'MaxSessions 1',
    when: 'from the start',
    seen: 'a second connection is made where one does not do',
    exit: 0,
    says: /3 changed on 1 host/,
    before: (on) => configured(on, 'MaxSessions 1'),
    heal: restored,
    observe: async (on) => assert.is(on.text('/srv/f/a').length, 24_000),
  },
  {
    fault: 'MaxStartups 1:100:1 with strangers in the way',
    when: 'from the start',
    seen: 'kpush tries again until it is let in',
    exit: 0,
    says: /3 changed on 1 host/,
    before: async (on) => {
      on.sshConfig('ConnectionAttempts 8\n');
      await configured(on, 'MaxStartups 1:100:1');
      // A stranger who says nothing holds the only place for three seconds.
      await on.sh(
        'setsid bash -c "exec 9<>/dev/tcp/127.0.0.1/22; exec -a fault-spared sleep 3" >/dev/null 2>&1 & sleep 0.3',
      );
    },
    heal: restored,
  },
  {
    fault: 'the connection reset in the handshake',
    when: 'each time',
    seen: 'nothing happened on the host',
    exit: 4,
    says: /reset|closed/i,
    before: async (on) => {
      on.sshConfig('ConnectionAttempts 2\n');
      await on.sh(`systemctl stop ssh.socket ssh; ${resetting}`);
    },
    heal: (on) => on.sh('pkill -f "[f]ault-spared"; systemctl start ssh'),
    observe: untouched,
  },
  {
    fault: 'the key of kpush refused',
    when: 'from the start',
    seen: 'nothing happened on the host',
    exit: 4,
    says: /authenticat|permission denied|publickey/i,
    before: (on) => on.sh('mv /root/.ssh/authorized_keys /root/.ssh/away'),
    heal: (on) => on.sh('mv /root/.ssh/away /root/.ssh/authorized_keys'),
    observe: untouched,
  },
];

/** Takes connections to port 22, reads what comes first, and resets them (SO_LINGER of 0 s). */
const resetting = `setsid bash -c 'exec -a fault-spared perl -MSocket -e "
  socket(L, PF_INET, SOCK_STREAM, 0); setsockopt(L, SOL_SOCKET, SO_REUSEADDR, 1);
  bind(L, sockaddr_in(22, INADDR_ANY)) or die; listen(L, 9);
  while (accept(C, L)) { sysread(C, \\$x, 9); setsockopt(C, SOL_SOCKET, SO_LINGER, pack(q(ii), 1, 0)); close C }
"' >/dev/null 2>&1 & sleep 0.5`;

async function untouched(on: Scene) {
  assert.is(on.text('/srv/f/a'), 'old\n');
}

/** The sshd that serves the connection of kpush: the parent of its keeper. */
function sshdOf(on: Scene): number {
  const all = on.lab.processes(on.host);
  const keeper = all.find(({ cmdline }) => cmdline.includes('kpush'));
  assert.ok(keeper, 'no shell of kpush runs');
  return keeper.ppid;
}

async function configured(on: Scene, line: string) {
  await on.sh(`echo '${line}' >/etc/ssh/sshd_config.d/00-fault.conf; systemctl restart ssh`);
}

function restored(on: Scene) {
  return on.sh('rm -f /etc/ssh/sshd_config.d/00-fault.conf; systemctl restart ssh');
}
