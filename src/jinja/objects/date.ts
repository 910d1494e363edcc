import { dayStart, type Moment } from '../python/calendar.ts';
import { pyStr } from '../python/repr.ts';
import { strftime } from '../python/strftime.ts';
import { Callable, PyObject, type Value } from '../values.ts';

const two = (value: number) => String(value).padStart(2, '0');

/** Python's datetime.date, such as YAML's 2024-05-01. */
export class PlainDate extends PyObject {
  readonly typeName = 'date';

  constructor(
    readonly year: number,
    readonly month: number,
    readonly day: number,
  ) {
    super();
  }

  override repr(): string {
    return `datetime.date(${this.year}, ${this.month}, ${this.day})`;
  }

  override str(): string {
    return `${String(this.year).padStart(4, '0')}-${two(this.month)}-${two(this.day)}`;
  }

  override isoText(): string {
    return this.str();
  }

  private get moment(): Moment {
    return { year: this.year, month: this.month, day: this.day, hour: 0, minute: 0, second: 0, microsecond: 0 };
  }

  override attribute(name: string): Value | undefined {
    if (name === 'year' || name === 'month' || name === 'day') return this[name];
    if (name === 'isoformat') return new Callable(name, () => this.str(), 'method');
    if (name === 'strftime')
      return new Callable(name, ({ args }) => strftime(pyStr(args[0] ?? ''), this.moment) as Value, 'method');
    return undefined;
  }

  override equals(other: Value): boolean {
    return this.order(other) === 0;
  }

  override order(other: Value): number | undefined {
    if (!(other instanceof PlainDate)) return undefined;
    return dayStart(this.year, this.month, this.day) - dayStart(other.year, other.month, other.day);
  }
}
