import { inputError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { Node } from '../core/node.ts';
import type { Role } from '../core/play.ts';
import { checkKeyword } from './check-keyword.ts';
import { checkTemplates } from './check-syntax.ts';
import type { Context } from './context.ts';
import { field, mapping, wrongType } from './expect.ts';
import { idleKeywords, innerKeywords } from './keywords.ts';
import { readKeywords } from './read-keywords.ts';
import type { RoleCall } from './role-call.ts';

/** An entry of `roles:` or of a role's dependencies: a name, or a mapping with keywords and parameters. */
export function roleEntry(node: Node, chain: readonly Role[], context: Context): RoleCall {
  const name = node.entries ? (field(node, 'role') ?? field(node, 'name') ?? field(node, 'src')) : node;
  if (!name) throw inputError('this role entry names no role', { origin: node.origin, expected: "'role: NAME'" });
  if (typeof name.value !== 'string' && typeof name.value !== 'number')
    throw wrongType(name, 'role', 'the name of a role');
  checkEntry(node, context);
  const keywords = node.entries ? readKeywords(node, innerKeywords) : {};
  return {
    name: context.loading.render(name, context.staticVars),
    origin: name.origin,
    keywords,
    params: paramsOf(node),
    entryVars: keywords.vars,
    chain,
    from: {},
    once: true,
  };
}

/** Names of the entry itself, and what dependency files of Galaxy carry besides. */
const ownNames = new Set(['role', 'name', 'src', 'scm', 'version']);

function paramsOf(node: Node): Node | undefined {
  const rest = [...(node.entries ?? [])].filter(
    ([name]) => !ownNames.has(name) && !(name in innerKeywords) && !idleKeywords.has(name),
  );
  return rest.length ? mapping(new Map(rest), node.origin) : undefined;
}

function checkEntry(node: Node, { loading }: Context): void {
  for (const [name, { keyOrigin, node: value }] of node.entries ?? []) {
    const form = innerKeywords[name]?.form;
    const problem = form && checkKeyword(name, value, form);
    if (problem) loading.problems.add(problem);
    const close =
      form || ownNames.has(name) ? undefined : nearest(name, ['when', 'tags', 'vars', 'become', 'become_user']);
    if (close && name !== close)
      loading.problems.warn(
        inputError(`'${name}' is taken as a parameter of the role`, { origin: keyOrigin, nearest: close }),
      );
  }
  checkTemplates(node, loading);
}
