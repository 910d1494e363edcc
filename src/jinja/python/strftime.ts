import { dayNames, dayOfYear, isoWeek, type Moment, monthNames, weekday } from './calendar.ts';

type Directive = (m: Moment) => string;

const two = (value: number) => String(value).padStart(2, '0');
const blank = (value: number) => String(value).padStart(2, ' ');
const hour12 = (m: Moment) => m.hour % 12 || 12;
const weekOf = (m: Moment, firstDay: number) => Math.floor((dayOfYear(m) + 6 - ((weekday(m) - firstDay + 7) % 7)) / 7);
const time = (m: Moment) => `${two(m.hour)}:${two(m.minute)}:${two(m.second)}`;

const directives: Record<string, Directive> = {
  a: (m) => dayNames[weekday(m)]!.slice(0, 3),
  A: (m) => dayNames[weekday(m)]!,
  b: (m) => monthNames[m.month - 1]!.slice(0, 3),
  B: (m) => monthNames[m.month - 1]!,
  c: (m) => strftime('%a %b %e %H:%M:%S %Y', m),
  C: (m) => two(Math.floor(m.year / 100)),
  d: (m) => two(m.day),
  D: (m) => strftime('%m/%d/%y', m),
  e: (m) => blank(m.day),
  f: (m) => String(m.microsecond).padStart(6, '0'),
  F: (m) => strftime('%Y-%m-%d', m),
  G: (m) => String(isoWeek(m).year),
  h: (m) => monthNames[m.month - 1]!.slice(0, 3),
  H: (m) => two(m.hour),
  I: (m) => two(hour12(m)),
  j: (m) => String(dayOfYear(m)).padStart(3, '0'),
  k: (m) => blank(m.hour),
  l: (m) => blank(hour12(m)),
  m: (m) => two(m.month),
  M: (m) => two(m.minute),
  n: () => '\n',
  p: (m) => (m.hour < 12 ? 'AM' : 'PM'),
  P: (m) => (m.hour < 12 ? 'am' : 'pm'),
  r: (m) => `${two(hour12(m))}:${two(m.minute)}:${two(m.second)} ${m.hour < 12 ? 'AM' : 'PM'}`,
  R: (m) => `${two(m.hour)}:${two(m.minute)}`,
  s: (m) => String(epochSeconds(m)),
  S: (m) => two(m.second),
  t: () => '\t',
  T: time,
  u: (m) => String(weekday(m) || 7),
  U: (m) => two(weekOf(m, 0)),
  V: (m) => two(isoWeek(m).week),
  w: (m) => String(weekday(m)),
  W: (m) => two(weekOf(m, 1)),
  x: (m) => strftime('%m/%d/%y', m),
  X: time,
  y: (m) => two(m.year % 100),
  Y: (m) => String(m.year),
  z: (m) => (m.offset === undefined ? '' : zone(m.offset, '')),
  Z: (m) => m.zone ?? '',
  '%': () => '%',
};

/** C's strftime in the C locale. Unknown directives stay as they are. */
export function strftime(format: string, moment: Moment): string {
  return format.replace(/%[-_0^#]?([a-zA-Z%])/g, (whole, letter) => {
    const value = Object.hasOwn(directives, letter) ? directives[letter]!(moment) : whole;
    return flagged(value, whole[1]!);
  });
}

/** glibc's flags: `%-d` drops zeros, `%_d` makes them blanks, `%^a` large letters. */
function flagged(value: string, flag: string): string {
  if (flag === '-') return value.replace(/^[0 ]+(?=\d)/, '');
  if (flag === '_') return value.replace(/^0+(?=\d)/, (zeros) => ' '.repeat(zeros.length));
  if (flag === '0') return value.replace(/^ +(?=\d)/, (blanks) => '0'.repeat(blanks.length));
  return flag === '^' || flag === '#' ? value.toUpperCase() : value;
}

export function zone(offset: number, separator: string): string {
  const size = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${separator}${two(size % 60)}`;
}

/** Seconds since 1970 of a moment; a naive one counts on the local clock. */
export function epochSeconds(m: Moment): number {
  if (m.offset === undefined)
    return Math.floor(new Date(m.year, m.month - 1, m.day, m.hour, m.minute, m.second).getTime() / 1000);
  return Date.UTC(m.year, m.month - 1, m.day, m.hour, m.minute, m.second) / 1000 - m.offset * 60;
}
