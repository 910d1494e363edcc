import { toPlain } from '../../../../src/jinja/index.ts';
import { VarsFolders } from '../../../../src/resolve/group-vars.ts';
import { HostLayers } from '../../../../src/resolve/host-layers.ts';
import type { Host } from '../../../../src/resolve/inventory.ts';
import { loadInventory } from '../../../../src/resolve/inventory-load.ts';
import { memorySources } from '../../load/support/memory-files.ts';

/** Groups with their members, and all inventory variables of each host: what `ansible-inventory --list` shows. */
export interface InventoryJson {
  groups: Record<string, string[]>;
  hosts: Record<string, Record<string, unknown>>;
}

/** `args`: `-i SOURCE` repeated, and `--playbook-dir DIR`. */
export function inventoryJson(files: Record<string, string>, args: string): InventoryJson {
  const sources = memorySources(files);
  const words = args.trim().split(/\s+/);
  const after = (flag: string) => words.flatMap((word, i) => (word === flag ? [words[i + 1] ?? ''] : []));
  const inventory = loadInventory(after('-i'), sources);
  const [play] = after('--playbook-dir');
  const layers = new HostLayers(inventory, new VarsFolders(sources));
  const varsOf = (host: Host) => layers.of(host, play === undefined ? undefined : sources.absolute(play));
  return {
    groups: fromEntries([...inventory.groups.keys()].map((name) => [name, [...inventory.hostsOf(name)]])),
    hosts: fromEntries([...inventory.hosts.values()].map((host) => [host.name, variables(varsOf(host))])),
  };
}

function variables(layers: ReturnType<HostLayers['of']>): Record<string, unknown> {
  const names = [...new Set(layers.flatMap((layer) => [...layer.names()]))].sort();
  const first = (name: string) => layers.flatMap((layer) => layer.find(name) ?? [])[0];
  return fromEntries(names.map((name) => [name, toPlain(first(name)?.node?.value ?? null)]));
}

/** Object.fromEntries keeps `__proto__` a plain key, as JSON does. */
function fromEntries<T>(entries: [string, T][]): Record<string, T> {
  return Object.fromEntries(entries);
}
