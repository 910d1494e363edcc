import type { Unknown, Value } from '../jinja/values.ts';
import type { Identity } from './identity.ts';
import type { ControllerFiles } from './module.ts';
import type { Node } from './node.ts';
import type { Keywords, Play, Role, Task, TaskTree } from './play.ts';
import type { Target } from './session.ts';

/** What a host has learnt in this run. Replaced, never changed: the planner goes back to earlier ones. */
export interface VarState {
  /** `ansible_facts`, names without the `ansible_` prefix. */
  facts: ReadonlyMap<string, Value>;
  /** set_fact and register, by name; they outlive the play. */
  set: ReadonlyMap<string, Value>;
  /** include_vars. */
  included: ReadonlyMap<string, Value>;
  /** Roles that `include_role` with `public: true` brought, by play: their variables are seen from then on. */
  exposed?: readonly { play: string; role: Role }[];
  /** `delegate_facts`: what other hosts were given by this one, or by others as it knows; oldest first. */
  given?: readonly Gift[];
}

/** Facts that a task found on behalf of another host. Told apart by identity: each is handed over once. */
export interface Gift {
  to: string;
  set?: ReadonlyMap<string, Value>;
  facts?: ReadonlyMap<string, Value>;
}

/** Where in the run something is evaluated. */
export interface EvalPoint {
  host: string;
  play: Play;
  /** Hosts of the play that are still in it, hosts of the batch, in order. */
  playHosts: readonly string[];
  playHostsAll: readonly string[];
  batch: readonly string[];
  state: VarState;
  /** `vars:` of the enclosing blocks and dynamic includes' blocks, outermost first. */
  blockVars: readonly Node[];
  task?: Task;
  role?: Role;
  /** `vars:` of include_tasks / include_role / role params: above set_fact. */
  includeParams: readonly Node[];
  /** item, loop index, ansible_loop, ansible_failed_task …: above everything but -e. */
  locals: ReadonlyMap<string, Value>;
  /** State of another host; undefined: it has none yet. May throw to make the planner wait for it (HostWait). */
  others(host: string): VarState | undefined;
  /** Environment of the task as merged, for ansible_env-free uses; inventory host delegated to, if any. */
  delegate?: string;
  checkMode: boolean;
}

/** Thrown by `others`: what is read there is produced by tasks that host has not passed yet. */
export class HostWait extends Error {
  readonly host: string;
  constructor(host: string) {
    super(`waits for ${host}`);
    this.host = host;
  }
}

/** Evaluating expressions, variables and includes: a pure function handed to the planner (files are read through a cache). */
export interface Evaluator {
  /** The node with every template in it rendered, deeply. */
  value(node: Node, point: EvalPoint): Value;
  /** AND over the nodes (`when`, `changed_when`, …). Unknown spreads by Kleene logic. */
  condition(nodes: readonly Node[], point: EvalPoint): boolean | Unknown;
  /** A variable by name as this point sees it; undefined when nothing defines it. */
  variable(name: string, point: EvalPoint): Value | undefined;
  /** Reads the play's vars_files for the host, whether anything uses them or not. Throws what is wrong with them. */
  checkVarsFiles(point: EvalPoint): void;
  /** The list a lookup plugin gives for these terms (`with_dict`, `with_fileglob` …). */
  lookup(name: string, terms: Value, point: EvalPoint): Value;
  /** Controller files as the task's search paths find them. */
  files(point: EvalPoint): ControllerFiles;
  /** Who does the task: become keywords (already inherited) under become variables. */
  identity(keywords: Keywords, point: EvalPoint): Identity;
  /** `connection` of the task when it is not the host's own: `local` runs it on the controller. */
  connection(keywords: Keywords, point: EvalPoint): string | undefined;
  /** How to reach a host under this point's variables (delegate: the delegate's). */
  target(host: string, point: EvalPoint): Target;
  /** The user that a target has, at a third of its cost. */
  user(host: string, point: EvalPoint): string;
}

/** Files that are only known to be needed while running. Read-only; results are cached per path. */
export interface DynamicLoader {
  /** Tasks of include_tasks: `name` as rendered, searched as Ansible does from `task`. Ids are unique per include site. */
  tasks(task: Task, name: string, idPrefix: string): TaskTree[];
  /** A role for include_role. */
  role(task: Task, options: RoleOptions, idPrefix: string): LoadedRole;
  /** Variables of include_vars `file`/`dir`. */
  vars(
    task: Task,
    params: {
      file?: string;
      dir?: string;
      depth?: number;
      filesMatching?: string;
      extensions?: string[];
      ignoreUnknown?: boolean;
    },
  ): Node;
}

export interface RoleOptions {
  name: string;
  tasksFrom?: string;
  varsFrom?: string;
  defaultsFrom?: string;
  handlersFrom?: string;
  allowDuplicates?: boolean;
}

export interface LoadedRole {
  role: Role;
  tasks: TaskTree[];
  handlers: TaskTree[];
}
