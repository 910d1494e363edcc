import { checkItems, checkText } from '../budget.ts';
import { limitError, typeError } from '../errors.ts';
import type { BinaryOperator } from '../syntax/ast.ts';
import { isFloat, isInt, isString, makeFloat, makeInt, PyObject, Tuple, type Value } from '../values.ts';
import { numeric } from './compare.ts';
import { formatPercent } from './percent.ts';
import { carryMark, text } from './text.ts';
import { need, unsupported } from './types.ts';

/** Python's `a + b`, `a - b` …. Throws for Undefined and Unknown. */
export function binary(operator: BinaryOperator, a: Value, b: Value): Value {
  const x = numeric(a);
  const y = numeric(b);
  if (x !== undefined && y !== undefined) {
    return isInt(a) && isInt(b) ? intOperation(operator, x, y) : floatOperation(operator, Number(x), Number(y));
  }
  need(a);
  need(b);
  return sequenceOperation(operator, a, b) ?? objectOperation(operator, a, b);
}

export function negate(value: Value): Value {
  const x = number('-', value);
  return isFloat(value) ? makeFloat(-Number(x)) : makeInt(-BigInt(x));
}

export function positive(value: Value): Value {
  const x = number('+', value);
  return isFloat(value) ? value : x;
}

function number(operator: string, value: Value): number | bigint {
  need(value);
  const x = numeric(value);
  if (x === undefined) throw typeError(`bad operand type for unary ${operator}`);
  return x;
}

function intOperation(operator: BinaryOperator, x: number | bigint, y: number | bigint): Value {
  if (operator === '/') return divide(Number(x), Number(y));
  if (operator === '**') return intPower(x, y);
  if (operator === '//' || operator === '%') return intDivision(operator, BigInt(x), BigInt(y));
  if (typeof x === 'number' && typeof y === 'number') {
    const result = operator === '+' ? x + y : operator === '-' ? x - y : x * y;
    if (Number.isSafeInteger(result)) return result + 0; // + 0 turns -0 into 0
  }
  const [p, q] = [BigInt(x), BigInt(y)];
  return makeInt(operator === '+' ? p + q : operator === '-' ? p - q : p * q);
}

function divide(x: number, y: number): Value {
  if (y === 0) throw typeError('division by zero');
  return makeFloat(x / y);
}

/** Rounds towards minus infinity; the remainder has the divisor's sign. */
function intDivision(operator: '//' | '%', x: bigint, y: bigint): Value {
  if (y === 0n) throw typeError('integer division or modulo by zero');
  const remainder = ((x % y) + y) % y;
  return makeInt(operator === '%' ? remainder : (x - remainder) / y);
}

function intPower(x: number | bigint, y: number | bigint): Value {
  if (y < 0) return floatOperation('**', Number(x), Number(y));
  const bits = Math.abs(Number(x)) > 1 ? Math.log2(Math.abs(Number(x))) * Number(y) : 0;
  if (bits > 100_000) throw limitError('the power is too large a number');
  return makeInt(BigInt(x) ** BigInt(y));
}

function floatOperation(operator: BinaryOperator, x: number, y: number): Value {
  switch (operator) {
    case '+':
      return makeFloat(x + y);
    case '-':
      return makeFloat(x - y);
    case '*':
      return makeFloat(x * y);
    case '/':
      return divide(x, y);
    case '**':
      return floatPower(x, y);
    default:
      return floatDivision(operator, x, y);
  }
}

function floatPower(x: number, y: number): Value {
  if (x === 0 && y < 0) throw typeError('0.0 cannot be raised to a negative power');
  if (x < 0 && Number.isFinite(y) && !Number.isInteger(y)) throw typeError('the power is a complex number');
  const result = x ** y;
  if (!Number.isFinite(result) && Number.isFinite(x) && Number.isFinite(y))
    throw typeError('the power is out of range');
  return makeFloat(result);
}

function floatDivision(operator: '//' | '%', x: number, y: number): Value {
  if (y === 0) throw typeError(operator === '%' ? 'float modulo' : 'float floor division by zero');
  let remainder = x % y;
  if (remainder !== 0 && remainder < 0 !== y < 0) remainder += y;
  if (operator === '//') return makeFloat(Math.round((x - remainder) / y) || Math.sign(x / y) * 0);
  return makeFloat(remainder === 0 ? Math.sign(y) * 0 : remainder);
}

function sequenceOperation(operator: BinaryOperator, a: Value, b: Value): Value | undefined {
  if (operator === '+') return joined(a, b);
  if (operator === '*') return isInt(b) ? repeated(a, b) : isInt(a) ? repeated(b, a) : undefined;
  return operator === '%' && isString(a) ? carryMark(() => formatPercent(text(a), b)) : undefined;
}

function joined(a: Value, b: Value): Value | undefined {
  if (isString(a) && isString(b)) return carryMark(() => concatenated([text(a), text(b)]));
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
  return a instanceof Tuple && b instanceof Tuple ? new Tuple([...a.items, ...b.items]) : undefined;
}

/** Joins strings within the bounds of a rendering. */
export function concatenated(parts: readonly string[], separator = ''): string {
  let length = separator.length * Math.max(0, parts.length - 1);
  for (const part of parts) length += part.length;
  checkText(length);
  return parts.join(separator);
}

function repeated(value: Value, times: number | bigint | boolean): Value | undefined {
  const count = Math.max(0, Number(times));
  if (isString(value)) return carryMark(() => repeatText(text(value), count));
  if (Array.isArray(value)) return repeatItems(value, count);
  return value instanceof Tuple ? new Tuple(repeatItems(value.items, count)) : undefined;
}

export function repeatText(string: string, count: number): string {
  checkText(string.length * count);
  return string === '' ? '' : string.repeat(count);
}

function repeatItems(items: readonly Value[], count: number): Value[] {
  checkItems(items.length * count);
  return items.length === 0 ? [] : Array.from({ length: count }, () => items).flat(1);
}

function objectOperation(operator: BinaryOperator, a: Value, b: Value): Value {
  const result = a instanceof PyObject ? a.operate?.(operator, b, false) : undefined;
  const reversed = result === undefined && b instanceof PyObject ? b.operate?.(operator, a, true) : undefined;
  const found = result ?? reversed;
  if (found === undefined) throw unsupported(operator === '**' ? '** or pow()' : operator, a, b);
  return found;
}
