import type { ParsedExpression } from '../templates.ts';
import type { Expression, Statement, Target, Template } from './ast.ts';
import { bodiesOf, children, expressionsOf } from './walk.ts';

/** A name that an expression or template reads from outside. */
export interface FreeName {
  name: string;
  line: number;
  column: number;
  /** It stands somewhere under `default()`, `is defined` or `is undefined`: nothing needs to define it. */
  guarded: boolean;
}

/** The names that are read and never bound in the text itself, in source order, each place once. */
export function freeNames(parsed: ParsedExpression | Template): FreeName[] {
  const found: FreeName[] = [];
  const bound = new Set(['loop', 'self', 'caller', 'varargs', 'kwargs']);
  if ('root' in parsed) read(parsed.root, false, found);
  else readBody(parsed.body, found, bound);
  const guarded = new Set(found.filter((each) => each.guarded).map((each) => each.name));
  return found.filter(({ name }) => !bound.has(name)).map((each) => ({ ...each, guarded: guarded.has(each.name) }));
}

function readBody(body: readonly Statement[], found: FreeName[], bound: Set<string>): void {
  for (const statement of body) {
    bind(statement, bound);
    for (const expression of expressionsOf(statement)) read(expression, false, found);
    for (const inner of bodiesOf(statement)) readBody(inner, found, bound);
  }
}

const guardingFilters = new Set(['default', 'd']);
const guardingTests = new Set(['defined', 'undefined']);

function read(node: Expression, guarded: boolean, found: FreeName[]): void {
  if (node.kind === 'name') found.push({ name: node.name, line: node.line, column: node.column, guarded });
  for (const child of children(node)) read(child, (guarded && !isArgument(node, child)) || guards(node, child), found);
}

function guards(node: Expression, child: Expression): boolean {
  if (node.kind === 'filter') return guardingFilters.has(node.name) && child === node.target;
  return node.kind === 'test' && guardingTests.has(node.name) && child === node.target;
}

/** The key of `a[key]` and the arguments of calls are read whatever becomes of the rest. */
function isArgument(node: Expression, child: Expression): boolean {
  if (node.kind === 'item') return child === node.key;
  return (node.kind === 'filter' || node.kind === 'test') && child !== node.target;
}

function bind(statement: Statement, bound: Set<string>): void {
  if (statement.kind === 'for' || statement.kind === 'set' || statement.kind === 'set-block')
    names(statement.target, bound);
  if (statement.kind === 'with') for (const { target } of statement.bindings) names(target, bound);
  if (statement.kind === 'macro') bound.add(statement.macro.name);
  if (statement.kind === 'macro' || statement.kind === 'call-block')
    for (const { name } of statement.macro.parameters) bound.add(name);
}

function names(target: Target, bound: Set<string>): void {
  if (target.kind === 'name') bound.add(target.name);
  else if (target.kind === 'pattern') for (const item of target.items) names(item, bound);
}
