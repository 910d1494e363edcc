import { checkText } from '../budget.ts';
import { typeError } from '../errors.ts';
import { isFloat, isInt, isNumber, isString, type Value } from '../values.ts';
import { numeric } from './compare.ts';
import { formatFloat, groupDigits } from './floats.ts';
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
  if (spec.align === '=') throw typeError("'=' alignment not allowed in string format specifier");
  const cut = spec.precision === undefined ? text : characters(text).slice(0, spec.precision).join('');
  return align('', cut, spec);
}

function formatNumber(value: Value, spec: Spec): string {
  const number = numeric(value)!;
  const negative = number < 0 || Object.is(number, -0);
  const sign = negative ? '-' : spec.sign === '-' ? '' : spec.sign;
  const asInt = isInt(value) && ['', 'b', 'c', 'd', 'n', 'o', 'x', 'X'].includes(spec.type);
  if (!asInt && isFloat(value) && 'bcdoxX'.includes(spec.type) && spec.type !== '') {
    throw typeError(`Unknown format code '${spec.type}' for object of type 'float'`);
  }
  const digits = asInt ? integer(BigInt(number), spec) : real(Math.abs(Number(number)), spec);
  return align(sign, spec.grouping ? groupDigits(digits, spec.grouping, radix(spec) === 10 ? 3 : 4) : digits, spec);
}

function radix(spec: Spec): number {
  return ({ b: 2, o: 8, x: 16, X: 16 } as Record<string, number>)[spec.type] ?? 10;
}

function integer(value: bigint, spec: Spec): string {
  if (spec.precision !== undefined) throw typeError('Precision not allowed in integer format specifier');
  if (spec.type === 'c') return String.fromCodePoint(Number(value));
  const digits = (value < 0n ? -value : value).toString(radix(spec));
  const prefix = spec.alternate && radix(spec) !== 10 ? `0${spec.type}` : '';
  return prefix + (spec.type === 'X' ? digits.toUpperCase() : digits);
}

function real(value: number, spec: Spec): string {
  if (spec.type === '%') return `${formatFloat(value * 100, 'f', spec.precision ?? 6)}%`;
  if (spec.type === 's') throw typeError("Unknown format code 's' for object of type 'float'");
  if (spec.type !== '' && spec.type !== 'n') return formatFloat(value, spec.type, spec.precision ?? 6, spec.alternate);
  if (spec.precision === undefined) return floatRepr(value);
  const text = formatFloat(value, 'g', spec.precision);
  return /[.en]/.test(text) ? text : `${text}.0`;
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
