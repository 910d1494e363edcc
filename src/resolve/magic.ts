import { dirname } from 'node:path';
import type { EvalPoint } from '../core/evaluator.ts';
import type { Play, Role } from '../core/play.ts';
import { LazyDict, type Value } from '../jinja/values.ts';
import { searchFolders } from '../load/search.ts';
import { ancestry, type Host, type Inventory } from './inventory.ts';
import type { Layer } from './layer.ts';
import { omitToken } from './omit.ts';
import { playRoles } from './role-layers.ts';
import type { ResolveSettings } from './settings.ts';

/** Where magic variables are asked for. `play` things are absent for hostvars. */
export interface MagicPlace {
  settings: ResolveSettings;
  host: Host;
  playDir: string;
  point: EvalPoint;
  /** False: only what hostvars shows. */
  inPlay: boolean;
  hostvars(): Value;
  vars(): Value;
}

/** Ansible's magic variables: above everything, `-e` included. */
export function magicLayer(place: MagicPlace): Layer {
  return {
    find(name) {
      const make = ofHost.get(name) ?? (place.inPlay ? ofPlay.get(name) : undefined);
      const value = make?.(place);
      return value === undefined ? undefined : { layer: 'a magic variable', value };
    },
    *names() {
      yield* ofHost.keys();
      if (place.inPlay) yield* ofPlay.keys();
    },
  };
}

type Make = (place: MagicPlace) => Value | undefined;

const version = new Map<Value, Value>([
  ['string', '2.14.18'],
  ['full', '2.14.18'],
  ['major', 2],
  ['minor', 14],
  ['revision', 18],
]);

const ofHost = new Map<string, Make>([
  ['inventory_hostname', ({ host }) => host.name],
  ['inventory_hostname_short', ({ host }) => shortName(host.name)],
  ['group_names', ({ host }) => groupNames(host)],
  ['groups', ({ settings }) => groupsOf(settings.inventory)],
  ['inventory_file', ({ host }) => host.file ?? null],
  ['inventory_dir', ({ host }) => (host.file ? dirname(host.file) : null)],
  ['playbook_dir', ({ playDir }) => playDir],
  ['omit', () => omitToken],
  ['ansible_version', () => version],
  ['ansible_playbook_python', () => '/usr/bin/python3'],
  ['ansible_config_file', ({ settings }) => settings.flags?.configFile ?? null],
  ['ansible_check_mode', ({ point }) => point.checkMode],
  ['ansible_diff_mode', ({ settings }) => settings.flags?.diff ?? false],
  ['ansible_forks', ({ settings }) => settings.flags?.forks ?? 5],
  ['ansible_limit', ({ settings }) => settings.flags?.limit || undefined],
  ['ansible_run_tags', ({ settings }) => tagsOrAll(settings.flags?.tags)],
  ['ansible_skip_tags', ({ settings }) => [...(settings.flags?.skipTags ?? [])]],
  ['ansible_verbosity', ({ settings }) => settings.flags?.verbosity ?? 0],
  ['ansible_inventory_sources', ({ settings }) => [...(settings.flags?.inventories ?? [])]],
]);

const ofPlay = new Map<string, Make>([
  ['hostvars', (place) => place.hostvars()],
  ['vars', (place) => place.vars()],
  ['ansible_play_hosts', ({ point }) => [...point.playHosts]],
  ['ansible_play_hosts_all', ({ point }) => [...point.playHostsAll]],
  ['ansible_play_batch', ({ point }) => [...point.batch]],
  ['play_hosts', ({ point }) => [...point.batch]],
  ['ansible_play_name', ({ point }) => textOf(point.play)],
  ['ansible_role_names', ({ point }) => unique(playRoles(point.play))],
  ['ansible_play_role_names', ({ point }) => point.play.roles.map((role) => role.name)],
  ['ansible_dependent_role_names', ({ point }) => dependent(point.play)],
  ['role_names', ({ point }) => point.play.roles.map((role) => role.name)],
  ['role_name', ({ point }) => roleOf(point)?.name.split('.').at(-1)],
  ['role_path', ({ point }) => roleOf(point)?.path],
  ['ansible_role_name', ({ point }) => roleOf(point)?.name],
  ['ansible_parent_role_names', ({ point }) => parents(point)?.map((role) => role.name)],
  ['ansible_parent_role_paths', ({ point }) => parents(point)?.map((role) => role.path)],
  ['ansible_search_path', searchPath],
]);

/** Every magic variable there is. */
export const magicNames: readonly string[] = [...ofHost.keys(), ...ofPlay.keys()];

export function roleOf(point: EvalPoint): Role | undefined {
  return point.role ?? point.task?.role;
}

/** Roles that imported or included the point's role, innermost first; undefined when none did. */
function parents(point: EvalPoint): Role[] | undefined {
  const role = roleOf(point);
  if (!role || role.parents.length === 0) return undefined;
  return [...role.chain].reverse().filter((each) => role.parents.includes(each.name));
}

/** The part before the first dot; an address is no name to be cut. */
function shortName(name: string): string {
  return /^[\d.]+$|:/.test(name) ? name : (name.split('.')[0] ?? name);
}

function groupNames(host: Host): string[] {
  return ancestry(host)
    .map((group) => group.name)
    .filter((name) => name !== 'all')
    .sort();
}

function dependent(play: Play): string[] {
  const named = new Set(play.roles);
  return unique(playRoles(play).filter((role) => !named.has(role)));
}

function unique(roles: readonly Role[]): string[] {
  return [...new Set(roles.map((role) => role.name))];
}

function tagsOrAll(tags: readonly string[] | undefined): string[] {
  return tags?.length ? [...tags] : ['all'];
}

function textOf(play: Play): Value {
  return Array.isArray(play.name.value) ? play.name.value.map(String).join(',') : play.name.value;
}

function searchPath({ point, playDir }: MagicPlace): Value {
  const base = { file: point.task?.file ?? point.play.file, playFile: point.play.file, role: roleOf(point) };
  const folders = searchFolders(base, '').map((folder) => folder.replace(/\/$/, ''));
  return [...new Set([...folders, playDir])];
}

const groupDicts = new WeakMap<Inventory, GroupsDict>();

function groupsOf(inventory: Inventory): GroupsDict {
  const known = groupDicts.get(inventory);
  if (known) return known;
  const made = new GroupsDict(inventory);
  groupDicts.set(inventory, made);
  return made;
}

/** `groups`: member lists are made when asked for. */
class GroupsDict extends LazyDict {
  private readonly inventory: Inventory;

  constructor(inventory: Inventory) {
    super();
    this.inventory = inventory;
  }

  get(name: string): Value | undefined {
    return this.inventory.groups.has(name) ? [...this.inventory.hostsOf(name)] : undefined;
  }

  keys(): Iterable<string> {
    return this.inventory.groups.keys();
  }
}
