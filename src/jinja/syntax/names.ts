import type { Expression, Statement } from './ast.ts';
import { allExpressions, withDescendants } from './walk.ts';

/** All names that a body mentions, bound or not. */
export function namesIn(body: Statement[]): Set<string> {
  const names = new Set<string>();
  for (const node of allExpressions(body)) if (node.kind === 'name') names.add(node.name);
  return names;
}

const changers = new Set(
  'append extend insert remove pop popitem clear update setdefault sort reverse __setitem__ __delitem__'.split(' '),
);

/** Whether the expressions call a method that changes its object. */
export function changesObjects(nodes: Iterable<Expression>): boolean {
  for (const node of nodes) if (node.kind === 'call' && isChanger(node.callee)) return true;
  return false;
}

function isChanger(callee: Expression): boolean {
  if (callee.kind === 'attribute') return changers.has(callee.name);
  return callee.kind === 'item' && callee.key.kind === 'literal' && changers.has(String(callee.key.value));
}

export function expressionMutates(expression: Expression): boolean {
  return changesObjects(withDescendants(expression));
}

export function templateMutates(body: Statement[]): boolean {
  return changesObjects(allExpressions(body));
}
