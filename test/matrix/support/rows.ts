import { password } from './cells.ts';

/** One thing that hosts are known for, beside the product of shells, ways and tools. */
export interface Row {
  /** Under which heading the table shows it. */
  group: string;
  name: string;
  vars: Record<string, string | number>;
  /** What `id -un` says where the tasks run; root unless said. */
  expected?: string;
  /** Run on the host before and after. */
  before?: string;
  after?: string;
  /** It cannot work: the error, and its hint. */
  fails?: { says: RegExp; hint: RegExp; table: string };
  /** It takes half a minute or more: not in `npm test`. */
  slow?: boolean;
}

const sudo = { ansible_become: 'true', ansible_become_method: 'sudo' };
const asked = { ...sudo, ansible_become_password: password };
const wrong = { ansible_become_password: 'wrong' };
const as = (ansible_user: string, more: Record<string, string | number> = sudo) => ({ ansible_user, ...more });
const port = (ansible_port: number, more: Record<string, string | number> = {}) =>
  as('in-bash', { ansible_port, ...sudo, ...more });
const by = (ansible_become_method: string) => ({ ansible_become: 'true', ansible_become_method });
const needs = { hint: /--ask-become-pass/, table: 'become: a password is needed' };
const refused = {
  says: /cannot become root on h1 by \S+: wrong password$/m,
  hint: /^/,
  table: 'become: wrong password',
};

