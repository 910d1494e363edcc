import type { Identity } from '../../src/core/identity.ts';
import type { Session, Target } from '../../src/core/session.ts';
import { openSession, type SessionDeps } from '../../src/remote/session.ts';
import { anyTransport } from '../../src/transports/index.ts';
import { type HostProcess, Lab } from '../lab-kit/index.ts';
import { target, waitFor } from '../unit/remote/support.ts';

/** Password of the user `asked`, whose sudo wants it. */
export const password = "pass 'word";

/** One host with users for every way to become: deploy (sudo without password), asked (with), plain (none). */
export function remoteLab(): Promise<Lab> {
  return Lab.shared('remote', { hosts: 1 }, async (lab) => {
    await lab.sh('h1', [
      'sh',
      '-ec',
      `for user in asked plain; do
         useradd --create-home --shell /bin/bash $user
         mkdir -m 700 /home/$user/.ssh
         cp /home/deploy/.ssh/authorized_keys /home/$user/.ssh/
         chown -R $user: /home/$user/.ssh
       done
       printf 'asked:%s\\n' "$1" | chpasswd
       echo 'asked ALL=(ALL:ALL) ALL' >/etc/sudoers.d/asked
       ln -s /bin/busybox /usr/local/bin/ash
       mkdir /opt/busybox
       busybox --install -s /opt/busybox
       ln -s /usr/bin/sudo /opt/busybox/sudo
       printf '#!/opt/busybox/sh\\nPATH=/opt/busybox exec /opt/busybox/sh "$@"\\n' >/usr/local/bin/busybox-only
       chmod +x /usr/local/bin/busybox-only`,
      'sh',
      password,
    ]);
  });
}

export function hostTarget(lab: Lab, more: Partial<Target> = {}): Target {
  const host = lab.hosts[0]!;
  return target({
    host: host.name,
    transport: 'ssh',
    address: host.address,
    user: 'root',
    identityFiles: [lab.keyPath],
    knownHostsFiles: [lab.knownHostsPath],
    ...more,
  });
}

export function hostSession(lab: Lab, more: Partial<Target> = {}, deps: Partial<SessionDeps> = {}): Session {
  return openSession(hostTarget(lab, more), { transport: anyTransport, ...deps });
}

/** Who does something, and how they log in. */
export interface Way {
  name: string;
  login: Partial<Target>;
  identity: Identity;
}

const sudo = (user: string): Identity => ({ become: { method: 'sudo', user } });

export const ways: Way[] = [
  { name: 'root', login: {}, identity: {} },
  { name: 'sudo -n', login: { user: 'deploy' }, identity: sudo('root') },
  { name: 'sudo -S', login: { user: 'asked', becomePassword: password }, identity: sudo('root') },
  { name: 'sudo -S that does not ask', login: { user: 'deploy', becomePassword: 'whatever' }, identity: sudo('root') },
  { name: 'root to deploy by sudo', login: {}, identity: sudo('deploy') },
  { name: 'root to deploy by runuser', login: {}, identity: { become: { method: 'runuser', user: 'deploy' } } },
];

/** The last one finds no tool but busybox's. */
export const hostShells = ['/bin/dash', '/bin/bash', '/usr/local/bin/ash', '/usr/local/bin/busybox-only'];

/** Processes on the host that were not there before and are no part of the system's own comings and goings. */
export class Watch {
  private readonly lab: Lab;
  private readonly before: Set<number>;

  constructor(lab: Lab) {
    this.lab = lab;
    this.before = new Set(lab.processes('h1').map(({ pid }) => pid));
  }

  ours(): HostProcess[] {
    return this.lab.processes('h1').filter(({ pid, cmdline }) => !this.before.has(pid) && !isSystem(cmdline));
  }

  running(word: string): boolean {
    return this.ours().some(({ cmdline }) => cmdline.join(' ').includes(word));
  }

  /** Waits until nothing of ours is left; says what is when time is up. */
  async empty(ms: number): Promise<void> {
    const what = () => JSON.stringify(this.ours().map(({ cmdline }) => cmdline.join(' ').slice(0, 80)));
    await waitFor('no process of ours', () => this.ours().length === 0, ms).catch((error: Error) => {
      throw new Error(`${error.message}: ${what()}`);
    });
  }
}

function isSystem(cmdline: string[]): boolean {
  return (
    cmdline.length === 0 ||
    /^(sshd|\/usr\/sbin\/sshd|\/lib\/systemd|\(sd-pam\)|\(|systemd|\/usr\/bin\/dbus|dbus)/.test(cmdline[0]!)
  );
}

/** A step that works, has a child beside it, and does not end on TERM. */
export const stubborn =
  'echo begun; sleep 331 & sh -c \'trap "" TERM; sleep 332; sleep 333; sleep 334\'; echo on; sleep 335';
