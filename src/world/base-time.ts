import type { Value } from '../jinja/values.ts';
import { type BaseParts, dict } from './base-parts.ts';

/** date_time: the host's own clock and time zone. */
export function timeFacts(parts: BaseParts): Record<string, Value> {
  const local = parts.section('date').trim();
  const [year = '', month = '', day = '', hour = '', minute = '', second = '', epoch = '', zone = '', offset = ''] =
    local.split(' ');
  const [weekday = '', weekdayNumber = '', week = '', , nanos = ''] = local.split(' ').slice(9);
  const micros = (/^\d{9}$/.test(nanos) ? nanos : '000000000').slice(0, 6);
  const utcTime = new Date(Number(epoch) * 1000).toISOString().slice(0, 19);
  return {
    date_time: dict({
      year,
      month,
      weekday,
      weekday_number: weekdayNumber,
      weeknumber: week,
      day,
      hour,
      minute,
      second,
      epoch,
      epoch_int: epoch,
      date: `${year}-${month}-${day}`,
      time: `${hour}:${minute}:${second}`,
      iso8601_micro: `${utcTime}.${micros}Z`,
      iso8601: `${utcTime}Z`,
      iso8601_basic: `${year}${month}${day}T${hour}${minute}${second}${micros}`,
      iso8601_basic_short: `${year}${month}${day}T${hour}${minute}${second}`,
      tz: zone,
      tz_dst: zone,
      tz_offset: offset,
    }),
  };
}
