import { Dict } from '../python/dict.ts';
import { pyRepr } from '../python/repr.ts';
import { PyObject, type Value } from '../values.ts';

/** `namespace()`: the one object whose attributes templates may set. */
export class Namespace extends PyObject {
  readonly typeName = 'Namespace';
  readonly attributes = new Dict();

  override repr(): string {
    return `<Namespace ${pyRepr(this.attributes)}>`;
  }

  override attribute(name: string): Value | undefined {
    return this.attributes.get(name);
  }

  override item(key: Value): Value | undefined {
    return this.attributes.get(key);
  }
}
