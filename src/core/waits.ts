import { inputError } from './errors.ts';

/** Seconds. What is absent there is nothing of: a wait without a timeout is tried once, one without a deadline is a pause. */
export interface Wait {
  what: string;
  /** Between two looks or tries. */
  interval?: number;
  /** For one of them. */
  timeout?: number;
  /** For all. */
  deadline?: number;
  /** What else sets it, for a run, a host or a task. */
  by?: string;
  /** It makes no sense with less. */
  least?: number;
}

/** Every wait of kpush itself. Gates, modules and actions have theirs among their parameters. */
const table = {
  connect: {
    what: 'A name, a TCP connection and a key exchange, each; to be let in, three times as long',
    timeout: 10,
    by: '--timeout, ansible_timeout, ConnectTimeout',
  },
  reconnect: {
    what: 'Connecting again after what may pass: the pause doubles from the interval to the deadline',
    interval: 1,
    deadline: 15,
    by: 'how often: ConnectionAttempts',
  },
  openssh: { what: 'ssh of the system to be logged in, besides four times the time to connect', deadline: 30 },
  keepalive: {
    what: 'Silence of a connection: as many intervals as there may be',
    interval: 15,
    by: 'ServerAliveInterval, ServerAliveCountMax',
  },
  open: { what: 'The first word of a shell, besides the time to connect', deadline: 30 },
  silence: {
    what: 'Silence of the controller, after which a host ends what runs',
    deadline: 30,
    // Ending a step takes up to 2.5 s, and a sign of life may be late: less would end what nobody cut off.
    least: 5,
    by: 'KPUSH_DEADLINE',
  },
  watch: { what: 'Looks at how long a connection has been silent', interval: 0.5 },
  nudge: { what: 'An empty line to whoever types a password on a terminal, until it was taken', interval: 0.03 },
  exit: { what: 'A channel to close after its command has ended, a connection after its goodbye', deadline: 2 },
  goodbye: { what: 'A shell to end when it is told that the run is over', deadline: 2 },
  words: { what: 'The last words of a ProxyCommand that ended', deadline: 0.3 },
  lock: {
    what: 'The lock of a host whose holder lives: it may be a shell that is just ending',
    interval: 0.5,
    deadline: 5,
  },
  kill: { what: 'The group of a step to end after TERM, before KILL', interval: 0.1, deadline: 2 },
  settle: { what: 'What was started, before it is looked at again', deadline: 1 },
  finish: {
    what: 'A step that must finish: looked at until it has ended, or an interrupt ends the looking',
    interval: 0.3,
  },
  reboot: {
    what: 'A machine that restarts; the order to, and the test command',
    interval: 1,
    timeout: 30,
    by: 'all of it: reboot_timeout',
  },
  machine: { what: 'A machine that is made anew', interval: 2, by: 'all of it: timeout of reprovision' },
  serve: {
    what: 'A host that gives a file to others: it looks for them, and ends without any',
    interval: 1,
    deadline: 600,
  },
  ahead: {
    what: 'A piece of a large file that comes by another channel, on the host: it looks for it',
    interval: 0.03,
    deadline: 30,
  },
  drain: { what: 'Pods that leave a node', interval: 1, by: 'all of it: the times of kube_drain' },
  diff: { what: 'Two texts to be compared line by line; then they are only counted', deadline: 0.5 },
  follow: { what: 'A journal that grows (kpush logs --follow)', interval: 0.3 },
  apt: { what: 'The locks of apt and dpkg', interval: 3, by: 'all of it: lock_timeout' },
  member: { what: 'A cluster to go on after a member was added to etcd or taken out', interval: 2, deadline: 16 },
  download: { what: 'A text that a host fetches for a question', timeout: 30 },
  binaries: {
    what: 'A download of binaries by a host: to connect, and without progress; the pause before it is tried again',
    interval: 2,
    timeout: 10,
    deadline: 60,
  },
  kubernetes: { what: 'An answer of the API of Kubernetes', timeout: 30 },
  etcd: { what: 'An answer of etcd about its members', timeout: 10 },
  health: { what: 'An answer of one member of etcd about itself', timeout: 3 },
  registry: { what: 'A registry to begin its answer, on the controller', interval: 1, timeout: 60 },
  program: {
    what: 'A program of yours on the controller: of a lookup, Match exec',
    timeout: 30,
  },
  vault: { what: 'A program that prints a vault password', timeout: 60 },
} as const satisfies Record<string, Wait>;

export type WaitName = keyof typeof table;

export const waits: Record<WaitName, Wait> = table;

const fields = ['interval', 'timeout', 'deadline'] as const;

/**
 * A wait as it holds: KPUSH_WAITS goes above the table. Words of it that are wrong are passed over: some waits are read
 * while files are loaded, before the command line can refuse them (`checkWaits`).
 */
export function wait<N extends WaitName>(name: N): (typeof table)[N] {
  return { ...table[name], ...parsed(process.env.KPUSH_WAITS).found[name] } as (typeof table)[N];
}

export function ms(seconds: number): number {
  return seconds * 1000;
}

/** Throws an input error for words of KPUSH_WAITS that no wait has; right ones are such as `lock.deadline=20,exit.deadline=5`. */
export function checkWaits(text: string | undefined): void {
  const [wrong] = parsed(text).wrong;
  if (wrong) throw inputError(`KPUSH_WAITS has ${JSON.stringify(wrong.word)}`, { expected: wrong.expected });
}

interface Parsed {
  found: Partial<Record<WaitName, Partial<Wait>>>;
  wrong: { word: string; expected: string }[];
}

function parsed(text = ''): Parsed {
  const found: Parsed['found'] = {};
  const wrong: Parsed['wrong'] = [];
  for (const word of text.split(/[\s,]+/).filter(Boolean)) {
    const [, name, field, value] = /^(\w+)\.(\w+)=(\d+(?:\.\d+)?|\.\d+)$/.exec(word) ?? [];
    if (!isWait(name) || !isField(name, field) || !isEnough(name, Number(value)))
      wrong.push({ word, expected: expected(word) });
    else found[name] = { ...found[name], [field]: Number(value) };
  }
  return { found, wrong };
}

function isWait(name = ''): name is WaitName {
  return Object.hasOwn(table, name);
}

function isField(name: WaitName, field = ''): field is (typeof fields)[number] {
  return fields.some((one) => one === field) && Object.hasOwn(table[name], field);
}

function isEnough(name: WaitName, seconds: number): boolean {
  return seconds > 0 && seconds >= (waits[name].least ?? 0);
}

function expected(word: string): string {
  const name = word.split('.')[0];
  if (!isWait(name)) return 'NAME.FIELD=SECONDS, as in docs/waits.md';
  const least = waits[name].least;
  const forms = fields.filter((field) => isField(name, field)).map((field) => `${name}.${field}=SECONDS`);
  return `${forms.join(' or ')}${least ? `, at least ${least}` : ', more than 0'}`;
}
