import { isAlias, isMap, isScalar, type Pair, type ParsedNode, type Scalar, type YAMLMap } from 'yaml';
import { inputError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import type { Value } from '../jinja/values.ts';
import { type Conversion, hasTemplate, scalarNode } from './yaml-scalar-nodes.ts';

type Entry = { keyOrigin: Origin; key?: Value; node: Node };

/** A mapping: keys typed as PyYAML types them, `<<` merged (own keys win), duplicates reported with both places. */
export function mapNode(parsed: YAMLMap.Parsed, c: Conversion, unsafe: boolean): Node {
  const merged = new Map<string, Entry>();
  const own = new Map<string, Entry>();
  for (const pair of parsed.items) {
    if (isMergeKey(pair)) merge(pair, merged, c);
    else add(pair, own, c, unsafe);
  }
  return fromEntries(merged.size ? joined(merged, own) : own, c.origin(parsed.range[0]));
}

function fromEntries(entries: Map<string, Entry>, origin: Origin): Node {
  const value = new Map<Value, Value>();
  let literal = true;
  for (const [name, entry] of entries) {
    value.set(entry.key === undefined ? name : entry.key, entry.node.value);
    literal &&= entry.node.literal;
  }
  return { value, origin, entries, literal };
}

function joined(merged: Map<string, Entry>, own: Map<string, Entry>): Map<string, Entry> {
  return new Map([...merged, ...own]);
}

type ParsedPair = Pair<ParsedNode, ParsedNode | null>;

function add(pair: ParsedPair, own: Map<string, Entry>, c: Conversion, unsafe: boolean): void {
  const key = keyOf(pair, c);
  const before = own.get(key.name);
  if (before) c.duplicate(duplicate(key, before));
  const node = pair.value
    ? c.toNode(pair.value, c, unsafe)
    : { value: null, origin: key.keyOrigin, source: '', literal: true };
  own.set(key.name, { keyOrigin: key.keyOrigin, node, ...(key.typed === undefined ? {} : { key: key.typed }) });
}

interface Key {
  name: string;
  typed?: Value;
  keyOrigin: Origin;
  source: string;
}

function keyOf(pair: ParsedPair, c: Conversion): Key {
  if (!isScalar(pair.key)) throw badKey(pair, c);
  const node = scalarNode(pair.key as Scalar.Parsed, c, false);
  if (node.fault) throw node.fault;
  const source = node.source ?? '';
  if (typeof node.value === 'string') return { name: node.value, keyOrigin: node.origin, source };
  // A space cannot end a plain scalar: no text key has this name.
  return { name: `${source} `, typed: node.value, keyOrigin: node.origin, source };
}

function badKey(pair: ParsedPair, c: Conversion) {
  const start = pair.key?.range[0] ?? 0;
  const origin = c.origin(start);
  if (isTemplate(pair, c)) return unquoted(start, c);
  return inputError('a mapping key is a list or a mapping', { origin, expected: 'a text as key' });
}

/** `{{ x }}` without quotes is read by YAML as a mapping whose key is a mapping. */
function isTemplate(pair: ParsedPair, c: Conversion): boolean {
  return isMap(pair.key) && c.text[(pair.key.range?.[0] ?? 0) - 1] === '{';
}

function unquoted(start: number, c: Conversion) {
  const text = c.text
    .slice(start - 1, c.text.indexOf('\n', start) < 0 ? undefined : c.text.indexOf('\n', start))
    .trim();
  return inputError('a value that starts with {{ must be quoted', {
    origin: c.origin(start - 1),
    expected: 'a quoted string',
    hint: hasTemplate(text) ? `write "${text.replaceAll('"', "'")}"` : 'quote it',
  });
}

function duplicate(key: Key, before: Entry) {
  return inputError(`the key '${key.source}' stands twice in this mapping`, {
    origin: key.keyOrigin,
    expected: 'each key once',
    hint: 'remove one of the two',
    related: [{ origin: before.keyOrigin, text: 'the first one is here' }],
  });
}

function isMergeKey(pair: ParsedPair): boolean {
  return isScalar(pair.key) && pair.key.source === '<<' && pair.key.type === 'PLAIN' && pair.key.tag === undefined;
}

/** The first mapping of a merge list wins over later ones. */
function merge(pair: ParsedPair, into: Map<string, Entry>, c: Conversion): void {
  const source = pair.value ? c.toNode(pair.value, c, false) : undefined;
  const maps = source?.items && !isAlias(pair.value) ? source.items : source ? [source] : [];
  for (const map of maps.length ? maps : [undefined]) {
    if (!map?.entries) throw notMergeable(map?.origin ?? c.origin(pair.key.range[0]));
    for (const [name, entry] of map.entries) if (!into.has(name)) into.set(name, entry);
  }
}

function notMergeable(origin: Origin) {
  return inputError("'<<' merges mappings only", { origin, expected: 'a mapping, an alias of one, or a list of them' });
}
