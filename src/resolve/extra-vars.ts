import { inputError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import { mapping, mergeMappings, wrongType } from '../load/expect.ts';
import { parseKeyValues } from '../load/kv.ts';
import { expandHome } from '../load/search.ts';
import type { Sources } from '../load/sources.ts';
import { hasTemplate } from '../load/yaml-scalar-nodes.ts';

/** All `-e` as one mapping, later ones winning: `k=v …` (texts), YAML or JSON text, `@file`. */
export function readExtraVars(flags: readonly string[], sources: Sources): Node | undefined {
  return mergeMappings(flags.flatMap((flag) => oneFlag(flag.trim(), sources) ?? []));
}

function oneFlag(flag: string, sources: Sources): Node | undefined {
  const origin = { file: '-e', line: 1, column: 1 };
  if (flag === '') return undefined;
  if (flag.startsWith('@')) return fromFile(flag.slice(1), sources);
  if (/^[[{]/.test(flag)) return asVariables(sources.parse('-e', flag, '-e'), '-e');
  const literal = !hasTemplate(flag);
  const node: Node = {
    value: flag,
    origin,
    source: flag,
    literal,
    ...(literal ? {} : { raw: { text: flag, start: 0, end: flag.length } }),
  };
  const { params, freeForm } = parseKeyValues(node, flag, () => true);
  if (!freeForm) return params ?? mapping(new Map(), origin);
  throw inputError(`'${String(freeForm.value)}' is no variable`, {
    origin: freeForm.origin,
    expected: 'NAME=VALUE, a mapping such as \'{"a": 1}\', or @FILE',
  });
}

function fromFile(name: string, sources: Sources): Node | undefined {
  const path = sources.absolute(expandHome(name));
  if (!sources.isFile(path)) throw inputError(`there is no file '${name}' for -e`, { expected: 'a file of variables' });
  return asVariables(sources.yaml(path), sources.show(path));
}

function asVariables(node: Node, name: string): Node | undefined {
  if (node.value === null) return undefined;
  if (!node.entries) throw wrongType(node, name, 'a mapping of variables');
  return node;
}
