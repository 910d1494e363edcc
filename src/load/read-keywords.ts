import type { Node } from '../core/node.ts';
import type { Keywords } from '../core/play.ts';
import { mergeMappings } from './expect.ts';
import type { sharedKeywords } from './keywords.ts';

/** The keywords of a play, block, role entry or task. Ones without a value count as not given. */
export function readKeywords(node: Node, table: typeof sharedKeywords): Keywords {
  const keywords: Record<string, unknown> = {};
  for (const [name, { property, form }] of Object.entries(table)) {
    const value = node.entries?.get(name)?.node;
    if (value === undefined || value.value === null) continue;
    if (property === 'environment' || form === 'list' || form === 'conditions')
      keywords[property] = property === 'collections' ? value : [...(value.items ?? [value])];
    else keywords[property] = form === 'vars' ? varsOf(value) : value;
  }
  return keywords as Keywords;
}

/** `vars:` as one mapping; Ansible also takes a list of mappings. */
export function varsOf(node: Node): Node | undefined {
  return node.items ? mergeMappings(node.items) : node;
}
