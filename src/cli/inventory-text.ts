import { at } from '../core/origin.ts';
import { TaskFailure } from '../core/result.ts';
import { TemplateError, toPlain, type Value } from '../jinja/index.ts';
import type { Style } from '../report/style.ts';
import type { Explanation } from '../resolve/explain.ts';
import type { ReachExplanation } from '../resolve/explain-target.ts';
import type { Group, Inventory } from '../resolve/inventory.ts';

/** Groups and hosts as ansible-inventory's JSON: `{ _meta: { hostvars }, all: { children, hosts }, … }`. */
export function inventoryList(inventory: Inventory, hostVars: (host: string) => Record<string, unknown>): string {
  const groups = [...inventory.groups.values()].flatMap((group) => {
    const parts = { children: [...group.children].map((child) => child.name), hosts: ownHosts(group) };
    const told = Object.entries(parts).filter(([, names]) => names.length > 0);
    return told.length > 0 ? [[group.name, Object.fromEntries(told)] as const] : [];
  });
  const hostvars = Object.fromEntries([...inventory.hosts.keys()].map((host) => [host, hostVars(host)]));
  return `${JSON.stringify({ _meta: { hostvars }, ...Object.fromEntries(groups) }, null, 2)}\n`;
}

/** The same as a tree, as `ansible-inventory --graph` draws it. */
export function inventoryGraph(inventory: Inventory): string {
  const all = inventory.groups.get('all');
  return all ? `@all:\n${branch(all, 1).join('')}` : '';
}

function branch(group: Group, depth: number): string[] {
  const lead = `${'  |'.repeat(depth)}--`;
  return [
    ...[...group.children].flatMap((child) => [`${lead}@${child.name}:\n`, ...branch(child, depth + 1)]),
    ...ownHosts(group).map((host) => `${lead}${host}\n`),
  ];
}

/** Ansible lists no host under `all` itself: those in no other group are in `ungrouped`. */
function ownHosts(group: Group): string[] {
  return group.name === 'all' ? [] : [...group.hosts];
}

/** Definitions of a variable: the one that counts, then what it overrode. */
export function explanation(found: readonly Explanation[], style: Style): string {
  return found.map((one) => (one.wins ? winner(one, style) : overridden(one, style))).join('');
}

/** Every variable of a host in one line each: name, value, place. */
export function variableLine(found: Explanation | undefined, style: Style): string {
  if (!found) return '';
  const place = found.origin ? at(found.origin) : found.layer;
  return `${style.bold(found.name)} = ${valueText(found)}  ${style.dim(place)}\n`;
}

/** How a host is reached, a line each; what needs the host itself cannot be told here. */
export function reachText(explained: () => ReachExplanation[], style: Style): string {
  try {
    const lines = explained().map(({ name, value, source, origin }) => {
      const place = origin ? `${source}, ${at(origin)}` : source;
      return `  ${style.bold(name)}: ${value}  ${style.dim(place)}\n`;
    });
    return `\nreached by\n${lines.join('')}`;
  } catch (error) {
    if (!(error instanceof TemplateError || error instanceof TaskFailure)) throw error;
    return `\nreached by: not known here, ${error.message}\n`;
  }
}

function winner(one: Explanation, style: Style): string {
  const written = typeof one.written === 'string' && one.written.includes('{{') ? `  written: ${one.written}\n` : '';
  return `${style.bold(one.name)} = ${valueText(one)}\n  ${placeText(one)}\n${written}`;
}

function overridden(one: Explanation, style: Style): string {
  return style.dim(`  overrides ${placeText(one)}: ${one.written === undefined ? '' : json(one.written)}\n`);
}

function placeText({ layer, origin }: Explanation): string {
  return origin ? `${layer}, ${at(origin)}` : layer;
}

function valueText({ value, problem }: Explanation): string {
  if (problem !== undefined) return `(${problem})`;
  return value === undefined ? '(undefined)' : json(value);
}

function json(value: Value): string {
  return JSON.stringify(toPlain(value)) ?? 'null';
}
