import { typeError } from '../errors.ts';
import { Callable, PyObject, type Value } from '../values.ts';

/** `cycler(a, b)`: gives its items in turn. */
export class Cycler extends PyObject {
  readonly typeName = 'Cycler';
  private position = 0;

  constructor(private readonly items: readonly Value[]) {
    super();
    if (items.length === 0) throw typeError('at least one item has to be provided');
  }

  override repr(): string {
    return '<Cycler>';
  }

  override attribute(name: string): Value | undefined {
    if (name === 'current') return this.items[this.position]!;
    if (name === 'next') return new Callable('next', () => this.next(), 'method');
    return name === 'reset' ? new Callable('reset', () => this.reset(), 'method') : undefined;
  }

  private next(): Value {
    const current = this.items[this.position]!;
    this.position = (this.position + 1) % this.items.length;
    return current;
  }

  private reset(): Value {
    this.position = 0;
    return null;
  }
}

/** `joiner(', ')`: nothing at the first call, the separator at all later ones. */
export class Joiner extends PyObject {
  readonly typeName = 'Joiner';
  private used = false;

  constructor(private readonly separator: Value) {
    super();
  }

  override repr(): string {
    return '<Joiner>';
  }

  override call(): Value {
    if (this.used) return this.separator;
    this.used = true;
    return '';
  }
}
