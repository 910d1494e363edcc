import { equals, order } from '../python/compare.ts';
import { strongest } from '../python/pending.ts';
import { contains } from '../python/sequence.ts';
import { need } from '../python/types.ts';
import type { CompareOperator, Expression } from '../syntax/ast.ts';
import { mergeUnknown, Unknown, UnknownReached, type Value } from '../values.ts';
import type { Frame } from './frame.ts';
import type { Run } from './run.ts';

/** `a < b <= c`: the first false link decides; an Unknown link leaves the question open. */
export function compareChain(node: Expression & { kind: 'compare' }, frame: Frame, run: Run): boolean | Unknown {
  let left = run.evaluate(node.first, frame);
  let unknown: Unknown | undefined;
  for (const { operator, operand } of node.rest) {
    const right = run.evaluate(operand, frame);
    const verdict = compareTwo(operator, left, right);
    if (verdict === false) return false;
    if (verdict instanceof Unknown) unknown = unknown ? mergeUnknown(unknown, verdict) : verdict;
    left = right;
  }
  return unknown ?? true;
}

function compareTwo(operator: CompareOperator, left: Value, right: Value): boolean | Unknown {
  if (left instanceof Unknown) return right instanceof Unknown ? mergeUnknown(left, right) : left;
  if (right instanceof Unknown) return right;
  try {
    return compareValues(operator, left, right);
  } catch (error) {
    if (error instanceof UnknownReached) return strongest(error.unknown, [left, right]);
    throw error;
  }
}

/** Python's comparison operators. Throws for Undefined, and for types without order. */
export function compareValues(operator: CompareOperator, left: Value, right: Value): boolean {
  switch (operator) {
    case '==':
      return equals(left, right);
    case '!=':
      return !equals(left, right);
    case 'in':
      return contains(right, left);
    case 'not in':
      return !contains(right, left);
    default:
      return ordered(operator, left, right);
  }
}

function ordered(operator: '<' | '<=' | '>' | '>=', left: Value, right: Value): boolean {
  need(left);
  const result = order(left, right, operator);
  if (operator === '<') return result < 0;
  if (operator === '>') return result > 0;
  return operator === '<=' ? result <= 0 : result >= 0;
}
