import { typeError } from '../errors.ts';
import { dayStart, isRealDate, type Moment, weekday } from '../python/calendar.ts';
import { pyStr } from '../python/repr.ts';
import { epochSeconds, strftime, zone } from '../python/strftime.ts';
import { type CallArguments, Callable, makeFloat, PyObject, type Value } from '../values.ts';
import { PlainDate } from './date.ts';
import { TimeDelta } from './timedelta.ts';

const fields = ['year', 'month', 'day', 'hour', 'minute', 'second', 'microsecond'] as const;
const two = (value: number) => String(value).padStart(2, '0');

/** Python's datetime.datetime, without a zone or with a fixed offset. */
export class DateTime extends PyObject {
  readonly typeName = 'datetime';

  constructor(readonly moment: Moment) {
    super();
    if (!isRealDate(moment.year, moment.month, moment.day)) throw typeError('day is out of range for month');
  }

  static of(
    ...[year, month, day, hour, minute, second, microsecond]: [number, number, number, number, number, number, number]
  ) {
    return new DateTime({ year, month, day, hour, minute, second, microsecond });
  }

  withOffset(offset: number | '' | undefined): DateTime {
    return offset === undefined || offset === '' ? this : new DateTime({ ...this.moment, offset });
  }

  /** Microseconds on its own clock since 1970. */
  private get micros(): bigint {
    const { year, month, day, hour, minute, second, microsecond } = this.moment;
    const seconds = BigInt(dayStart(year, month, day) / 1000 + hour * 3600 + minute * 60 + second);
    return seconds * 1_000_000n + BigInt(microsecond);
  }

  private get utcMicros(): bigint {
    return this.micros - BigInt((this.moment.offset ?? 0) * 60) * 1_000_000n;
  }

  override repr(): string {
    const values = fields.map((field) => this.moment[field]);
    while (values.length > 5 && values.at(-1) === 0) values.pop();
    return `datetime.datetime(${values.join(', ')})`;
  }

  override str(): string {
    return this.iso(' ');
  }

  override isoText(): string {
    return this.iso('T');
  }

  private iso(separator: string): string {
    const { year, month, day, hour, minute, second, microsecond, offset } = this.moment;
    const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
    const fraction = microsecond ? `.${String(microsecond).padStart(6, '0')}` : '';
    const suffix = offset === undefined ? '' : zone(offset, ':');
    return `${date}${separator}${two(hour)}:${two(minute)}:${two(second)}${fraction}${suffix}`;
  }

  override attribute(name: string): Value | undefined {
    const field = fields.find((candidate) => candidate === name);
    if (field) return this.moment[field];
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
    return method && new Callable(name, (call) => method(this, call), 'method');
  }

  override equals(other: Value): boolean {
    return other instanceof DateTime && this.utcMicros === other.utcMicros;
  }

  override order(other: Value): number | undefined {
    return other instanceof DateTime ? Number(this.utcMicros - other.utcMicros) : undefined;
  }

  override operate(operator: string, other: Value, reversed: boolean): Value | undefined {
    if (other instanceof DateTime && operator === '-') {
      if ((this.moment.offset === undefined) !== (other.moment.offset === undefined)) {
        throw typeError("can't subtract offset-naive and offset-aware datetimes");
      }
      return new TimeDelta(reversed ? other.utcMicros - this.utcMicros : this.utcMicros - other.utcMicros);
    }
    if (!(other instanceof TimeDelta)) return undefined;
    if (operator === '+') return this.moved(other.micros);
    return operator === '-' && !reversed ? this.moved(-other.micros) : undefined;
  }

  private moved(by: bigint): DateTime {
    const micros = this.micros + by;
    const microsecond = Number(((micros % 1_000_000n) + 1_000_000n) % 1_000_000n);
    const date = new Date(Number((micros - BigInt(microsecond)) / 1000n));
    return DateTime.of(
      date.getUTCFullYear(),
      date.getUTCMonth() + 1,
      date.getUTCDate(),
      date.getUTCHours(),
      date.getUTCMinutes(),
      date.getUTCSeconds(),
      microsecond,
    ).withOffset(this.moment.offset);
  }
}

type Method = (self: DateTime, call: CallArguments) => Value;

const methods: Record<string, Method> = {
  strftime: (self, { args }) => strftime(pyStr(args[0] ?? ''), self.moment),
  isoformat: (self, { args }) => self.isoText().replace('T', pyStr(args[0] ?? 'T')),
  timestamp: (self) => makeFloat(epochSeconds(self.moment) + self.moment.microsecond / 1e6),
  date: ({ moment }) => new PlainDate(moment.year, moment.month, moment.day),
  weekday: ({ moment }) => (weekday(moment) + 6) % 7,
  isoweekday: ({ moment }) => weekday(moment) || 7,
  replace: ({ moment }, { kwargs }) => {
    const changes = Object.fromEntries([...kwargs].filter(([name]) => fields.includes(name as 'year')));
    return new DateTime({ ...moment, ...(changes as Partial<Moment>) });
  },
};
