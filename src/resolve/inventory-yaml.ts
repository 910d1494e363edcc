import { inputError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { Node } from '../core/node.ts';
import { describe, wrongType } from '../load/expect.ts';
import type { Problems } from '../load/problems.ts';
import { checkGroupName, expandHosts } from './host-names.ts';
import { addVars, type Group, type Host, type Inventory, type VarEntries } from './inventory.ts';

/** Reads groups with `hosts`, `children` and `vars` into the inventory. `file`: absolute path, for `inventory_file`. */
export function readYamlInventory(node: Node, file: string, inventory: Inventory, problems: Problems): void {
  if (!node.entries) throw wrongType(node, 'inventory', "a mapping of groups: 'all: {hosts: …}'");
  const plugin = node.entries.get('plugin');
  if (plugin)
    throw inputError('inventory plugins are not supported', {
      origin: plugin.keyOrigin,
      hint: 'write the hosts out, or give a script',
    });
  const reader = { file, inventory, problems };
  for (const [name, entry] of node.entries) problems.attempt(() => readGroup(name, entry, reader));
}

interface Reader {
  file: string;
  inventory: Inventory;
  problems: Problems;
}

type Entry = NonNullable<ReturnType<NonNullable<Node['entries']>['get']>>;

function readGroup(name: string, { keyOrigin, node, key }: Entry, reader: Reader): Group {
  const groupName = key === undefined ? name : name.trim();
  checkGroupName(groupName, keyOrigin);
  if (node.value !== null && !node.entries)
    throw wrongType(node, groupName, "a mapping with 'hosts', 'children' or 'vars'");
  const group = reader.inventory.addGroup(groupName, keyOrigin);
  for (const [section, entry] of node.entries ?? [])
    reader.problems.attempt(() => readSection(section, entry, group, reader));
  return group;
}

const sections = ['hosts', 'children', 'vars'];

function readSection(section: string, { keyOrigin, node }: Entry, group: Group, reader: Reader): void {
  if (!sections.includes(section)) throw unknownSection(section, keyOrigin, group);
  const entries = sectionEntries(section, node);
  if (section === 'vars') addVars(group, named(entries));
  else
    for (const [name, entry] of entries) reader.problems.attempt(() => readMember(section, name, entry, group, reader));
}

function unknownSection(section: string, origin: Node['origin'], group: Group) {
  const close = nearest(section, sections);
  return inputError(`'${section}' is no part of the group '${group.name}'`, {
    origin,
    ...(close
      ? { nearest: close }
      : { expected: 'hosts, children or vars', hint: 'groups stand under children, hosts under hosts' }),
  });
}

/** A section may be a single name instead of a mapping. */
function sectionEntries(section: string, node: Node): VarEntries {
  if (node.value === null) return new Map();
  if (node.entries) return node.entries;
  if (typeof node.value === 'string' && section !== 'vars')
    return new Map([
      [node.value, { keyOrigin: node.origin, node: { value: null, origin: node.origin, literal: true } }],
    ]);
  throw inputError(`'${section}' is ${describe(node)}`, {
    origin: node.origin,
    expected: 'a mapping',
    ...(node.items && section !== 'vars' ? { hint: "write names as keys: 'h1:' instead of '- h1'" } : {}),
  });
}

function readMember(section: string, name: string, entry: Entry, group: Group, reader: Reader): void {
  if (section === 'children') reader.inventory.addChild(group, readGroup(name, entry, reader), entry.keyOrigin);
  else readHosts(entry.key === undefined ? name : name.trim(), entry, group, reader);
}

function readHosts(
  pattern: string,
  { keyOrigin, node }: Entry,
  group: Group,
  { file, inventory, problems }: Reader,
): void {
  if (node.value !== null && !node.entries) throw wrongType(node, pattern, 'a mapping of variables');
  const { names, port } = expandHosts(pattern, keyOrigin);
  const vars = withPort(named(node.entries ?? new Map()), port, keyOrigin);
  for (const name of names) {
    const host = inventory.addHost(name, keyOrigin, file);
    warnOfPorts(host, vars, problems);
    addVars(host, vars);
    inventory.join(host, group);
  }
}

/** `h1:2222` sets ansible_port. */
export function withPort(vars: VarEntries, port: number | undefined, origin: Node['origin']): VarEntries {
  if (port === undefined) return vars;
  return new Map([['ansible_port', { keyOrigin: origin, node: { value: port, origin, literal: true } }], ...vars]);
}

/** One name is one host: of two ports that its lines give, as Ansible has it, the last counts. */
export function warnOfPorts({ name, vars }: Host, more: VarEntries, problems: Problems): void {
  const [before, now] = [vars.get('ansible_port')?.node, more.get('ansible_port')?.node];
  if (!before || !now || String(before.value) === String(now.value)) return;
  problems.warn(
    inputError(`${name} has port ${before.value} (line ${before.origin.line}) and ${now.value}: the last one counts`, {
      origin: now.origin,
      hint: 'two ports of one machine are two hosts: give each a name, and say ansible_host and ansible_port',
    }),
  );
}

/** Variables by name; a key that YAML reads as a number or boolean is no name. */
function named(entries: NonNullable<Node['entries']>): VarEntries {
  for (const [name, { key, keyOrigin }] of entries)
    if (key !== undefined)
      throw inputError(`'${name.trim()}' cannot be the name of a variable`, { origin: keyOrigin, expected: 'a text' });
  return entries;
}
