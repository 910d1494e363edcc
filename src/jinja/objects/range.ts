import { equals } from '../python/compare.ts';
import { rangeItems, rangeLength } from '../python/sequence.ts';
import { isInt, PyObject, type Value } from '../values.ts';

/** Python's range(). */
export class Range extends PyObject {
  readonly typeName = 'range';

  constructor(
    readonly start: number,
    readonly stop: number,
    readonly step: number,
  ) {
    super();
  }

  override repr(): string {
    const bounds = [this.start, this.stop, ...(this.step === 1 ? [] : [this.step])];
    return `range(${bounds.join(', ')})`;
  }

  override length(): number {
    return rangeLength(this.start, this.stop, this.step);
  }

  override iterate(): Value[] {
    return rangeItems(this.start, this.stop, this.step);
  }

  override item(key: Value): Value | undefined {
    return isInt(key) ? this.iterate().at(Number(key)) : undefined;
  }

  override unrolled(): Value {
    return this.iterate();
  }

  override equals(other: Value): boolean {
    return other instanceof Range && equals(this.iterate(), other.iterate());
  }
}
