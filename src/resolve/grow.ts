import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import type { Value } from '../jinja/values.ts';
import { checkGroupName, expandHosts } from './host-names.ts';
import { addVars, type Inventory, type VarEntries } from './inventory.ts';

/** What `add_host` asks for: a name (with a port, if it has one), groups, variables as rendered. */
export interface NewHost {
  name: string;
  groups: readonly string[];
  vars: ReadonlyMap<string, Value>;
  /** Where the task stands. */
  origin: Origin;
}

/** Adds a host for the rest of the run; one that exists gets the variables and groups. True when anything was new. */
export function addHost(inventory: Inventory, { name, groups, vars, origin }: NewHost): boolean {
  const before = inventory.version;
  const { names, port } = expandHosts(name, origin);
  const entries: VarEntries = new Map(
    [...vars, ...(port === undefined ? [] : ([['ansible_port', port]] as const))].map(([key, value]) => [
      key,
      { keyOrigin: origin, node: literal(value, origin) },
    ]),
  );
  for (const each of names) {
    const host = inventory.addHost(each, origin);
    addVars(host, entries);
    for (const group of groups.length ? groups : ['ungrouped']) joinNamed(inventory, host.name, group, origin);
  }
  inventory.settle();
  return inventory.version > before + 1;
}

/** Puts a host into a group made for it (`group_by`), below `parents`. True when it was not in it. */
export function groupBy(
  inventory: Inventory,
  host: string,
  group: string,
  parents: readonly string[],
  origin: Origin,
): boolean {
  const isNew = !inventory.groups.get(group)?.hosts.has(host);
  joinNamed(inventory, host, group, origin);
  for (const parent of parents) {
    checkGroupName(parent, origin);
    inventory.addChild(inventory.addGroup(parent, origin), inventory.addGroup(group, origin), origin);
  }
  inventory.settle();
  return isNew;
}

function joinNamed(inventory: Inventory, host: string, group: string, origin: Origin): void {
  checkGroupName(group, origin);
  inventory.join(inventory.addHost(host, origin), inventory.addGroup(group, origin));
}

/** Variables of add_host are values, not templates. */
function literal(value: Value, origin: Origin): Node {
  return { value, origin, literal: true };
}
