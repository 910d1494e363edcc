import { Callable, Float, LazyDict, PyObject, Tuple, Undefined, Unsafe, type Value } from '../values.ts';
import { text } from './text.ts';
import { need, undefinedError } from './types.ts';

/** Python's str(). Throws for Undefined and Unknown. */
export function pyStr(value: Value): string {
  if (typeof value === 'string') return value;
  if (value instanceof Unsafe) return text(value);
  if (value instanceof PyObject) return value.str();
  if (value instanceof Undefined && value.isSoft) return '';
  need(value);
  return pyRepr(value);
}

/** Python's repr(). Throws for Undefined and Unknown. */
export function pyRepr(value: Value): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return Number.isInteger(value) ? intRepr(value) : floatRepr(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return stringRepr(value);
  if (Array.isArray(value)) return `[${value.map(pyRepr).join(', ')}]`;
  if (value instanceof Map) return dictRepr(value);
  return objectRepr(value);
}

function objectRepr(value: Exclude<Value, null | Value[] | Map<Value, Value> | string | number | bigint | boolean>) {
  if (value instanceof Undefined && !value.isSoft) throw undefinedError(value, ' (inside a value that becomes text)');
  need(value);
  if (value instanceof Unsafe) return stringRepr(text(value));
  if (value instanceof Undefined) return 'Undefined';
  if (value instanceof Float) return floatRepr(value.value);
  if (value instanceof Tuple) return tupleRepr(value);
  if (value instanceof LazyDict) return dictRepr([...value.keys()].map((key) => [key, value.get(key) ?? null]));
  if (value instanceof PyObject) return value.repr();
  return `<${value instanceof Callable ? `${value.typeName} ${value.name}` : 'unknown'}>`;
}

function intRepr(value: number): string {
  return Number.isSafeInteger(value) ? String(Object.is(value, -0) ? 0 : value) : String(BigInt(value));
}

function tupleRepr(value: Tuple): string {
  const items = value.items.map(pyRepr);
  return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`;
}

function dictRepr(entries: Iterable<readonly [Value, Value]>): string {
  const parts: string[] = [];
  for (const [key, value] of entries) parts.push(`${pyRepr(key)}: ${pyRepr(value)}`);
  return `{${parts.join(', ')}}`;
}

/** Shortest digits as in JavaScript; exponents as Python writes them (from 1e16 and below 1e-4, two digits). */
export function floatRepr(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [mantissa = '', exponentText] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 16) return `${mantissa}e${exponentSuffix(exponent)}`;
  return positional(mantissa, exponent);
}

export function exponentSuffix(exponent: number): string {
  return `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function positional(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}

const unprintable = /[^\P{C}]|[^\P{Z} ]/gu;
const shortEscapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

export function stringRepr(string: string): string {
  const quote = string.includes("'") && !string.includes('"') ? '"' : "'";
  const escaped = string.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`);
  return quote + escaped.replace(unprintable, escapeCharacter) + quote;
}

function escapeCharacter(character: string): string {
  const short = shortEscapes[character];
  if (short) return short;
  const code = character.codePointAt(0)!;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}
