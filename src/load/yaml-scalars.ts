import { makeFloat, makeInt, type Value } from '../jinja/values.ts';

/**
 * The value of a plain (unquoted) scalar as PyYAML reads it: YAML 1.1, but `0o644` and `1e3` are strings there.
 * Dates stay text: Ansible prints them as they were written.
 */
export function plainScalar(text: string): Value {
  const first = text.charCodeAt(0);
  if (Number.isNaN(first) || text === '~') return null;
  if (isLetter(first)) return words.has(text) ? (words.get(text) as Value) : text;
  if (!startsNumber(first)) return text;
  return number(text) ?? text;
}

const words = new Map<string, Value>([
  ...forms('yes', 'true', 'on').map((word): [string, Value] => [word, true]),
  ...forms('no', 'false', 'off').map((word): [string, Value] => [word, false]),
  ...forms('null').map((word): [string, Value] => [word, null]),
]);

function forms(...stems: string[]): string[] {
  return stems.flatMap((stem) => [stem, stem[0]?.toUpperCase() + stem.slice(1), stem.toUpperCase()]);
}

const intForm = /^[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]*|[1-9][0-9_]*(?::[0-5]?[0-9])*)$/;
const floatForm = /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)$/;
const clockFloatForm = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$/;
const infinity = /^[-+]?\.(?:inf|Inf|INF)$/;
const notNumber = /^\.(?:nan|NaN|NAN)$/;

function number(text: string): Value | undefined {
  if (intForm.test(text)) return int(text.replaceAll('_', ''));
  if (floatForm.test(text)) return makeFloat(Number(text.replaceAll('_', '')));
  if (clockFloatForm.test(text)) return makeFloat(sexagesimal(text.replaceAll('_', ''), Number));
  if (infinity.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return notNumber.test(text) ? Number.NaN : undefined;
}

function int(text: string): Value {
  const digits = text.replace(/^[-+]/, '');
  const size = digits.includes(':') ? BigInt(sexagesimal(digits, Number)) : BigInt(radix(digits));
  return makeInt(text.startsWith('-') ? -size : size);
}

/** JavaScript's spelling of a Python 2 octal: 0644 → 0o644. */
function radix(digits: string): string {
  return /^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits;
}

/** 12:30:45 → 45045. The sign counts for the whole. */
function sexagesimal(text: string, read: (part: string) => number): number {
  const sign = text.startsWith('-') ? -1 : 1;
  const parts = text.replace(/^[-+]/, '').split(':').map(read);
  return sign * parts.reduce((sum, part) => sum * 60 + part, 0);
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function startsNumber(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46;
}
