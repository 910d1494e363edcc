import { typeError } from '../errors.ts';
import { isInt, isNumber, isString, makeInt, type Value } from '../values.ts';
import { numeric } from './compare.ts';
import { fixed } from './floats.ts';
import { strip } from './strings.ts';
import { rawText } from './text.ts';
import { need } from './types.ts';

/** Jinja's `int`: also text with a fraction. Undefined when there is no number in the value; throws for infinity. */
export function toInt(value: Value, base: number): number | bigint | undefined {
  need(value);
  if (isString(value)) {
    const whole = parseInteger(rawText(value), base);
    if (whole !== undefined) return whole;
  } else if (isInt(value)) return makeInt(BigInt(numeric(value)!));
  const real = toFloat(value);
  if (real === undefined || Number.isNaN(real)) return undefined;
  if (!Number.isFinite(real)) throw typeError('cannot convert float infinity to integer');
  return makeInt(BigInt(Math.trunc(real)));
}

const prefixes: Record<string, number> = { '0b': 2, '0o': 8, '0x': 16 };

/** Python's int(text, base). */
export function parseInteger(source: string, base: number): number | bigint | undefined {
  const found = /^([-+]?)(0[bBoOxX](?=_?[\da-zA-Z]))?_?([\da-zA-Z](?:_?[\da-zA-Z])*)$/.exec(
    strip(source, null, 'both'),
  );
  if (!found || base === 1 || base > 36) return undefined;
  const [, sign, prefix = '', digits = ''] = found;
  const named = prefixes[prefix.toLowerCase()];
  if (base === 0) return named || /^(0+|[1-9].*)$/.test(digits) ? fromDigits(sign, digits, named ?? 10) : undefined;
  return named === base || prefix === '' ? fromDigits(sign, digits, base) : fromDigits(sign, prefix + digits, base);
}

function fromDigits(sign: string | undefined, source: string, base: number): number | bigint | undefined {
  let value = 0n;
  for (const character of source.replaceAll('_', '')) {
    const digit = Number.parseInt(character, base);
    if (Number.isNaN(digit)) return undefined;
    value = value * BigInt(base) + BigInt(digit);
  }
  return makeInt(sign === '-' ? -value : value);
}

const floatText = /^[-+]?(?:(?:\d(?:_?\d)*)?\.?\d(?:_?\d)*|\d(?:_?\d)*\.)(?:[eE][-+]?\d(?:_?\d)*)?$/;

/** Python's float(value); undefined when it is no number. Throws for Undefined. */
export function toFloat(value: Value): number | undefined {
  need(value);
  if (isNumber(value)) return Number(numeric(value));
  if (!isString(value)) return undefined;
  const source = strip(rawText(value), null, 'both');
  if (floatText.test(source)) return Number(source.replaceAll('_', ''));
  const special = /^([-+]?)(inf|infinity|nan)$/i.exec(source);
  if (!special) return undefined;
  if (/nan/i.test(special[2]!)) return Number.NaN;
  return special[1] === '-' ? -Infinity : Infinity;
}

/** Python's round(): to even on exact ties. */
export function round(value: number, digits: number): number {
  if (!Number.isFinite(value)) return value;
  const size = Math.abs(value);
  const rounded =
    digits >= 0 ? Number(fixed(size, Math.min(digits, 100))) : Number(fixed(size / 10 ** -digits, 0)) * 10 ** -digits;
  return value < 0 || Object.is(value, -0) ? -rounded : rounded;
}
