import { checkText } from '../budget.ts';
import { typeError } from '../errors.ts';
import { isFloat, isInt, isNumber, isString, type Value } from '../values.ts';
import { numeric } from './compare.ts';
import { exponential, formatFloat, groupDigits, roundedExponent } from './floats.ts';
import { floatRepr, pyStr } from './repr.ts';
import { characterCount, characters } from './text.ts';
import { shownType } from './types.ts';

const pattern = /^(?:([\s\S])?([<>=^]))?([-+ ]?)(#?)(0?)(\d*)([,_]?)(?:\.(\d+))?([bcdeEfFgGnosxX%]?)$/u;

interface Spec {
  fill: string;
  align: string;
  sign: string;
  alternate: boolean;
  width: number;
  grouping: string;
  precision?: number;
  type: string;
}

/** Python's format(value, spec). */
export function formatSpec(value: Value, source: string): string {
  if (source === '') return pyStr(value);
  const spec = parse(source, isNumber(value));
  if (isNumber(value)) return formatNumber(value, spec);
  if (isString(value)) return formatText(pyStr(value), spec);
  throw typeError(`unsupported format string passed to ${shownType(value)}.__format__`);
}

function parse(source: string, isNumeric: boolean): Spec {
  const found = pattern.exec(source);
  if (!found) throw typeError(`Invalid format specifier '${source}'`);
  const [, fill, align, sign = '', alternate, zero, width, grouping = '', precision, type = ''] = found;
  checkText(Number(width));
  return {
    fill: fill ?? (zero ? '0' : ' '),
    align: align ?? (isNumeric ? (zero ? '=' : '>') : '<'),
    sign,
    alternate: alternate === '#',
    width: Number(width),
    grouping,
    precision: precision === undefined ? undefined : Number(precision),
    type,
  };
}

function formatText(text: string, spec: Spec): string {
  if (!['', 's'].includes(spec.type)) throw typeError(`Unknown format code '${spec.type}' for object of type 'str'`);
  if (spec.grouping) throw typeError(`Cannot specify '${spec.grouping}' with 's'.`);
  if (spec.sign) throw typeError('Sign not allowed in string format specifier');
  if (spec.alternate) throw typeError('Alternate form (#) not allowed in string format specifier');
  if (spec.align === '=') throw typeError("'=' alignment not allowed in string format specifier");
  const cut = spec.precision === undefined ? text : characters(text).slice(0, spec.precision).join('');
  return align('', cut, spec);
}

function formatNumber(value: Value, spec: Spec): string {
  const number = numeric(value)!;
  const negative = number < 0 || Object.is(number, -0);
  const sign = negative ? '-' : spec.sign === '-' ? '' : spec.sign;
  const asInt = isInt(value) && ['', 'b', 'c', 'd', 'n', 'o', 'x', 'X'].includes(spec.type);
  checkNumber(value, spec);
  const prefix = asInt && spec.alternate && radix(spec) !== 10 ? `0${spec.type}` : '';
  const digits = asInt ? integer(BigInt(number), spec) : real(Math.abs(Number(number)), spec);
  return align(sign + prefix, grouped(digits, spec, sign.length + prefix.length), spec);
}

function checkNumber(value: Value, spec: Spec): void {
  if (spec.type === 's') throw typeError(`Unknown format code 's' for object of type '${shownType(value)}'`);
  if (isFloat(value) && 'bcdoxX'.includes(spec.type) && spec.type !== '') {
    throw typeError(`Unknown format code '${spec.type}' for object of type 'float'`);
  }
  const groupable = spec.grouping === ',' ? 'deEfFgG%' : 'deEfFgG%boxX';
  if (spec.grouping && !groupable.includes(spec.type)) {
    throw typeError(`Cannot specify '${spec.grouping}' with '${spec.type}'.`);
  }
}

/** Zeros that fill up to the width are grouped too. */
function grouped(digits: string, spec: Spec, before: number): string {
  if (!spec.grouping) return digits;
  const size = radix(spec) === 10 ? 3 : 4;
  let result = groupDigits(digits, spec.grouping, size);
  if (spec.fill !== '0' || spec.align !== '=') return result;
  for (let padded = digits; result.length < spec.width - before; result = groupDigits(padded, spec.grouping, size)) {
    padded = `0${padded}`;
  }
  return result;
}

function radix(spec: Spec): number {
  return ({ b: 2, o: 8, x: 16, X: 16 } as Record<string, number>)[spec.type] ?? 10;
}

function integer(value: bigint, spec: Spec): string {
  if (spec.precision !== undefined) throw typeError('Precision not allowed in integer format specifier');
  if (spec.type === 'c') return codeCharacter(value, spec);
  const digits = (value < 0n ? -value : value).toString(radix(spec));
  return spec.type === 'X' ? digits.toUpperCase() : digits;
}

function codeCharacter(value: bigint, spec: Spec): string {
  if (spec.sign) throw typeError("Sign not allowed with integer format specifier 'c'");
  if (spec.alternate) throw typeError("Alternate form (#) not allowed with integer format specifier 'c'");
  if (value < 0n || value > 0x10ffffn) throw typeError('%c arg not in range(0x110000)');
  return String.fromCodePoint(Number(value));
}

function real(value: number, spec: Spec): string {
  if (spec.type === '%') return `${formatFloat(value * 100, 'f', spec.precision ?? 6, spec.alternate)}%`;
  if (spec.type !== '' && spec.type !== 'n') return formatFloat(value, spec.type, spec.precision ?? 6, spec.alternate);
  if (spec.precision === undefined && spec.type === '') return alternateRepr(floatRepr(value), spec);
  const precision = spec.precision ?? 6;
  const text = formatFloat(value, 'g', precision, spec.alternate);
  if (spec.type === 'n' || /[en]/.test(text)) return text;
  if (!fitsBeforePoint(value, precision)) return exponential(value, Math.max(0, precision - 1), spec.alternate);
  return text.includes('.') ? text : `${text}.0`;
}

/** Without a type at least one digit stands behind the point, so there must be room for it in the precision. */
function fitsBeforePoint(value: number, precision: number): boolean {
  return value === 0 || roundedExponent(value, precision) < precision - 1;
}

function alternateRepr(text: string, spec: Spec): string {
  return spec.alternate && /^\d+e/.test(text) ? text.replace('e', '.e') : text;
}

function align(sign: string, text: string, spec: Spec): string {
  const missing = Math.max(0, spec.width - characterCount(sign + text));
  const fill = (count: number) => spec.fill.repeat(count);
  if (spec.align === '<') return sign + text + fill(missing);
  if (spec.align === '=') return sign + fill(missing) + text;
  if (spec.align === '>') return fill(missing) + sign + text;
  const left = Math.floor(missing / 2);
  return fill(left) + sign + text + fill(missing - left);
}
