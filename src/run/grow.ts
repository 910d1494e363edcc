import { inputError } from '../core/errors.ts';
import type { ActionCall } from '../core/needs.ts';
import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import { type Result, result, TaskFailure } from '../core/result.ts';
import type { Value } from '../jinja/values.ts';
import { checkGroupName, checkHostName } from '../resolve/host-names.ts';
import { addVars, type Inventory } from '../resolve/inventory.ts';

/** add_host and group_by on the inventory of this run. */
export function grow(call: ActionCall, inventory: Inventory): Result {
  try {
    return call.action === 'add_host' ? addHost(call, inventory) : groupBy(call, inventory);
  } catch (error) {
    if (error instanceof Error && error.name === 'KpushError') throw new TaskFailure(error.message);
    throw error;
  }
}

function addHost({ params, origin }: ActionCall, inventory: Inventory): Result {
  const name = String(params.name);
  checkHostName(name, origin);
  const before = inventory.version;
  const host = inventory.addHost(name, origin);
  const groups = (params.groups as string[] | undefined) ?? [];
  for (const group of groups) inventory.join(host, named(group, origin, inventory));
  inventory.settle();
  const vars = params.vars as ReadonlyMap<string, Value>;
  addVars(host, entries(vars, origin));
  const changed = inventory.version > before;
  if (vars.size > 0) inventory.version++;
  const made = new Map<Value, Value>([
    ['host_name', name],
    ['groups', groups],
    ['host_vars', new Map<Value, Value>(vars)],
  ]);
  return result(changed, { add_host: made });
}

function groupBy({ params, host: name, origin }: ActionCall, inventory: Inventory): Result {
  const key = String(params.key).replaceAll(' ', '-');
  const group = named(key, origin, inventory);
  const host = inventory.host(name);
  if (!host) throw inputError(`the host ${name} is not in the inventory`);
  const changed = !host.groups.has(group);
  inventory.join(host, group);
  for (const parent of params.parents as string[]) inventory.addChild(named(parent, origin, inventory), group, origin);
  inventory.settle();
  return result(changed, { groups: [key], parent_groups: params.parents as string[] });
}

function named(name: string, origin: Origin, inventory: Inventory) {
  checkGroupName(name, origin);
  return inventory.addGroup(name, origin);
}

/** Values are final here: never rendered again. */
function entries(vars: ReadonlyMap<string, Value>, origin: Origin): Map<string, { keyOrigin: Origin; node: Node }> {
  return new Map(
    [...vars].map(([name, value]) => [name, { keyOrigin: origin, node: { value, origin, literal: true } }]),
  );
}
