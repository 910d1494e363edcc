import type { Expression, FilterCall, Statement, Template } from '../syntax/ast.ts';
import { allExpressions, bodiesOf, withDescendants } from '../syntax/walk.ts';
import type { ParsedExpression } from '../templates.ts';

export interface UsedName {
  name: string;
  line: number;
  column: number;
}

/** What an expression or template needs of the engine. Names are as written, collections included. */
export interface Used {
  filters: UsedName[];
  tests: UsedName[];
  /** Those whose name stands in the text: `lookup('env', …)`, `query('dict', …)`. */
  lookups: UsedName[];
  methods: UsedName[];
}

/** The filters, tests, lookups and methods that an expression or template names, in source order. */
export function usedNames(parsed: ParsedExpression | Template): Used {
  const used: Used = { filters: [], tests: [], lookups: [], methods: [] };
  const nodes = 'root' in parsed ? withDescendants(parsed.root) : allExpressions(parsed.body);
  for (const node of nodes) note(node, used);
  if ('body' in parsed) for (const call of blockFilters(parsed.body)) used.filters.push(at(call.name, call));
  return used;
}

function note(node: Expression, used: Used): void {
  if (node.kind === 'filter') noteFilter(node, used);
  if (node.kind === 'test') used.tests.push(at(node.name, node));
  if (node.kind !== 'call') return;
  if (node.callee.kind === 'attribute') used.methods.push(at(node.callee.name, node.callee));
  const name = isLookup(node.callee) ? literalText(node.call.args[0]) : undefined;
  if (name !== undefined) used.lookups.push(at(name, node));
}

/** `map('upper')` names a filter too, `select('match', …)` and `selectattr('x', 'match', …)` a test. */
function noteFilter(node: Expression & { kind: 'filter' }, used: Used): void {
  used.filters.push(at(node.name, node));
  const { args } = node.call;
  const mapped = node.name === 'map' ? literalText(args[0]) : undefined;
  if (mapped !== undefined) used.filters.push(at(mapped, args[0]!));
  const index = { select: 0, reject: 0, selectattr: 1, rejectattr: 1 }[node.name];
  const test = index === undefined ? undefined : literalText(args[index]);
  if (test !== undefined) used.tests.push(at(test, args[index!]!));
}

function literalText(node: Expression | undefined): string | undefined {
  return node?.kind === 'literal' && typeof node.value === 'string' ? node.value : undefined;
}

function isLookup(callee: Expression): boolean {
  return callee.kind === 'name' && ['lookup', 'query', 'q'].includes(callee.name);
}

function at(name: string, { line, column }: { line: number; column: number }): UsedName {
  return { name, line, column };
}

function* blockFilters(body: readonly Statement[]): Generator<FilterCall> {
  for (const statement of body) {
    if (statement.kind === 'set-block' || statement.kind === 'filter-block') yield* statement.filters;
    for (const inner of bodiesOf(statement)) yield* blockFilters(inner);
  }
}
