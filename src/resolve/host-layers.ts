import type { VarsFolders } from './group-vars.ts';
import { ancestry, type Group, type Host, type Inventory } from './inventory.ts';
import { entriesLayer, type Layer, mergedLayer } from './layer.ts';

/**
 * What inventories and vars folders say of a host, strongest first: host_vars (playbook, inventory), the host's own,
 * group_vars of groups (playbook, inventory), group_vars/all (playbook, inventory), the groups' own, `all`'s own.
 */
export class HostLayers {
  private readonly inventory: Inventory;
  private readonly folders: VarsFolders;
  private readonly ofHost = new Map<string, readonly Layer[]>();
  private readonly ofGroups = new Map<string, readonly Layer[]>();
  private version = -1;

  constructor(inventory: Inventory, folders: VarsFolders) {
    this.inventory = inventory;
    this.folders = folders;
  }

  /** `playDir`: folder of the play's playbook, whose group_vars and host_vars count too. */
  of(host: Host, playDir: string | undefined): readonly Layer[] {
    this.forgetIfChanged();
    const key = `${playDir ?? ''}\0${host.name}`;
    const known = this.ofHost.get(key);
    if (known) return known;
    const layers = [...this.own(host, playDir), ...this.groups(host, playDir)];
    this.ofHost.set(key, layers);
    return layers;
  }

  private forgetIfChanged(): void {
    if (this.version === this.inventory.version) return;
    this.version = this.inventory.version;
    this.ofHost.clear();
    this.ofGroups.clear();
  }

  private own(host: Host, playDir: string | undefined): Layer[] {
    const files = (folder: string, layer: string) =>
      entriesLayer(layer, this.folders.read(folder, 'host_vars', host.name));
    return present([
      playDir === undefined ? undefined : files(playDir, "the playbook's host_vars"),
      ...this.inventory.folders.map((folder) => files(folder, "the inventory's host_vars")).reverse(),
      liveLayer(host),
    ]);
  }

  private groups(host: Host, playDir: string | undefined): readonly Layer[] {
    const key = `${playDir ?? ''}\0${[...host.groups].map((group) => group.name).join('\0')}`;
    const known = this.ofGroups.get(key);
    if (known) return known;
    const groups = host.implicit
      ? [...this.inventory.groups.values()].filter((group) => group.name === 'all')
      : ancestry(host);
    const others = groups.filter((group) => group.name !== 'all').reverse();
    const all = groups.filter((group) => group.name === 'all');
    const layers = [
      ...this.files(others, playDir),
      ...this.files(all, playDir),
      ...[...others, ...all].flatMap(
        (group) => entriesLayer(`the group ${group.name} in the inventory`, group.vars) ?? [],
      ),
    ];
    const merged = layers.length > 0 ? [mergedLayer(layers)] : [];
    this.ofGroups.set(key, merged);
    return merged;
  }

  /** group_vars of `groups` (strongest first): a stronger folder outranks a deeper group of a weaker one. */
  private files(groups: readonly Group[], playDir: string | undefined): Layer[] {
    const read = (folder: string, source: string) =>
      groups.map((group) =>
        entriesLayer(`${source} group_vars/${group.name}`, this.folders.read(folder, 'group_vars', group.name)),
      );
    return present([
      ...(playDir === undefined ? [] : read(playDir, "the playbook's")),
      ...[...this.inventory.folders].reverse().flatMap((folder) => read(folder, "the inventory's")),
    ]);
  }
}

/** A host's own variables as they are when asked for: add_host may give it more. */
function liveLayer(host: Host): Layer {
  return {
    find(name) {
      const entry = host.vars.get(name);
      return entry && { layer: 'the host in the inventory', node: entry.node, origin: entry.keyOrigin };
    },
    names: () => host.vars.keys(),
  };
}

function present(layers: (Layer | undefined)[]): Layer[] {
  return layers.filter((layer) => layer !== undefined);
}
