import { typeError } from '../errors.ts';
import { dayNames, dayStart, isRealDate, type Moment, monthNames } from './calendar.ts';

const names = (list: string[], length?: number) => list.map((name) => name.slice(0, length)).join('|');

const patterns: Record<string, string> = {
  Y: '\\d{4}',
  m: '1[0-2]|0?[1-9]',
  d: '3[01]|[12]\\d|0?[1-9]| [1-9]',
  H: '2[0-3]|[01]\\d|\\d',
  I: '1[0-2]|0?[1-9]',
  M: '[0-5]\\d|\\d',
  S: '6[01]|[0-5]\\d|\\d',
  f: '\\d{1,6}',
  y: '\\d\\d',
  j: '36[0-6]|3[0-5]\\d|[12]\\d\\d|0?[1-9]\\d|00[1-9]|0?[1-9]|[1-9]',
  b: names(monthNames, 3),
  B: names(monthNames),
  a: names(dayNames, 3),
  A: names(dayNames),
  p: 'AM|PM',
  z: 'Z|[-+]\\d\\d:?[0-5]\\d(?::?[0-5]\\d)?',
  Z: 'UTC|GMT',
};
const composed: Record<string, string> = {
  T: '%H:%M:%S',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  R: '%H:%M',
  c: '%a %b %d %H:%M:%S %Y',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
};
/** Python's own composed directives; the others of C are unknown to it. */
const allowed = ['c', 'x', 'X'];

/** Python's datetime.strptime(). Throws a TemplateError of kind `type` when the text does not fit. */
export function strptime(text: string, format: string): Moment {
  const letters: string[] = [];
  const found = new RegExp(`^${patternOf(format, letters)}$`, 'i').exec(text);
  if (!found) throw typeError(`time data '${text}' does not match format '${format}'`);
  const parts = new Map(letters.map((letter, i) => [letter, found[i + 1]!]));
  return momentOf(parts, text, format);
}

function patternOf(format: string, letters: string[]): string {
  return format
    .replace(/%(.)/g, (whole, letter) => (allowed.includes(letter) ? composed[letter]! : whole))
    .replace(/%([\s\S])|\s+|[\\^$.*+?()[\]{}|]/g, (whole, letter) => {
      if (letter === undefined) return /\s/.test(whole) ? '\\s+' : `\\${whole}`;
      if (letter === '%') return '%';
      const pattern = Object.hasOwn(patterns, letter) ? patterns[letter] : undefined;
      if (!pattern) throw typeError(`'${letter}' is a bad directive in format '${format}'`);
      letters.push(letter);
      return `(${pattern})`;
    });
}

function momentOf(parts: Map<string, string>, text: string, format: string): Moment {
  const number = (letter: string) => (parts.has(letter) ? Number(parts.get(letter)) : undefined);
  const year = number('Y') ?? shortYear(number('y')) ?? 1900;
  const date = dateOf(year, number('m') ?? monthOf(parts), number('d'), number('j'));
  if (!isRealDate(date.year, date.month, date.day))
    throw typeError(`day is out of range for month in '${text}' ('${format}')`);
  return {
    ...date,
    hour: number('H') ?? hour12(number('I'), parts.get('p')),
    minute: number('M') ?? 0,
    second: number('S') ?? 0,
    microsecond: Number((parts.get('f') ?? '').padEnd(6, '0')),
    offset: offsetOf(parts.get('z')),
  };
}

function shortYear(year: number | undefined): number | undefined {
  return year === undefined ? undefined : year + (year < 69 ? 2000 : 1900);
}

function monthOf(parts: Map<string, string>): number | undefined {
  const name = (parts.get('B') ?? parts.get('b'))?.slice(0, 3).toLowerCase();
  return name === undefined ? undefined : monthNames.findIndex((month) => month.slice(0, 3).toLowerCase() === name) + 1;
}

function dateOf(year: number, month: number | undefined, day: number | undefined, dayOfYear: number | undefined) {
  if (dayOfYear === undefined || month !== undefined) return { year, month: month ?? 1, day: day ?? 1 };
  const date = new Date(dayStart(year, 1, dayOfYear));
  return { year, month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function hour12(hour: number | undefined, half: string | undefined): number {
  if (hour === undefined) return 0;
  return (hour % 12) + (half?.toUpperCase() === 'PM' ? 12 : 0);
}

function offsetOf(zone: string | undefined): number | undefined {
  if (zone === undefined) return undefined;
  const [, sign, hours, minutes] = /^([-+])(\d\d):?(\d\d)/.exec(zone) ?? ['', '+', '0', '0'];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