export const rows: readonly Row[] = [
  ...group('sudo as it is set up', [
    { name: 'targetpw', vars: as('target', asked) },
    { name: 'env_reset and use_pty', vars: as('reset') },
    { name: '!env_reset', vars: as('keep') },
    { name: 'requiretty without a password', vars: as('needs-tty') },
    { name: 'a password that is given and not asked for', vars: as('in-bash', asked) },
  ]),
  ...group('becoming that fails', [
    { name: 'sudo, wrong password', vars: as('asked', { ...sudo, ...wrong }), fails: refused },
    {
      name: 'sudo with requiretty, wrong password',
      vars: as('needs-tty-asked', { ...sudo, ...wrong }),
      fails: refused,
    },
    {
      name: 'sudo-rs, wrong password',
      vars: as('rs', { ...sudo, ...wrong, ansible_become_exe: '/usr/local/bin/sudo-rs' }),
      fails: refused,
    },
    { name: 'su, wrong password', vars: as('asked', { ...by('su'), ...wrong }), fails: refused },
    { name: 'doas, wrong password', vars: as('asked', { ...by('doas'), ...wrong }), fails: refused },
    {
      name: 'sudo without the password it wants',
      vars: as('asked'),
      fails: { says: /a password is required/, ...needs },
    },
    {
      name: 'sudo-rs without the password it wants',
      vars: as('rs', { ...sudo, ansible_become_exe: '/usr/local/bin/sudo-rs' }),
      fails: { says: /interactive authentication is required/, ...needs },
    },
    {
      name: 'su without the password it wants',
      vars: as('asked', by('su')),
      fails: { says: /by su: Password:/, ...needs },
    },
    {
      name: 'doas without the password it wants',
      vars: as('asked', by('doas')),
      fails: { says: /by doas: doas: /, ...needs },
    },
    {
      name: 'not in sudoers',
      vars: as('stranger', asked),
      fails: {
        says: /stranger is not in the sudoers file/,
        hint: /may the login user do that/,
        table: 'become: not in the sudoers file',
      },
    },
    {
      name: 'not in doas.conf',
      vars: as('stranger', { ...by('doas'), ansible_become_password: password }),
      fails: {
        says: /Operation not permitted/,
        hint: /may the login user do that/,
        table: 'become: operation not permitted',
      },
    },
    ...['sudo', 'doas'].map((method) => ({
      name: `${method}, expired password`,
      vars: as('aged', { ...by(method), ansible_become_password: password }),
      fails: expired(method),
    })),
    {
      name: 'an expired account logs in',
      vars: as('expired', {}),
      fails: {
        says: /expired@h1 was not let in: tried publickey/,
        hint: /does `ssh` get in/,
        table: 'auth: not let in',
      },
    },
    {
      name: 'su to an expired account',
      vars: as('asked', { ...by('su'), ansible_become_user: 'expired', ansible_become_password: password }),
      fails: { ...expired('su'), says: /cannot become expired on h1 by su: the account or its password has expired/ },
    },
    {
      name: 'a user that is not there',
      vars: as('in-bash', { ...sudo, ansible_become_user: 'nobody-here' }),
      fails: { says: /unknown user:? nobody-here/, hint: /./, table: 'become: unknown user' },
    },
    {
      name: 'a program that is not there',
      vars: as('in-bash', { ...sudo, ansible_become_exe: 'sudo-of-none' }),
      fails: { says: /not found/, hint: /is sudo installed there/, table: 'become: not found' },
    },
  ]),
  ...group('start files', [
    ...['bash', 'zsh', 'ksh', 'fish', 'tcsh'].map((shell) => ({
      name: `${shell}: print and change everything`,
      vars: as(`loud-${shell}`),
    })),
    { name: 'sleep', vars: as('slow') },
    { name: 'exec another shell with what it was given', vars: as('swaps') },
    {
      name: 'exec something that takes all input',
      vars: as('swallows', { ...sudo, ansible_timeout: 1 }),
      fails: {
        says: /h1 has not let us become root in 31 s/,
        hint: /does an rc file/,
        table: 'timeout: no shell in time',
      },
      slow: true,
    },
    {
      name: 'exit',
      vars: as('leaves', {}),
      fails: {
        says: /leaves@h1 gave no usable shell \(exit 7\): go away/,
        hint: /log in by hand/,
        table: 'unreachable: no usable shell (exit 7)',
      },
    },
    { name: 'umask 077', vars: as('umask') },
    { name: 'umask 077, the login user', vars: as('umask', {}), expected: 'umask' },
    { name: 'LC_ALL=tr_TR.UTF-8', vars: as('locale') },
  ]),
  ...group('login shells that are none', [
    {
      name: 'nologin',
      vars: as('in-nologin', {}),
      fails: {
        says: /in-nologin@h1 gave no usable shell .*currently not available/s,
        hint: /log in by hand/,
        table: 'unreachable: no usable shell',
      },
    },
    {
      name: 'one that is no POSIX shell',
      vars: as('in-nu', {}),
      fails: {
        says: /in-nu@h1 gave no usable shell .*this is no shell of POSIX/s,
        hint: /log in by hand/,
        table: 'unreachable: no usable shell',
      },
    },
    {
      name: 'a forced command',
      vars: as('forced', {}),
      fails: {
        says: /forced@h1 gave no usable shell \(exit 0\): only this/,
        hint: /log in by hand/,
        table: 'unreachable: no usable shell',
      },
    },
  ]),
  ...group('sshd as it is set up', [
    { name: 'Banner and MOTD', vars: port(2201) },
    { name: 'AcceptEnv none', vars: port(2202) },
    { name: 'no sftp', vars: port(2203) },
    { name: 'MaxSessions 1', vars: port(2204) },
    { name: 'RekeyLimit 1M', vars: port(2205) },
    { name: 'password only', vars: port(2206, { ansible_password: password }) },
    { name: 'keyboard-interactive only', vars: port(2207, { ansible_password: password }) },
    {
      name: 'openssh: keyboard-interactive only',
      vars: port(2207, { ansible_password: password, ansible_connection: 'openssh' }),
    },
    { name: 'MaxAuthTries 2', vars: port(2208) },
  ]),
  ...group('file systems', [
    {
      name: 'noexec /tmp and home',
      vars: as('in-bash'),
      before: 'mount -t tmpfs -o noexec tmpfs /tmp; mount --bind /home /home; mount -o remount,bind,noexec /home',
      after: 'umount /tmp; umount /home',
    },
    {
      name: 'noexec /tmp and home, the login user',
      vars: as('in-bash', {}),
      expected: 'in-bash',
      before: 'mount -t tmpfs -o noexec tmpfs /tmp; mount --bind /home /home; mount -o remount,bind,noexec /home',
      after: 'umount /tmp; umount /home',
    },
    {
      name: 'full /tmp',
      vars: as('in-bash', {}),
      expected: 'in-bash',
      before: 'mount -t tmpfs -o size=64k tmpfs /tmp; chmod 1777 /tmp; head -c 100000 /dev/zero >/tmp/full || true',
      after: 'umount /tmp',
    },
  ]),
  ...group('by the system’s ssh', [
    { name: 'openssh', vars: as('in-bash', { ...sudo, ansible_connection: 'openssh' }) },
    {
      name: 'openssh, fish, doas with a password',
      vars: as('pw-fish', { ...by('doas'), ansible_become_password: password, ansible_connection: 'openssh' }),
    },
  ]),
];

function group(name: string, members: Omit<Row, 'group'>[]): Row[] {
  return members.map((row) => ({ group: name, ...row }));
}

function expired(method: string) {
  const says = new RegExp(`cannot become root on h1 by ${method}: the account or its password has expired`);
  return { says, hint: /passwd, chage/, table: 'become: the account or its password has expired' };
}
