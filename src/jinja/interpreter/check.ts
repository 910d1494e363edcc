import type { Environment } from '../environment.ts';
import { TemplateError } from '../errors.ts';
import type { Expression, FilterCall, Statement } from '../syntax/ast.ts';
import { allExpressions, bodiesOf, withDescendants } from '../syntax/walk.ts';
import { find } from './find.ts';

/**
 * Trees whose filters and tests are known to exist, by the tables that have them: many environments share these, one is
 * made for each place where something is rendered.
 */
const checked = new WeakMap<Environment['filters'], { tests: Environment['tests']; trees: WeakSet<object> }>();

/** Refuses names of filters and tests that the environment does not have, also where evaluation would not get to. */
export function checkExpression(root: Expression, env: Environment, origin: string | undefined): void {
  once(root, env, () => checkAll(withDescendants(root), env, origin));
}

export function checkTemplate(body: readonly Statement[], env: Environment, origin: string | undefined): void {
  once(body, env, () => {
    checkAll(allExpressions(body), env, origin);
    for (const call of filterCalls(body)) check(env.filters, call, 'filter', origin);
  });
}

function once(tree: object, { filters, tests }: Environment, run: () => void): void {
  const known = checked.get(filters);
  const { trees } = known?.tests === tests ? known : { trees: new WeakSet() };
  if (trees.has(tree)) return;
  checked.set(filters, { tests, trees });
  run();
  trees.add(tree);
}

function checkAll(nodes: Iterable<Expression>, env: Environment, origin: string | undefined): void {
  for (const node of nodes) {
    if (node.kind === 'filter') check(env.filters, node, 'filter', origin);
    if (node.kind === 'test') check(env.tests, node, 'test', origin);
  }
}

type Named = { name: string; line: number; column: number };

function check(
  table: Map<string, unknown>,
  { name, line, column }: Named,
  what: string,
  origin: string | undefined,
): void {
  try {
    find(table, name, what);
  } catch (error) {
    throw error instanceof TemplateError ? error.at(origin, line, column) : error;
  }
}

function* filterCalls(body: readonly Statement[]): Generator<FilterCall> {
  for (const statement of body) {
    if (statement.kind === 'set-block' || statement.kind === 'filter-block') yield* statement.filters;
    for (const inner of bodiesOf(statement)) yield* filterCalls(inner);
  }
}
