import type { Node } from './node.ts';
import type { Origin } from './origin.ts';

/** A playbook as loaded: static imports are already in place, nothing is rendered yet. */
export interface Playbook {
  file: string;
  plays: Play[];
}

/** A play is a wave: its hosts run side by side, cut into batches by `serial`. */
export interface Play {
  id: string;
  name: Node;
  origin: Origin;
  /** Absolute path of the playbook file it stands in: its folder is `playbook_dir`. */
  file: string;
  hosts: Node;
  keywords: Keywords;
  gatherFacts?: Node;
  gatherSubset?: Node;
  varsFiles: Node[];
  varsPrompt: Node[];
  /** In run order; flush points between them are `meta: flush_handlers` tasks put in by the loader. */
  tasks: TaskTree[];
  /** Definition order: roles' handlers first, then the play's own. */
  handlers: TaskTree[];
  /** Every role the play names statically: its vars and defaults are seen by the whole play. */
  roles: Role[];
  serial?: Node;
  maxFailPercentage?: Node;
  maxFailures?: Node;
  strategy?: Node;
  order?: Node;
  forceHandlers?: Node;
  gates: GateCall[];
}

/** What a play, block or task may say about how it runs; the innermost wins, lists (`when`, `tags`) add up. */
export interface Keywords {
  when?: Node[];
  tags?: Node[];
  vars?: Node;
  environment?: Node[];
  become?: Node;
  becomeUser?: Node;
  becomeMethod?: Node;
  becomeFlags?: Node;
  becomeExe?: Node;
  connection?: Node;
  remoteUser?: Node;
  port?: Node;
  noLog?: Node;
  ignoreErrors?: Node;
  ignoreUnreachable?: Node;
  anyErrorsFatal?: Node;
  checkMode?: Node;
  diff?: Node;
  runOnce?: Node;
  delegateTo?: Node;
  delegateFacts?: Node;
  throttle?: Node;
  timeout?: Node;
  collections?: Node;
  moduleDefaults?: Node;
}

export type TaskTree = Task | Block;

/** What `meta:` may say. */
export const metaWords = [
  'noop',
  'flush_handlers',
  'clear_facts',
  'clear_host_errors',
  'end_host',
  'end_play',
  'end_batch',
  'refresh_inventory',
  'reset_connection',
] as const;

/** The role a task came from: search paths and the variables only it sees. */
export interface Role {
  name: string;
  path: string;
  /** Defaults and vars as loaded, each key with its origin. */
  defaults?: Node;
  vars?: Node;
  /** Inline parameters of the role entry (`role: x, p: 1`): above set_fact inside the role. */
  params?: Node;
  /** `vars:` of the role entry. */
  entryVars?: Node;
  /** Names of the roles that imported or included this one, innermost first (`ansible_parent_role_names`). */
  parents: string[];
  /** The roles that pulled it in, as dependency too, outermost first: their variables are seen in this one. */
  chain: readonly Role[];
  /** Roles of `meta/main.yml`, in run order. */
  dependencies: Role[];
  /** What it is known by when it shall run once on a host, however often it is named; absent: it may run again. */
  once?: string;
}

export interface Block {
  kind: 'block';
  id: string;
  origin: Origin;
  name?: Node;
  keywords: Keywords;
  block: TaskTree[];
  rescue: TaskTree[];
  always: TaskTree[];
  role?: Role;
  /** At its end this role (by its `once`) has run, if any task of it did. */
  ends?: string;
}

export interface Task {
  kind: 'task';
  /** Unique in the playbook, in definition order; stable between loads of the same files. */
  id: string;
  origin: Origin;
  name?: Node;
  /** Canonical short name (`copy`, `systemd`, `include_tasks`), after redirects and prefixes. */
  module: string;
  /** As written, with its place. */
  moduleNode: { written: string; origin: Origin };
  /** Parameters as a mapping node; absent when there are none. `args:` is merged in, `k=v` text is parsed. */
  params?: Node;
  /** The free-form part of command, shell, raw, script, include_tasks, import_tasks, meta, add_host … */
  freeForm?: Node;
  keywords: Keywords;
  loop?: Loop;
  register?: Node;
  changedWhen?: Node[];
  failedWhen?: Node[];
  until?: Node[];
  retries?: Node;
  delay?: Node;
  notify?: Node;
  listen?: Node;
  role?: Role;
  /** Seconds, and seconds between polls, of an `async` task. */
  async?: Node;
  poll?: Node;
  /** include_tasks / include_role: the parsed `apply:`, handed down to what is included (its own keywords are not). */
  apply?: Keywords;
  /** Set on tasks that stand in `handlers:`. */
  handler?: boolean;
  /** Put in by the loader (flush points): runs whatever tags are asked for. */
  implicit?: boolean;
  /** File the task was read from: relative includes and files are searched from its folder. */
  file: string;
}

export interface Loop {
  /** `loop` or the name after `with_`. */
  kind: string;
  node: Node;
  control?: Node;
}

/** One entry of `gates:`. */
export interface GateCall {
  origin: Origin;
  /** `http`, `tcp`, `command`, `unit_online` … */
  gate: string;
  name?: Node;
  params?: Node;
  /** Hosts judged (a pattern; default: the batch) and hosts that ask (default: the judged host itself). */
  hosts?: Node;
  from?: Node;
  when?: Node[];
  /** Seconds; defaults come from the gate. */
  interval?: Node;
  timeout?: Node;
  deadline?: Node;
}
