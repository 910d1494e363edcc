/** A generated playbook and the host it meets: plain data, small enough to be read when a property fails. */
export interface Case {
  start: StartItem[];
  tasks: Node[];
  handlers: Spec[];
  /** Cut into two plays here; never: past the end. */
  split: number;
  /** Its tasks do not contradict one another, so that after an apply nothing is left to do. */
  convergent: boolean;
  /** The plays gather facts first. */
  gather: boolean;
  /** The user who logs in; every play then becomes root. */
  login: 'root' | 'deploy';
}

/** Where something is: a root of the case, under one of the names that lead there, and names below. */
export interface Place {
  view: View;
  /** '' is the root itself. */
  rel: string;
}

/** Base, /usr/lib and its alias /lib, /run and its alias /var/run. */
export type View = 'B' | 'U' | 'L' | 'R' | 'V';

export type StartItem =
  | { is: 'dir'; at: Place; mode: number; owner: string }
  | { is: 'file'; at: Place; text: string; mode: number; owner: string }
  | { is: 'link'; at: Place; to: string }
  | { is: 'unit'; unit: Unit; kind: UnitKind; running: boolean; enabled: boolean }
  | { is: 'package'; name: 'a' | 'b' }
  | { is: 'user' }
  | { is: 'group' };

export type Unit = 'u' | 'v';
export type UnitKind = 'stays' | 'ends' | 'simple';

export type Node = Spec | Block | Include;

export interface Block {
  block: Node[];
  rescue: Node[];
  always: Node[];
  when?: Condition;
}

/** Tasks in a file of their own. */
export interface Include {
  include: Node[];
  imported: boolean;
  when?: Condition;
  /** Included this many times; the tasks do the same each time. */
  times?: number;
}

export interface Spec {
  act: Act;
  /** Registers its result as rN. */
  register?: boolean;
  when?: Condition;
  /** Handlers, by number; a handler notifies only later ones. */
  notify?: number;
  /** `changed_when` or `failed_when` say so, whatever the module says; a failure is ignored. */
  judged?: 'unchanged' | 'changed' | 'failed';
  /** ignore_errors */
  ignore?: boolean;
  /** Tried until it did not fail. */
  until?: boolean;
  /** A loop over the results of the last registered loop, where there is one. */
  again?: boolean;
  /** A loop over these places instead of the one of the act. */
  loop?: Place[];
}

/** Refers to earlier registered tasks or set facts, counted back from the task: what is not there makes no condition. */
export type Condition =
  | { on: 'changed'; back: number; not?: boolean }
  | { on: 'exists'; back: number; not?: boolean }
  | { on: 'fact'; back: number; is: string };

export type Act =
  | { do: 'dir'; at: Place; mode?: string; owner?: string; recurse?: boolean }
  | { do: 'absent'; at: Place }
  | { do: 'copy'; at: Place; text: Text; mode?: string; owner?: string; force?: boolean }
  | { do: 'template'; at: Place; text: Text; mode?: string }
  | { do: 'tree'; at: Place; mode?: string }
  | { do: 'remote'; from: Place; at: Place }
  | { do: 'line'; at: Place; key: string; value: string; gone?: boolean; create?: boolean; mode?: string }
  | { do: 'link'; at: Place; to: string; force?: boolean }
  | { do: 'hard'; at: Place; to: Place }
  | { do: 'touch'; at: Place; preserve: boolean }
  | { do: 'attr'; at: Place; mode: string }
  | { do: 'create'; at: Place }
  | { do: 'insert'; at: Place; mark: string; value: string; gone?: boolean; create?: boolean }
  | { do: 'replace'; at: Place; from: string; to: string }
  | { do: 'ini'; at: Place; key: string; value: string; gone?: boolean; mode?: string }
  | { do: 'sysctl'; at: Place; key: string; value: string; gone?: boolean }
  | { do: 'cron'; at: Place; job: string; minute: string; gone?: boolean }
  | { do: 'unpack'; at: Place; mode?: string }
  | { do: 'fetch'; at: Place; text: string; checked: boolean; mode?: string }
  | { do: 'find'; at: Place }
  | { do: 'slurp'; at: Place }
  | { do: 'run'; silent: boolean }
  | { do: 'unit'; unit: Unit; kind: UnitKind }
  | {
      do: 'keep';
      unit: Unit;
      kind: UnitKind;
      nice?: string;
      state?: 'started' | 'stopped';
      enabled?: boolean;
      restart?: boolean;
    }
  | { do: 'package'; name: 'a' | 'b'; gone?: boolean }
  | { do: 'service'; unit: Unit; state?: 'started' | 'stopped' | 'restarted'; enabled?: boolean; reload?: boolean }
  | { do: 'group'; gone?: boolean }
  | { do: 'user'; gone?: boolean; shell?: string }
  | { do: 'fact'; value: Text }
  | { do: 'stat'; at: Place }
  | { do: 'fail' }
  | { do: 'flush' }
  | { do: 'debug'; text: Text }
  | { do: 'assert' };

/** A constant, the last set fact, what an earlier registered command printed, what was slurped, or a fact of the host. */
export type Text = { say: string } | { fact: true } | { printed: true } | { slurped: true } | { host: true };

export function isBlock(node: Node): node is Block {
  return 'block' in node;
}

export function isInclude(node: Node): node is Include {
  return 'include' in node;
}

/** Every task in the order in which they stand, handlers last. */
export function flatten(nodes: readonly Node[]): Spec[] {
  return nodes.flatMap((node) => {
    if (isInclude(node)) return flatten(node.include);
    return isBlock(node) ? [...flatten(node.block), ...flatten(node.rescue), ...flatten(node.always)] : [node];
  });
}

/** The real directory behind a view, for a case. */
export function rootOf(view: View, id: string): string {
  return { B: `/srv/kp/${id}`, U: `/usr/lib/kp-${id}`, L: `/usr/lib/kp-${id}`, R: `/run/kp-${id}`, V: `/run/kp-${id}` }[
    view
  ];
}

/** The path as the playbook writes it. */
export function written({ view, rel }: Place, id: string): string {
  const root = view === 'L' ? `/lib/kp-${id}` : view === 'V' ? `/var/run/kp-${id}` : rootOf(view, id);
  return rel === '' ? root : `${root}/${rel}`;
}

/** The link `l` of a root leads to `a`; this is the path behind it, and behind the aliases of the roots. */
export function canonical({ view, rel }: Place): string {
  const root = view === 'L' ? 'U' : view === 'V' ? 'R' : view;
  const behind = rel.startsWith('l/') ? `a/${rel.slice(2)}` : rel;
  return behind === '' ? root : `${root}/${behind}`;
}

export function unitName(unit: Unit, id: string): string {
  return `kp-${id}-${unit}.service`;
}

export function unitText(kind: UnitKind): string {
  const service = {
    stays: 'Type=oneshot\nRemainAfterExit=yes\nExecStart=/bin/true',
    ends: 'Type=oneshot\nExecStart=/bin/true',
    simple: 'Type=simple\nExecStart=/bin/sleep infinity',
  }[kind];
  return `[Service]\n${service}\n[Install]\nWantedBy=multi-user.target\n`;
}

/** A package of the test's own repository on the host; b needs a. */
export function packageName(name: 'a' | 'b'): string {
  return `kp-${name}`;
}

export function accountName(id: string): string {
  return `kp${id}`;
}
