import { mappingGet } from '../python/dict.ts';
import { pyRepr } from '../python/repr.ts';
import { type LazyDict, type PyDict, PyObject, Tuple, type Value } from '../values.ts';

/** What `dict.keys()`, `.values()` and `.items()` give. */
export class DictView extends PyObject {
  readonly typeName: string;

  constructor(
    private readonly dict: PyDict | LazyDict,
    private readonly kind: 'keys' | 'values' | 'items',
  ) {
    super();
    this.typeName = `dict_${kind}`;
  }

  override repr(): string {
    return `${this.typeName}(${pyRepr(this.iterate())})`;
  }

  override length(): number {
    return [...this.dict.keys()].length;
  }

  override iterate(): Value[] {
    const keys = [...this.dict.keys()];
    if (this.kind === 'keys') return keys;
    const value = (key: Value) => mappingGet(this.dict, key)!;
    return keys.map((key) => (this.kind === 'values' ? value(key) : new Tuple([key, value(key)])));
  }

  override unrolled(): Value {
    return this.iterate();
  }
}
