import { TemplateError } from '../errors.ts';
import { isTrue } from '../python/compare.ts';
import type { Expression } from '../syntax/ast.ts';
import { mergeUnknown, Unknown, UnknownReached, type Value } from '../values.ts';
import type { Frame } from './frame.ts';
import type { Run } from './run.ts';

type Logic = Expression & { kind: 'and' | 'or' };

/** The truth of an expression, by Kleene's logic: `unknown and false` is false, `unknown or true` is true. */
export function truthOf(node: Expression, frame: Frame, run: Run): boolean | Unknown {
  if (node.kind === 'and' || node.kind === 'or') return logicTruth(node, frame, run);
  if (node.kind === 'not') return negation(node, frame, run);
  return truthOfValue(run.evaluate(node, frame), node, run);
}

function truthOfValue(value: Value, node: Expression, run: Run): boolean | Unknown {
  if (value instanceof Unknown) return value;
  try {
    return isTrue(value);
  } catch (error) {
    if (error instanceof UnknownReached) return error.unknown;
    if (error instanceof TemplateError) error.at(run.options.origin, node.line, node.column);
    throw error;
  }
}

/** `decisive` is the verdict of one side that settles the whole. */
function logicTruth(node: Logic, frame: Frame, run: Run): boolean | Unknown {
  const decisive = node.kind === 'or';
  const left = truthOf(node.left, frame, run);
  if (left === decisive) return decisive;
  if (!(left instanceof Unknown)) return truthOf(node.right, frame, run);
  const right = tentatively(left, () => truthOf(node.right, frame, run));
  if (right === decisive) return decisive;
  return right instanceof Unknown ? mergeUnknown(left, right) : left;
}

export function negation(node: Expression & { kind: 'not' }, frame: Frame, run: Run): boolean | Unknown {
  const truth = truthOf(node.operand, frame, run);
  return truth instanceof Unknown ? truth : !truth;
}

export const conjunction = (node: Logic, frame: Frame, run: Run): Value => logicValue(node, false, frame, run);
export const disjunction = (node: Logic, frame: Frame, run: Run): Value => logicValue(node, true, frame, run);

/** `and`/`or` give one of their sides; beside an Unknown only the plain verdict `decisive` is certain. */
function logicValue(node: Logic, decisive: boolean, frame: Frame, run: Run): Value {
  const left = run.evaluate(node.left, frame);
  const truth = truthOfValue(left, node.left, run);
  if (truth === decisive) return left;
  if (!(truth instanceof Unknown)) return run.evaluate(node.right, frame);
  const right = tentatively(truth, () => run.evaluate(node.right, frame));
  if (right === decisive) return decisive;
  return right instanceof Unknown ? mergeUnknown(truth, right) : truth;
}

/** Evaluates what may not be reached at all: its error is no error yet, but one more thing that is not known. */
export function tentatively<T>(why: Unknown, run: () => T): T | Unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof TemplateError && (error.kind === 'undefined' || error.kind === 'type')) return why;
    throw error;
  }
}
