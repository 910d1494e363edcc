import { checkText } from '../budget.ts';
import { typeError } from '../errors.ts';
import { isInt, isMapping, isNumber, isString, Tuple, type Value } from '../values.ts';
import { numeric } from './compare.ts';
import { mappingGet } from './dict.ts';
import { formatFloat } from './floats.ts';
import { pyRepr, pyStr } from './repr.ts';
import { characters } from './text.ts';
import { shownType } from './types.ts';

const conversion = /%(?:\(([^)]*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+))?[hlL]?([\s\S]|$)/g;

interface Spec {
  flags: string;
  width: number;
  precision?: number;
  type: string;
}

/** Python's `template % values`. */
export function formatPercent(template: string, values: Value): string {
  const source = new Source(values);
  const result = template.replace(conversion, (_, key, flags, width, precision, type) => {
    if (type === '%') return '%';
    if (type === '') throw typeError('incomplete format');
    const spec: Spec = { flags, width: 0, type };
    if (width !== undefined) spec.width = source.count(width);
    if (precision !== undefined) spec.precision = source.count(precision);
    return formatOne(spec, key === undefined ? source.next() : source.named(key));
  });
  source.finish();
  return result;
}

/** Hands out the values in order, or by name. */
class Source {
  private index = 0;
  private usedNames = false;
  private readonly list: readonly Value[];

  constructor(private readonly values: Value) {
    this.list = values instanceof Tuple ? values.items : [values];
  }

  next(): Value {
    const value = this.list[this.index++];
    if (value === undefined) throw typeError('not enough arguments for format string');
    return value;
  }

  named(key: string): Value {
    if (!isMapping(this.values)) throw typeError('format requires a mapping');
    this.usedNames = true;
    const value = mappingGet(this.values, key);
    if (value === undefined) throw typeError(`the format string names '${key}', which the mapping does not have`);
    return value;
  }

  count(text: string): number {
    const count = text === '*' ? Number(numeric(this.next())) : Number(text);
    checkText(count);
    return count;
  }

  finish() {
    const mapping = isMapping(this.values) || Array.isArray(this.values);
    if (this.index < this.list.length && !this.usedNames && !(mapping && this.index === 0)) {
      throw typeError('not all arguments converted during string formatting');
    }
  }
}

function formatOne(spec: Spec, value: Value): string {
  if ('sra'.includes(spec.type)) return pad(textOf(spec, value), spec, false);
  if ('diu'.includes(spec.type)) return pad(integer(spec, value, 10), spec, true);
  if ('xX'.includes(spec.type)) return pad(integer(spec, whole(spec, value), 16), spec, true);
  if (spec.type === 'o') return pad(integer(spec, whole(spec, value), 8), spec, true);
  if ('eEfFgG'.includes(spec.type)) return pad(real(spec, value), spec, true);
  if (spec.type === 'c') return pad(character(value), spec, false);
  throw typeError(`unsupported format character '${spec.type}'`);
}

function textOf(spec: Spec, value: Value): string {
  const whole = spec.type === 's' ? pyStr(value) : pyRepr(value);
  return spec.precision === undefined ? whole : characters(whole).slice(0, spec.precision).join('');
}

function whole(spec: Spec, value: Value): Value {
  if (isInt(value)) return value;
  throw typeError(`%${spec.type} format: an integer is required, not ${shownType(value)}`);
}

function integer(spec: Spec, value: Value, radix: number): string {
  if (!isNumber(value)) {
    throw typeError(`%${spec.type} format: a real number is required, not ${shownType(value)}`);
  }
  const number = BigInt(typeof value === 'bigint' ? value : Math.trunc(Number(numeric(value))));
  const digits = (number < 0n ? -number : number).toString(radix).padStart(spec.precision ?? 0, '0');
  const prefix = spec.flags.includes('#') && radix !== 10 ? (radix === 16 ? '0x' : '0o') : '';
  const text = sign(spec, number < 0n) + prefix + digits;
  return spec.type === 'X' ? text.toUpperCase() : text;
}

function real(spec: Spec, value: Value): string {
  if (!isNumber(value)) throw typeError(`must be real number, not ${shownType(value)}`);
  const number = Number(numeric(value));
  const digits = formatFloat(Math.abs(number), spec.type, spec.precision ?? 6, spec.flags.includes('#'));
  return sign(spec, number < 0 || Object.is(number, -0)) + digits;
}

function sign(spec: Spec, negative: boolean): string {
  if (negative) return '-';
  return spec.flags.includes('+') ? '+' : spec.flags.includes(' ') ? ' ' : '';
}

function character(value: Value): string {
  if (isInt(value)) return String.fromCodePoint(Number(value));
  if (isString(value) && characters(pyStr(value)).length === 1) return pyStr(value);
  throw typeError('%c requires int or char');
}

function pad(text: string, spec: Spec, isNumeric: boolean): string {
  const missing = spec.width - characters(text).length;
  if (missing <= 0) return text;
  if (spec.flags.includes('-')) return text + ' '.repeat(missing);
  if (!isNumeric || !spec.flags.includes('0')) return ' '.repeat(missing) + text;
  const [head = ''] = /^[-+ ]?(?:0[xXo])?/.exec(text) ?? [];
  return head + '0'.repeat(missing) + text.slice(head.length);
}
