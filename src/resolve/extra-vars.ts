import { inputError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import { describe, made, mergeMappings } from '../load/expect.ts';
import { parseKeyValues } from '../load/kv.ts';
import type { Sources } from '../load/sources.ts';
import { parseYaml } from '../load/yaml.ts';

/**
 * All `-e` as one mapping, later ones over earlier ones: `@file`, YAML or JSON text that begins with a bracket, or
 * `k=v` pairs, whose values are text. Undefined: there are none.
 */
export function readExtraVars(flags: readonly string[], sources: Sources): Node | undefined {
  return mergeMappings(flags.map((flag) => extraVars(flag, sources)));
}

function extraVars(flag: string, sources: Sources): Node {
  const origin: Origin = { file: '(-e)', line: 1, column: 1 };
  if (flag.startsWith('@')) return checked(sources.yaml(sources.absolute(flag.slice(1))), flag);
  if (/^\s*[[{]/.test(flag)) return checked(parseYaml(flag, { file: '(-e)' }), flag);
  const node = { ...made(flag, origin), source: flag };
  const { params, freeForm } = parseKeyValues(node, flag, () => true);
  if (!params || freeForm)
    throw inputError(`-e '${flag}' is not of the form name=value`, {
      expected: "name=value, '{name: value}' or @file",
    });
  return params;
}

function checked(node: Node, flag: string): Node {
  if (node.entries) return node;
  throw inputError(`-e '${flag}' is ${describe(node)}`, { origin: node.origin, expected: 'a mapping of variables' });
}
