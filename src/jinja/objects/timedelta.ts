import { numeric } from '../python/compare.ts';
import { Callable, isNumber, makeFloat, PyObject, type Value } from '../values.ts';

const day = 86_400_000_000n;

/** Python's datetime.timedelta: what two moments are apart. */
export class TimeDelta extends PyObject {
  readonly typeName = 'timedelta';

  constructor(readonly micros: bigint) {
    super();
  }

  /** In seconds. */
  get seconds(): number {
    return Number(this.micros) / 1e6;
  }

  /** As Python keeps them: only the days may be negative. */
  private get parts(): { days: number; seconds: number; microseconds: number } {
    const rest = ((this.micros % day) + day) % day;
    return {
      days: Number((this.micros - rest) / day),
      seconds: Number(rest / 1_000_000n),
      microseconds: Number(rest % 1_000_000n),
    };
  }

  override repr(): string {
    const shown = Object.entries(this.parts).filter(([, value]) => value !== 0);
    return `datetime.timedelta(${shown.map(([name, value]) => `${name}=${value}`).join(', ') || '0'})`;
  }

  override str(): string {
    const { days, seconds, microseconds } = this.parts;
    const two = (value: number) => String(value).padStart(2, '0');
    const clock = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
    const fraction = microseconds ? `.${String(microseconds).padStart(6, '0')}` : '';
    return (days ? `${days} day${Math.abs(days) === 1 ? '' : 's'}, ` : '') + clock + fraction;
  }

  override attribute(name: string): Value | undefined {
    if (name === 'days' || name === 'seconds' || name === 'microseconds') return this.parts[name];
    if (name === 'total_seconds') return new Callable(name, () => makeFloat(this.seconds), 'method');
    return undefined;
  }

  override truth(): boolean {
    return this.micros !== 0n;
  }

  override equals(other: Value): boolean {
    return other instanceof TimeDelta && other.micros === this.micros;
  }

  override order(other: Value): number | undefined {
    return other instanceof TimeDelta ? Number(this.micros - other.micros) : undefined;
  }

  override operate(operator: string, other: Value, reversed: boolean): Value | undefined {
    if (other instanceof TimeDelta) return this.withDelta(operator, other, reversed);
    if (!isNumber(other)) return undefined;
    const number = Number(numeric(other));
    if (operator === '*') return new TimeDelta(BigInt(Math.round(Number(this.micros) * number)));
    return operator === '/' && !reversed ? new TimeDelta(BigInt(Math.round(Number(this.micros) / number))) : undefined;
  }

  private withDelta(operator: string, other: TimeDelta, reversed: boolean): Value | undefined {
    const [a, b] = reversed ? [other.micros, this.micros] : [this.micros, other.micros];
    if (operator === '+') return new TimeDelta(a + b);
    if (operator === '-') return new TimeDelta(a - b);
    return operator === '/' ? makeFloat(Number(a) / Number(b)) : undefined;
  }
}
