import { typeError } from '../errors.ts';
import {
  Float,
  isMapping,
  type PyDict,
  Tuple,
  Undefined,
  Unknown,
  UnknownReached,
  Unsafe,
  type Value,
} from '../values.ts';
import { undefinedError } from './types.ts';

/**
 * A Map that finds keys as Python does: 1, 1.0 and True are one key, a tuple is found by its items, an unsafe string by
 * its text. The first form of a key stays. Plain Maps work as dicts too, as long as their keys are primitives.
 */
export class Dict extends Map<Value, Value> {
  /** Primitive form → the key as it was given, for keys that are not their own primitive form. */
  private aliases?: Map<Value, Value>;

  constructor(entries: Iterable<readonly [Value, Value]> = []) {
    super();
    for (const [key, value] of entries) this.set(key, value);
  }

  override get(key: Value): Value | undefined {
    return super.get(this.stored(key));
  }

  override has(key: Value): boolean {
    return super.has(this.stored(key));
  }

  override set(key: Value, value: Value): this {
    const stored = this.stored(key);
    if (super.has(stored)) return super.set(stored, value);
    const primitive = primitiveKey(key);
    if (primitive !== key) this.addAlias(primitive, key);
    return super.set(key, value);
  }

  override delete(key: Value): boolean {
    const stored = this.stored(key);
    this.aliases?.delete(primitiveKey(key));
    return super.delete(stored);
  }

  override clear(): void {
    this.aliases = undefined;
    super.clear();
  }

  private stored(key: Value): Value {
    const primitive = typeof key === 'string' ? key : primitiveKey(key);
    return this.aliases?.get(primitive) ?? primitive;
  }

  private addAlias(primitive: Value, key: Value) {
    this.aliases ??= new Map();
    this.aliases.set(primitive, key);
  }
}

/** What a Map can compare a key by. Throws for keys Python cannot hash. */
export function primitiveKey(key: Value): Value {
  if (typeof key === 'boolean') return Number(key);
  if (typeof key !== 'object' || key === null) return key;
  if (key instanceof Unsafe) return key.text;
  if (key instanceof Float) return key.value;
  if (key instanceof Tuple) return `\u0000tuple ${key.items.map(itemKey).join('\u0000')}`;
  if (key instanceof Unknown) throw new UnknownReached(key);
  if (key instanceof Undefined) throw undefinedError(key);
  if (Array.isArray(key)) throw typeError("unhashable type: 'list'");
  if (isMapping(key)) throw typeError("unhashable type: 'dict'");
  return key;
}

function itemKey(item: Value): string {
  const key = primitiveKey(item);
  return `${typeof key} ${String(key)}`;
}

/** `get` of any mapping, whatever form the key has. */
export function mappingGet(mapping: PyDict | { get(key: string): Value | undefined }, key: Value): Value | undefined {
  if (mapping instanceof Map) return mapping.get(typeof key === 'string' ? key : primitiveKey(key));
  const primitive = primitiveKey(key);
  return typeof primitive === 'string' ? mapping.get(primitive) : undefined;
}
