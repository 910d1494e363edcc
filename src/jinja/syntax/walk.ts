import type { Arguments, Expression, FilterCall, Statement } from './ast.ts';

/** The expressions right under an expression, in source order. */
export function* children(node: Expression): Generator<Expression> {
  switch (node.kind) {
    case 'list':
    case 'tuple':
      yield* node.items;
      break;
    case 'dict':
      for (const entry of node.entries) yield* entry;
      break;
    case 'attribute':
      yield node.target;
      break;
    case 'item':
      yield node.target;
      yield node.key;
      break;
    case 'slice':
      yield* [node.start, node.stop, node.step].filter((bound) => bound !== undefined);
      break;
    case 'call':
      yield node.callee;
      yield* argumentsOf(node.call);
      break;
    case 'filter':
    case 'test':
      yield node.target;
      yield* argumentsOf(node.call);
      break;
    case 'unary':
    case 'not':
      yield node.operand;
      break;
    case 'binary':
    case 'and':
    case 'or':
      yield node.left;
      yield node.right;
      break;
    case 'concat':
      yield* node.parts;
      break;
    case 'compare':
      yield node.first;
      for (const { operand } of node.rest) yield operand;
      break;
    case 'conditional':
      yield node.test;
      yield node.yes;
      if (node.no) yield node.no;
  }
}

export function argumentsOf(call: Arguments): Expression[] {
  const spreads = [call.spread, call.keywordSpread].filter((spread) => spread !== undefined);
  return [...call.args, ...call.kwargs.map(({ value }) => value), ...spreads];
}

/** The expressions that a statement itself evaluates, without those of the bodies in it. */
export function expressionsOf(statement: Statement): Expression[] {
  switch (statement.kind) {
    case 'output':
    case 'do':
      return [statement.expression];
    case 'if':
      return statement.branches.map(({ test }) => test);
    case 'for':
      return statement.filter ? [statement.items, statement.filter] : [statement.items];
    case 'set':
      return [statement.value];
    case 'set-block':
    case 'filter-block':
      return filterArguments(statement.filters);
    case 'macro':
      return defaults(statement.macro.parameters);
    case 'call-block':
      return [statement.call, ...defaults(statement.macro.parameters)];
    case 'with':
      return statement.bindings.map(({ value }) => value);
    default:
      return [];
  }
}

export function filterArguments(filters: FilterCall[]): Expression[] {
  return filters.flatMap(({ call }) => argumentsOf(call));
}

export function defaults(parameters: { default?: Expression }[]): Expression[] {
  return parameters.map((parameter) => parameter.default).filter((value) => value !== undefined);
}

/** The bodies right under a statement. */
export function bodiesOf(statement: Statement): (readonly Statement[])[] {
  switch (statement.kind) {
    case 'if':
      return [...statement.branches.map(({ body }) => body), statement.otherwise];
    case 'for':
      return [statement.body, statement.otherwise];
    case 'macro':
      return [statement.macro.body];
    case 'call-block':
      return [statement.macro.body];
    case 'set-block':
    case 'filter-block':
    case 'with':
      return [statement.body];
    default:
      return [];
  }
}

/** Every expression of a template, at any depth. */
export function* allExpressions(body: readonly Statement[]): Generator<Expression> {
  for (const statement of body) {
    for (const expression of expressionsOf(statement)) yield* withDescendants(expression);
    for (const inner of bodiesOf(statement)) yield* allExpressions(inner);
  }
}

/** A node and all below it, in the order of the text; without recursion, as `1+1+…` nests as deeply as it is long. */
export function* withDescendants(root: Expression): Generator<Expression> {
  const waiting = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node;
    waiting.push(...[...children(node)].reverse());
  }
}
