import { typeError } from '../errors.ts';
import { mappingGet } from '../python/dict.ts';
import { floatRepr, pyRepr } from '../python/repr.ts';
import { iterable } from '../python/sequence.ts';
import { sorted } from '../python/sort.ts';
import { text } from '../python/text.ts';
import { need, shownType } from '../python/types.ts';
import {
  isFloat,
  isMapping,
  isString,
  type LazyDict,
  type PyDict,
  PyObject,
  Tuple,
  UnknownReached,
  type Value,
} from '../values.ts';

/** What PyYAML's representer makes of a value. `anchor` is set when the same list or dict stands there twice. */
export type YamlNode = { anchor?: string } & (
  | { kind: 'scalar'; text: string; isString: boolean }
  | { kind: 'sequence'; items: YamlNode[]; flow: boolean }
  | { kind: 'mapping'; entries: [YamlNode, YamlNode][]; flow: boolean }
);

export interface NodeOptions {
  /** undefined: collections of plain scalars only are written in flow style. */
  flow?: boolean;
  sortKeys: boolean;
}

/** Builds the nodes of a value. Throws for what YAML cannot say, for Undefined and Unknown. */
export function yamlNodes(value: Value, options: NodeOptions): YamlNode {
  return new NodeBuilder(options).node(value);
}

class NodeBuilder {
  private readonly seen = new Map<Value, YamlNode>();

  constructor(private readonly options: NodeOptions) {}

  node(value: Value): YamlNode {
    need(value);
    if (value === null || typeof value !== 'object' || isString(value) || isFloat(value)) return scalarNode(value);
    const known = this.seen.get(value);
    if (known) {
      known.anchor ??= 'wanted';
      return known;
    }
    return this.collection(value);
  }

  private collection(value: Value): YamlNode {
    if (isMapping(value)) return this.mapping(value);
    if (value instanceof PyObject && value.isoText) return { kind: 'scalar', text: value.str(), isString: false };
    const isList = Array.isArray(value) || (value instanceof Tuple && value.names.length === 0);
    const list = isList ? iterable(value) : undefined;
    if (!list) throw typeError(`cannot represent an object of type ${shownType(value)} in YAML`);
    return this.sequence(value, list);
  }

  private sequence(value: Value, list: readonly Value[]): YamlNode {
    const node: YamlNode & { kind: 'sequence' } = { kind: 'sequence', items: [], flow: false };
    this.seen.set(value, node);
    node.items.push(...list.map((item) => this.node(item)));
    node.flow = this.options.flow ?? node.items.every(isPlain);
    return node;
  }

  private mapping(value: PyDict | LazyDict): YamlNode {
    const node: YamlNode & { kind: 'mapping' } = { kind: 'mapping', entries: [], flow: false };
    this.seen.set(value, node);
    for (const key of this.keys(value)) node.entries.push([this.node(key), this.node(mappingGet(value, key)!)]);
    node.flow = this.options.flow ?? node.entries.flat().every(isPlain);
    return node;
  }

  /** Keys that have no order among each other stay as they are. */
  private keys(value: PyDict | LazyDict): Value[] {
    const keys = [...value.keys()];
    if (!this.options.sortKeys) return keys;
    try {
      return sorted(keys, (key) => key);
    } catch (error) {
      if (error instanceof UnknownReached) throw error;
      return keys;
    }
  }
}

const isPlain = (node: YamlNode) => node.kind === 'scalar';

function scalarNode(value: Value): YamlNode {
  if (isString(value)) return { kind: 'scalar', text: text(value), isString: true };
  return { kind: 'scalar', text: scalarText(value), isString: false };
}

function scalarText(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (!isFloat(value)) return pyRepr(value);
  const number = Number(typeof value === 'number' ? value : value.value);
  if (Number.isNaN(number)) return '.nan';
  if (!Number.isFinite(number)) return number > 0 ? '.inf' : '-.inf';
  const plain = floatRepr(number);
  return plain.includes('.') ? plain : plain.replace('e', '.0e');
}

/** Names the nodes that occur more than once, in the order in which they are first written. */
export function nameAnchors(root: YamlNode): void {
  let count = 0;
  const visited = new Set<YamlNode>();
  const visit = (node: YamlNode) => {
    if (visited.has(node)) return;
    visited.add(node);
    if (node.anchor) node.anchor = `id${String(++count).padStart(3, '0')}`;
    if (node.kind === 'sequence') node.items.forEach(visit);
    if (node.kind === 'mapping') node.entries.flat().forEach(visit);
  };
  visit(root);
}
