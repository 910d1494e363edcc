import { type ErrorFacts, inputError, type KpushError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import { Float, Unsafe } from '../jinja/values.ts';

/** What a node is, in words: "a list", "the number 5", "the text 'x'". */
export function describe(node: Node): string {
  const { value } = node;
  if (value === null) return 'nothing';
  if (node.entries || value instanceof Map) return 'a mapping';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'boolean') return `the boolean ${node.source || value}`;
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${node.source || value}`;
  if (value instanceof Float) return `the number ${node.source || value.value}`;
  return `the text '${short(value instanceof Unsafe ? value.text : String(value))}'`;
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

/** A text that holds a template: its type shows only when it is rendered. */
export function isTemplated(node: Node): boolean {
  return typeof node.value === 'string' && !node.literal;
}

export function wrongType(node: Node, name: string, expected: string, facts: ErrorFacts = {}): KpushError {
  return inputError(`'${name}' is ${describe(node)}`, { origin: node.origin, expected, ...facts });
}

export function field(node: Node, name: string): Node | undefined {
  return node.entries?.get(name)?.node;
}

/** The text of a scalar that is a plain string; undefined for anything else. */
export function textOf(node: Node | undefined): string | undefined {
  return typeof node?.value === 'string' ? node.value : undefined;
}

/** A node made by us, with the place it stands for. */
export function made(value: string | number | boolean, origin: Origin): Node {
  return { value, origin, literal: true };
}

/** A mapping node out of entries. */
export function mapping(entries: ReadonlyMap<string, { keyOrigin: Origin; node: Node }>, origin: Origin): Node {
  const all = [...entries];
  return {
    value: new Map(all.map(([name, entry]) => [name, entry.node.value])),
    origin,
    entries,
    literal: all.every(([, entry]) => entry.node.literal),
  };
}

/** Several mappings as one; later ones win. */
export function mergeMappings(nodes: readonly Node[]): Node | undefined {
  const [first] = nodes;
  if (!first || nodes.length === 1) return first;
  return mapping(new Map(nodes.flatMap((node) => [...(node.entries ?? [])])), first.origin);
}

/** The items of a list, or the one node itself. */
export function listed(node: Node): readonly Node[] {
  return node.items ?? (node.value === null ? [] : [node]);
}
