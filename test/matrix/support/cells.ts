/** One way to a host: who logs in, by which shell, as whom things are done, with which tools. */
export interface Cell {
  login: string;
  way: string;
  flavour: string;
  /** Variables of the inventory. */
  vars: Record<string, string | number>;
  /** What `id -un` says where the tasks run. */
  expected: string;
  /** It cannot work: what is said, and with which hint. */
  fails?: { says: RegExp; hint?: RegExp; name: string };
}

/** Password of every user of the host, root's too: with all that a shell may read. */
export const password = "pass 'word";

export const loginShells = ['bash', 'dash', 'zsh', 'fish', 'tcsh', 'ash', 'mksh', 'ksh'] as const;

/** Whose coreutils the host has, by the shell that finds no other. */
export const flavours: Record<string, string> = {
  GNU: '/bin/sh',
  busybox: '/usr/local/bin/only-busybox',
  uutils: '/usr/local/bin/only-uutils',
};

interface Way {
  name: string;
  /** Prefix of the user that logs in. */
  user: 'root' | 'in' | 'pw' | 'tty';
  method?: string;
  /** Who is entered. */
  to?: string;
  asks?: boolean;
  exe?: string;
}

export const ways: readonly Way[] = [
  { name: 'the login user', user: 'in' },
  { name: 'root', user: 'root' },
  { name: 'root to another by sudo', user: 'root', method: 'sudo', to: 'other' },
  { name: 'root to another by su', user: 'root', method: 'su', to: 'other' },
  { name: 'root to another by runuser', user: 'root', method: 'runuser', to: 'other' },
  { name: 'sudo', user: 'in', method: 'sudo', to: 'root' },
  { name: 'sudo with a password', user: 'pw', method: 'sudo', to: 'root', asks: true },
  { name: 'sudo with requiretty', user: 'tty', method: 'sudo', to: 'root', asks: true },
  {
    name: 'sudo-rs with a password',
    user: 'in',
    method: 'sudo',
    to: 'root',
    asks: true,
    exe: '/usr/local/bin/sudo-rs',
  },
  { name: 'su', user: 'pw', method: 'su', to: 'root', asks: true },
  { name: 'doas', user: 'in', method: 'doas', to: 'root' },
  { name: 'doas with a password', user: 'pw', method: 'doas', to: 'root', asks: true },
  { name: 'to another user by sudo', user: 'in', method: 'sudo', to: 'other' },
  { name: 'to another user by su', user: 'pw', method: 'su', to: 'other', asks: true },
  { name: 'to another user by doas', user: 'pw', method: 'doas', to: 'other', asks: true },
];

/** Every login shell with every way and every flavour. */
export const product: readonly Cell[] = loginShells.flatMap((shell) =>
  ways.flatMap((way) => Object.keys(flavours).map((flavour) => cellOf(shell, way, flavour))),
);

function cellOf(shell: string, way: Way, flavour: string): Cell {
  const user = `${way.user}-${shell}`;
  return {
    ...{ login: shell, way: way.name, flavour },
    vars: {
      ansible_user: user,
      ansible_shell_executable: flavours[flavour] ?? '',
      ...(way.method ? { ansible_become: 'true', ansible_become_method: way.method } : {}),
      ...(way.to ? { ansible_become_user: way.to } : {}),
      ...(way.asks ? { ansible_become_password: password } : {}),
      ...(way.exe ? { ansible_become_exe: way.exe } : {}),
    },
    // A second name of uid 0 is root to everybody.
    expected: way.to ?? (way.user === 'root' ? 'root' : user),
  };
}

/** Cells that run in `npm test`: every shell, way and flavour at least once. */
export const fast: readonly Cell[] = ways.map((way, n) =>
  cellOf(loginShells[n % loginShells.length] ?? 'bash', way, Object.keys(flavours)[n % 3] ?? 'GNU'),
);

/** Cells that run the whole of site.yml: every login shell, every way to root, every flavour. */
export const whole: readonly Cell[] = [
  ...loginShells.map((shell) => cell(shell, 'sudo', 'GNU')),
  ...ways
    .filter(({ to, user, name }) => (to === 'root' || (user === 'root' && !to)) && name !== 'sudo')
    .map(({ name }) => cell('bash', name, 'GNU')),
  cell('bash', 'sudo', 'busybox'),
  cell('bash', 'sudo', 'uutils'),
];

function cell(shell: string, way: string, flavour: string): Cell {
  const found = product.find((each) => each.login === shell && each.way === way && each.flavour === flavour);
  if (!found) throw new Error(`no cell ${shell}, ${way}, ${flavour}`);
  return found;
}
