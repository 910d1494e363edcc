import { type Alias, isAlias, isMap, isSeq, type ParsedNode, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import { inputError, type KpushError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import { mapNode } from './yaml-map.ts';
import { type Conversion, scalarNode } from './yaml-scalar-nodes.ts';
import type { Syntax } from './yaml-syntax.ts';

/** More nodes than this out of aliases is an alias bomb, not a playbook. */
const maxExpanded = 200_000;

/** A document as Nodes. An empty one is a null. */
export function documentNode(syntax: Syntax, text: string, options: Pick<Conversion, 'vault' | 'duplicate'>): Node {
  const contents = syntax.document?.contents;
  if (!contents) return { value: null, origin: syntax.origin(0), literal: true };
  const conversion: Conversion = {
    text,
    origin: syntax.origin,
    anchors: new Map(),
    made: 0,
    expanded: 0,
    toNode,
    ...options,
  };
  return toNode(contents, conversion, false);
}

/** One parsed value; `unsafe` under a `!unsafe` list or mapping. */
function toNode(parsed: ParsedNode, c: Conversion, unsafe: boolean): Node {
  if (isAlias(parsed)) return aliasNode(parsed, c);
  const anchor = parsed.anchor;
  if (anchor === undefined) return build(parsed, c, unsafe);
  c.anchors.set(anchor, 'open');
  const before = c.expanded;
  const node = build(parsed, c, unsafe);
  c.anchors.set(anchor, { node, size: c.expanded - before });
  return node;
}

function build(parsed: Exclude<ParsedNode, Alias.Parsed>, c: Conversion, unsafe: boolean): Node {
  c.made++;
  c.expanded++;
  const data = unsafe || parsed.tag === '!unsafe';
  if (isMap(parsed)) return mapNode(parsed as YAMLMap.Parsed, c, data);
  if (isSeq(parsed)) return listNode(parsed as YAMLSeq.Parsed, c, data);
  return scalarNode(parsed as Scalar.Parsed, c, data);
}

function aliasNode(alias: Alias.Parsed, c: Conversion): Node {
  const origin = c.origin(alias.range[0]);
  const target = c.anchors.get(alias.source);
  if (target === undefined) throw unknownAnchor(alias.source, origin, c);
  if (target === 'open')
    throw inputError(`the alias *${alias.source} stands inside what it names`, {
      origin,
      expected: 'an anchor that ended before',
    });
  c.expanded += target.size;
  if (c.expanded > maxExpanded + 20 * c.made) throw aliasBomb(origin);
  return target.node;
}

function unknownAnchor(name: string, origin: Origin, c: Conversion): KpushError {
  const known = [...c.anchors.keys()].map((anchor) => `&${anchor}`);
  const expected = known.length ? `one of: ${known.slice(0, 8).join(', ')}` : 'an anchor such as &name before it';
  return inputError(`no anchor &${name} stands before the alias *${name}`, {
    origin,
    expected,
    hint: 'a text that starts with * must be quoted',
  });
}

function aliasBomb(origin: Origin): KpushError {
  return inputError('the aliases of this file expand to far more than it holds (an "alias bomb")', {
    origin,
    expected: `at most ${maxExpanded} values out of aliases`,
    hint: 'write the values out, or keep them in variables',
  });
}

function listNode(parsed: YAMLSeq.Parsed, c: Conversion, unsafe: boolean): Node {
  const items = parsed.items.map((item) => toNode(item as ParsedNode, c, unsafe));
  return {
    value: items.map((item) => item.value),
    origin: c.origin(parsed.range[0]),
    items,
    literal: items.every((item) => item.literal),
  };
}
