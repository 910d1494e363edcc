/** A generated playbook and the host it meets: plain data, small enough to be read when a property fails. */
export interface Case {
  start: StartItem[];
  tasks: Node[];
  handlers: Spec[];
  /** Cut into two plays here; never: past the end. */
  split: number;
  /** Its tasks do not contradict one another, so that after an apply nothing is left to do. */
  convergent: boolean;
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
  | { is: 'user' }
  | { is: 'group' };

export type Unit = 'u' | 'v';
export type UnitKind = 'stays' | 'ends' | 'simple';

export type Node = Spec | { block: Node[]; rescue: Node[]; always: Node[] };

export interface Spec {
  act: Act;
  /** Registers its result as rN. */
  register?: boolean;
  when?: Condition;
  /** Handlers, by number. */
  notify?: number;
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
  | { do: 'run'; silent: boolean }
  | { do: 'unit'; unit: Unit; kind: UnitKind }
  | { do: 'service'; unit: Unit; state?: 'started' | 'stopped' | 'restarted'; enabled?: boolean; reload?: boolean }
  | { do: 'group'; gone?: boolean }
  | { do: 'user'; gone?: boolean; shell?: string }
  | { do: 'fact'; value: Text }
  | { do: 'stat'; at: Place }
  | { do: 'fail' }
  | { do: 'assert' };

/** A constant, the last set fact, or what an earlier registered command printed. */
export type Text = { say: string } | { fact: true } | { printed: true };

export function isBlock(node: Node): node is Exclude<Node, Spec> {
  return 'block' in node;
}

/** Every task in the order in which they stand, handlers last. */
export function flatten(nodes: readonly Node[]): Spec[] {
  return nodes.flatMap((node) =>
    isBlock(node) ? [...flatten(node.block), ...flatten(node.rescue), ...flatten(node.always)] : [node],
  );
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

export function accountName(id: string): string {
  return `kp${id}`;
}
