import type { Parameterized } from '../core/check-node.ts';
import type { Node } from '../core/node.ts';
import type { Role, TaskTree } from '../core/play.ts';
import type { Problems } from './problems.ts';
import type { Sources } from './sources.ts';

/** What load must know of modules and gates, which it may not import. */
export interface ModuleTable {
  /** A module or action by short name or alias; undefined: not known, the task fails if it is reached. */
  find(name: string): Parameterized | undefined;
  /** Every name `find` knows. */
  names(): Iterable<string>;
  gate(name: string): Parameterized | undefined;
  gateNames(): Iterable<string>;
}

/** Whether the template engine has a filter, test or lookup, and all names of a kind. */
export interface NameTable {
  has(kind: NameKind, name: string): boolean;
  all(kind: NameKind): Iterable<string>;
}

export type NameKind = 'filter' | 'test' | 'lookup';

/** Renders names that must be known before anything runs (imported files, roles). Throws an input error. */
export type StaticRender = (node: Node, vars: readonly Node[]) => string;

/** What is the same for all files of a playbook. */
export interface Loading {
  sources: Sources;
  modules: ModuleTable;
  problems: Problems;
  render: StaticRender;
  /** Folders with roles besides those next to the playbook: ansible.cfg's and the defaults. */
  rolesPath: readonly string[];
  /** Unknown modules are errors (`--strict`). */
  strict: boolean;
  /** What templates may name. Absent: it is not checked before they are rendered. */
  names?: NameTable;
  /** Texts already checked for template errors, by node. */
  checked: WeakSet<Node>;
  /** By play id: roles that it names statically. Their handlers are not brought again by what is included later. */
  ranRoles: Map<string, ReadonlyMap<string, number>>;
  /** Modules that no table knows, with their places. */
  unknownModules: { name: string; task: Node }[];
}

/** Where the loader stands. */
export interface Context {
  loading: Loading;
  ids: Ids;
  /** Absolute path of the playbook and of the file being read. */
  playFile: string;
  file: string;
  role?: Role;
  handler: boolean;
  /** `vars` that names in imports may use: the play's, then those of the imports around. */
  staticVars: readonly Node[];
  /** Files being imported, outermost first: an import of one of them is a cycle. */
  importing: readonly string[];
  /** Each task is looked at by itself: static imports are not followed. */
  alone?: true;
  /** Roles and handlers that static imports bring into the play. */
  play: PlayParts;
  /** The one way down: tasks of a list node. Handed along so that no two files import each other. */
  taskList(node: Node, context: Context): TaskTree[];
}

export interface PlayParts {
  roles: Role[];
  /** Roles of import_role: they come after those of `roles:`. */
  importedRoles: Role[];
  /** Handlers of `roles:`, and of import_role. */
  roleHandlers: TaskTree[];
  importedHandlers: TaskTree[];
  /** Roles already named in this play, by name and parameters, with the id they ended at. */
  ran: Map<string, number>;
  /** Roles already read for it. */
  known: Map<string, Role>;
}

export function newPlayParts(): PlayParts {
  return { roles: [], importedRoles: [], roleHandlers: [], importedHandlers: [], ran: new Map(), known: new Map() };
}

/** Ids in definition order: the same files give the same ids. */
export class Ids {
  private count = 0;
  constructor(private readonly prefix = '') {}

  /** The number of the last id. */
  get last(): number {
    return this.count;
  }

  next(letter: 'p' | 'b' | 't'): string {
    this.count++;
    return `${this.prefix}${letter}${this.count}`;
  }
}
