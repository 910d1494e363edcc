import { inputError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';

/** Variables with their places, as a mapping node's entries hold them. */
export type VarEntries = ReadonlyMap<string, { keyOrigin: Origin; node: Node }>;

export interface Group {
  readonly name: string;
  readonly origin: Origin;
  /** Direct members and subgroups in definition order. */
  readonly hosts: Set<string>;
  readonly children: Set<Group>;
  readonly parents: Set<Group>;
  /** Longest way from `all`: deeper groups win. */
  depth: number;
  /** `ansible_group_priority`: within one depth the higher wins. */
  priority: number;
  vars: VarEntries;
}

export interface Host {
  readonly name: string;
  readonly origin: Origin;
  /** Absolute path of the inventory it was first named in; absent for implicit and added hosts. */
  readonly file?: string;
  readonly groups: Set<Group>;
  vars: VarEntries;
  /** localhost that no inventory names: in no group, reached by `local`. */
  readonly implicit?: boolean;
}

const nowhere: Origin = { file: '(built in)', line: 1, column: 1 };
const noVars: VarEntries = new Map();
const localNames = new Set(['localhost', '127.0.0.1', '::1']);

/** Hosts and groups. Grows while it is read and by add_host and group_by; `version` counts the changes. */
export class Inventory {
  readonly hosts = new Map<string, Host>();
  readonly groups = new Map<string, Group>();
  /** Absolute folders whose group_vars and host_vars count, in the order of the sources. */
  readonly folders: string[] = [];
  version = 0;
  private readonly members = new Map<string, readonly string[]>();
  private implicit: Host | undefined;

  constructor() {
    this.addGroup('all', nowhere);
    this.addChild(this.addGroup('all', nowhere), this.addGroup('ungrouped', nowhere), nowhere);
  }

  addGroup(name: string, origin: Origin): Group {
    const known = this.groups.get(name);
    if (known) return known;
    const group: Group = {
      name,
      origin,
      hosts: new Set(),
      children: new Set(),
      parents: new Set(),
      depth: name === 'all' ? 0 : 1,
      priority: 1,
      vars: noVars,
    };
    this.groups.set(name, group);
    this.changed();
    return group;
  }

  addHost(name: string, origin: Origin, file?: string): Host {
    const known = this.hosts.get(name);
    if (known) return known;
    const host: Host = { name, origin, ...(file ? { file } : {}), groups: new Set(), vars: noVars };
    this.hosts.set(name, host);
    this.changed();
    return host;
  }

  /** Puts a host into a group. */
  join(host: Host, group: Group): void {
    if (host.groups.has(group)) return;
    host.groups.add(group);
    group.hosts.add(host.name);
    this.changed();
  }

  /** Makes `child` a subgroup. Throws an input error at `origin` for a cycle. */
  addChild(parent: Group, child: Group, origin: Origin): void {
    if (parent.children.has(child)) return;
    const way = wayDown(child, parent);
    if (way) throw cycle(parent, way, origin);
    parent.children.add(child);
    child.parents.add(parent);
    deepen(child, parent.depth + 1);
    this.changed();
  }

  /** Hosts in no group go to `ungrouped`, groups without a parent under `all`. Called when the sources are read. */
  settle(): void {
    const all = this.addGroup('all', nowhere);
    const ungrouped = this.addGroup('ungrouped', nowhere);
    for (const group of this.groups.values())
      if (group !== all && group.parents.size === 0) this.addChild(all, group, group.origin);
    for (const host of this.hosts.values()) settleHost(host, all, ungrouped);
    this.changed();
  }

  /** A host by name; localhost exists even if no inventory names it. */
  host(name: string): Host | undefined {
    return this.hosts.get(name) ?? (localNames.has(name) ? this.implicitHost(name) : undefined);
  }

  /** Names of all hosts in a group and below it, the group's own first, each once. */
  hostsOf(name: string): readonly string[] {
    const known = this.members.get(name);
    if (known) return known;
    const group = this.groups.get(name);
    const hosts = group ? [...new Set(below(group).flatMap((each) => [...each.hosts]))] : [];
    this.members.set(name, hosts);
    return hosts;
  }

  private implicitHost(name: string): Host {
    const named = [...localNames].map((each) => this.hosts.get(each)).find((host) => host !== undefined);
    if (named) return named;
    this.implicit ??= { name, origin: nowhere, groups: new Set(), vars: noVars, implicit: true };
    return this.implicit;
  }

  private changed(): void {
    this.version++;
    this.members.clear();
  }
}

/** Sets variables; the later ones win. `ansible_group_priority` is a group's rank and no variable. */
export function addVars(to: Host | Group, vars: VarEntries): void {
  if (vars.size === 0) return;
  const own = 'priority' in to ? withoutPriority(to, vars) : vars;
  to.vars = to.vars.size === 0 ? own : new Map([...to.vars, ...own]);
}

function withoutPriority(group: Group, vars: VarEntries): VarEntries {
  const rank = vars.get('ansible_group_priority');
  if (!rank) return vars;
  const value = Number(rank.node.value);
  if (!Number.isInteger(value))
    throw inputError('ansible_group_priority is no number', { origin: rank.node.origin, expected: 'a whole number' });
  group.priority = value;
  return new Map([...vars].filter(([name]) => name !== 'ansible_group_priority'));
}

/** The groups a host is in, `all` first, then weakest to strongest: by depth, priority, name. */
export function ancestry(host: Host): Group[] {
  const found = new Set<Group>();
  const open = [...host.groups];
  for (let group = open.pop(); group; group = open.pop()) {
    if (found.has(group)) continue;
    found.add(group);
    open.push(...group.parents);
  }
  return [...found].sort((a, b) => a.depth - b.depth || a.priority - b.priority || (a.name < b.name ? -1 : 1));
}

/** Breadth first, so that a group's own hosts come before its subgroups'. */
function below(group: Group): Group[] {
  const found = new Set([group]);
  for (const each of found) for (const child of each.children) found.add(child);
  return [...found];
}

/** The groups from `from` down to `to`; undefined: `to` is not below it. */
function wayDown(from: Group, to: Group): Group[] | undefined {
  if (from === to) return [from];
  for (const child of from.children) {
    const rest = wayDown(child, to);
    if (rest) return [from, ...rest];
  }
  return undefined;
}

function cycle(parent: Group, way: Group[], origin: Origin) {
  const names = [parent, ...way].map((group) => group.name);
  return inputError(`these groups contain each other: ${names.join(' → ')}`, {
    origin,
    expected: 'groups without a cycle',
  });
}

function deepen(group: Group, depth: number): void {
  if (group.depth >= depth) return;
  group.depth = depth;
  for (const child of group.children) deepen(child, depth + 1);
}

function settleHost(host: Host, all: Group, ungrouped: Group): void {
  const real = [...host.groups].filter((group) => group !== all && group !== ungrouped);
  if (real.length === 0) {
    host.groups.add(ungrouped);
    ungrouped.hosts.add(host.name);
  } else if (host.groups.delete(ungrouped)) ungrouped.hosts.delete(host.name);
}
