/** The parts of a moment, as strftime reads them. `month` and `day` from 1; `offset` minutes east, undefined when naive. */
export interface Moment {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  microsecond: number;
  offset?: number;
  zone?: string;
}

export const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
export const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Milliseconds since 1970 of a day's begin; Date.UTC alone reads years below 100 as 19xx. */
export function dayStart(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

export function isRealDate(year: number, month: number, day: number): boolean {
  const date = new Date(dayStart(year, month, day));
  return year >= 1 && year <= 9999 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** 0 is Sunday. */
export function weekday({ year, month, day }: Pick<Moment, 'year' | 'month' | 'day'>): number {
  return new Date(dayStart(year, month, day)).getUTCDay();
}

/** From 1. */
export function dayOfYear({ year, month, day }: Pick<Moment, 'year' | 'month' | 'day'>): number {
  return Math.round((dayStart(year, month, day) - dayStart(year, 1, 1)) / 86_400_000) + 1;
}

/** ISO year and week. */
export function isoWeek(moment: Moment): { year: number; week: number } {
  const fromMonday = (weekday(moment) + 6) % 7;
  const thursday = new Date(dayStart(moment.year, moment.month, moment.day - fromMonday + 3));
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - dayStart(year, 1, 1)) / (7 * 86_400_000)) + 1;
  return { year, week };
}

/** The parts of a JavaScript date, on the local clock or in UTC. */
export function momentOf(date: Date, utc: boolean): Moment {
  const offset = utc ? 0 : -date.getTimezoneOffset();
  const shifted = new Date(date.getTime() + offset * 60_000);
  return {
    year: shifted.getUTCFullYear(),
    month: shifted.getUTCMonth() + 1,
    day: shifted.getUTCDate(),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
    second: shifted.getUTCSeconds(),
    microsecond: shifted.getUTCMilliseconds() * 1000,
    offset,
    zone: zoneName(date, utc),
  };
}

/** What C calls the zone: CET, not Central European Standard Time. JavaScript knows only UTC and GMT+1 by short names. */
function zoneName(date: Date, utc: boolean): string {
  if (utc) return 'GMT';
  const parts = new Intl.DateTimeFormat('en', { timeZoneName: 'short' }).formatToParts(date);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';
}
