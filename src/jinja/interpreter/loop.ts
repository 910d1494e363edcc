import { typeError } from '../errors.ts';
import { equals } from '../python/compare.ts';
import { type CallArguments, Callable, firstDefined, PyObject, Tuple, Undefined, type Value } from '../values.ts';

/** The `loop` of a `for`. One object serves all turns. */
export class Loop extends PyObject {
  readonly typeName = 'LoopContext';
  index0 = 0;
  private lastSeen?: Value;

  constructor(
    private readonly items: readonly Value[],
    private readonly depth0: number,
    private readonly recurse?: (items: Value) => Value,
  ) {
    super();
  }

  override repr(): string {
    return `<LoopContext ${this.index0 + 1}/${this.items.length}>`;
  }

  override attribute(name: string): Value | undefined {
    const { items, index0, depth0 } = this;
    switch (name) {
      case 'index':
        return index0 + 1;
      case 'index0':
        return index0;
      case 'revindex':
        return items.length - index0;
      case 'revindex0':
        return items.length - index0 - 1;
      case 'first':
        return index0 === 0;
      case 'last':
        return index0 === items.length - 1;
      case 'length':
        return items.length;
      case 'depth':
        return depth0 + 1;
      case 'depth0':
        return depth0;
      default:
        return firstDefined(this.neighbour(name), this.method(name));
    }
  }

  private neighbour(name: string): Value | undefined {
    if (name !== 'previtem' && name !== 'nextitem') return undefined;
    const item = this.items[this.index0 + (name === 'previtem' ? -1 : 1)];
    return item === undefined
      ? new Undefined(name, `there is no ${name === 'previtem' ? 'previous' : 'next'} item`)
      : item;
  }

  private method(name: string): Value | undefined {
    if (name === 'cycle') return new Callable('cycle', ({ args }) => this.cycle(args), 'method');
    if (name === 'changed') return new Callable('changed', ({ args }) => this.changed(args), 'method');
    return undefined;
  }

  private cycle(args: readonly Value[]): Value {
    if (args.length === 0) throw typeError('no items for cycling given');
    return args[this.index0 % args.length]!;
  }

  private changed(args: readonly Value[]): boolean {
    const now = new Tuple(args);
    const same = this.lastSeen !== undefined && equals(this.lastSeen, now);
    this.lastSeen = now;
    return !same;
  }

  /** `loop(items)` in a recursive loop. */
  override call({ args }: CallArguments): Value {
    if (!this.recurse) throw typeError("the loop must have the 'recursive' marker to be called recursively");
    return this.recurse(args[0] ?? null);
  }
}
