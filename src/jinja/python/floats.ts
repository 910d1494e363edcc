import { exponentSuffix } from './repr.ts';

/** A non-negative float by the conversion `e`, `f`, `g` or its capital. `alternate` keeps the point and zeros of `g`. */
export function formatFloat(value: number, type: string, precision: number, alternate = false): string {
  const text = Number.isFinite(value) ? finite(value, type.toLowerCase(), precision, alternate) : special(value);
  return type === type.toUpperCase() ? text.toUpperCase() : text;
}

function special(value: number): string {
  return Number.isNaN(value) ? 'nan' : 'inf';
}

function finite(value: number, type: string, precision: number, alternate: boolean): string {
  if (type === 'f') return fixed(value, precision) + (alternate && precision === 0 ? '.' : '');
  if (type === 'e') return exponential(value, precision, alternate);
  return general(value, Math.max(1, precision), alternate);
}

/** All digits are exact, as in C; JavaScript's toFixed stops at 100 digits and at 1e21. */
export function fixed(value: number, precision: number): string {
  if (value >= 1e21) return BigInt(value).toString() + (precision > 0 ? `.${'0'.repeat(precision)}` : '');
  const digits = Math.min(100, precision);
  return roundHalfEven(value, digits) + '0'.repeat(precision - digits);
}

/** toFixed rounds ties away from zero, Python to even; only exact ties differ. */
function roundHalfEven(value: number, digits: number): string {
  const text = value.toFixed(digits);
  if (digits > 50) return text;
  const exact = value.toFixed(Math.min(100, digits + 50));
  const tail = exact.slice(exact.length - 50);
  if (!/^50*$/.test(tail)) return text;
  const kept = exact.slice(0, exact.length - 50).replace(/\.$/, '');
  return Number(kept.at(-1)) % 2 === 0 ? kept : text;
}

/** `pointAlways`: the point stays even when nothing follows it. */
export function exponential(value: number, precision: number, pointAlways = false): string {
  const [mantissa = '', exponent] = evenExponential(value, Math.min(100, precision)).split('e');
  const point = pointAlways && precision === 0 ? '.' : '';
  return `${mantissa}${point}e${exponentSuffix(Number(exponent))}`;
}

/** toExponential rounds ties up, Python to even. */
function evenExponential(value: number, precision: number): string {
  const text = value.toExponential(precision);
  if (precision > 60) return text;
  const [exact = '', exponent] = value.toExponential(precision + 40).split('e');
  if (!/^50*$/.test(exact.slice(exact.length - 40))) return text;
  const kept = exact.slice(0, exact.length - 40).replace(/\.$/, '');
  return Number(kept.at(-1)) % 2 === 0 ? `${kept}e${exponent}` : text;
}

/** The exponent that a number has when it is rounded to so many digits. */
export function roundedExponent(value: number, precision: number): number {
  return value === 0 ? 0 : Number(evenExponential(value, Math.min(100, Math.max(0, precision - 1))).split('e')[1]);
}

/** C's %g: the shorter of the two forms, without trailing zeros unless `alternate`. */
export function general(value: number, precision: number, alternate: boolean): string {
  const exponent = roundedExponent(value, precision);
  const digits = Math.max(0, precision - 1 - exponent);
  const useExponent = exponent < -4 || exponent >= precision;
  const text = useExponent ? exponential(value, precision - 1, alternate) : fixed(value, digits);
  if (alternate) return text.includes('.') ? text : `${text}.`;
  return text.includes('.') ? text.replace(/\.?0+(?=e|$)/, '') : text;
}

/** Puts a separator between groups of digits of the integral part: of three decimal ones, else of four. */
export function groupDigits(text: string, separator: string, size: 3 | 4): string {
  const head = (size === 3 ? /^\d*/ : /^[\da-fA-F]*/).exec(text)![0];
  const groups: string[] = [];
  for (let end = head.length; end > 0; end -= size) groups.unshift(head.slice(Math.max(0, end - size), end));
  return groups.join(separator) + text.slice(head.length);
}
