import { deeper } from '../budget.ts';
import { TemplateError, typeError } from '../errors.ts';
import { binary, concatenated, negate, positive } from '../python/arithmetic.ts';
import { equals } from '../python/compare.ts';
import { Dict } from '../python/dict.ts';
import { pyStr } from '../python/repr.ts';
import { slice } from '../python/sequence.ts';
import { carryMark } from '../python/text.ts';
import { shownType, typeName } from '../python/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { mergeUnknown, Tuple, Undefined, Unknown, UnknownReached, type Value } from '../values.ts';
import { attributeOf, subscript } from './access.ts';
import { argumentsIn } from './arguments.ts';
import { compareChain } from './comparison.ts';
import type { Frame } from './frame.ts';
import type { Run } from './run.ts';
import { conjunction, disjunction, negation, tentatively, truthOf } from './truth.ts';

type Kind<K extends Expression['kind']> = Expression & { kind: K };

/** The value of an expression. Errors get its place; what hangs on an Unknown is Unknown. */
export function evaluate(node: Expression, frame: Frame, run: Run): Value {
  if (node.kind === 'literal') return node.value;
  try {
    return evaluateNode(node, frame, run);
  } catch (error) {
    if (error instanceof UnknownReached) return error.unknown;
    if (error instanceof TemplateError) error.at(run.options.origin, node.line, node.column);
    throw error;
  }
}

function evaluateNode(node: Expression, frame: Frame, run: Run): Value {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'name':
      return placed(run.lookup(node.name, frame), node, run);
    case 'attribute':
      return placed(attributeOf(evaluate(node.target, frame, run), node.name), node, run);
    case 'item':
      return placed(item(node, frame, run), node, run);
    case 'filter':
      return run.filter(node.name, evaluate(node.target, frame, run), argumentsIn(node.call, frame, run));
    case 'test':
      return run.test(node.name, evaluate(node.target, frame, run), argumentsIn(node.call, frame, run));
    case 'call':
      return deeper(() => run.call(evaluate(node.callee, frame, run), argumentsIn(node.call, frame, run)));
    case 'compare':
      return compareChain(node, frame, run);
    case 'and':
      return conjunction(node, frame, run);
    case 'or':
      return disjunction(node, frame, run);
    case 'not':
      return negation(node, frame, run);
    default:
      return evaluateRarer(node, frame, run);
  }
}

type Rarer = Kind<'list' | 'tuple' | 'dict' | 'slice' | 'unary' | 'binary' | 'concat' | 'conditional'>;

function evaluateRarer(node: Rarer, frame: Frame, run: Run): Value {
  switch (node.kind) {
    case 'list':
      return node.items.map((item) => evaluate(item, frame, run));
    case 'tuple':
      return new Tuple(node.items.map((item) => evaluate(item, frame, run)));
    case 'dict':
      return new Dict(node.entries.map(([k, v]) => [evaluate(k, frame, run), evaluate(v, frame, run)]));
    case 'unary':
      return (node.operator === '-' ? negate : positive)(evaluate(node.operand, frame, run));
    case 'binary':
      return operate(node, frame, run);
    case 'concat':
      return concat(node, frame, run);
    case 'conditional':
      return conditional(node, frame, run);
    case 'slice':
      throw new TemplateError('syntax', 'a slice can only stand alone between brackets');
  }
}

/** An undefined name remembers where it was first looked up: its error may come much later. */
function placed(value: Value, { line, column }: Expression, run: Run): Value {
  if (value instanceof Undefined) value.place ??= { origin: run.options.origin, line, column };
  return value;
}

function item(node: Kind<'item'>, frame: Frame, run: Run): Value {
  const target = evaluate(node.target, frame, run);
  if (node.key.kind !== 'slice') return subscript(target, evaluate(node.key, frame, run));
  if (target instanceof Undefined || target instanceof Unknown) return target;
  const bounds = [node.key.start, node.key.stop, node.key.step].map((bound) =>
    bound ? evaluate(bound, frame, run) : null,
  );
  const part = slice(target, bounds[0]!, bounds[1]!, bounds[2]!);
  if (part === undefined) throw typeError(`'${shownType(target)}' object has no slices`);
  return part;
}

function operate(node: Kind<'binary'>, frame: Frame, run: Run): Value {
  const left = evaluate(node.left, frame, run);
  const right = evaluate(node.right, frame, run);
  if (left instanceof Unknown) return right instanceof Unknown ? mergeUnknown(left, right) : left;
  return right instanceof Unknown ? right : binary(node.operator, left, right);
}

function concat(node: Kind<'concat'>, frame: Frame, run: Run): Value {
  const values = node.parts.map((part) => evaluate(part, frame, run));
  const unknown = values.filter((value) => value instanceof Unknown);
  if (unknown.length > 0) return unknown.reduce(mergeUnknown);
  return carryMark(() => concatenated(values.map(pyStr)));
}

function conditional(node: Kind<'conditional'>, frame: Frame, run: Run): Value {
  const test = truthOf(node.test, frame, run);
  if (test instanceof Unknown) return eitherBranch(test, node, frame, run);
  if (test) return evaluate(node.yes, frame, run);
  return node.no ? evaluate(node.no, frame, run) : noElse(node);
}

function noElse(node: Kind<'conditional'>): Undefined {
  const where = `the inline if-expression on line ${node.line}`;
  return Undefined.ofMissingElse(`${where} evaluated to false and no else section was defined.`);
}

/** Both ways to the same value: then the condition does not matter. */
function eitherBranch(test: Unknown, node: Kind<'conditional'>, frame: Frame, run: Run): Value {
  const yes = tentatively(test, () => evaluate(node.yes, frame, run));
  const no = tentatively(test, () => (node.no ? evaluate(node.no, frame, run) : noElse(node)));
  if (yes instanceof Unknown) return mergeUnknown(yes, test);
  if (no instanceof Unknown) return mergeUnknown(no, test);
  const comparable = !(yes instanceof Undefined) && !(no instanceof Undefined) && typeName(yes) === typeName(no);
  return comparable && equals(yes, no) ? yes : test;
}
