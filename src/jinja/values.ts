/**
 * The value model of templates: Python's types on JavaScript's.
 *
 * - `null`, `boolean`, `string`, arrays (list) and `Map` (dict, insertion order) stand for themselves.
 * - An integral `number` is an int, `bigint` only an int beyond 2^53; a `number` with a fraction, ±Infinity and NaN
 *   are floats; a float that happens to be integral is a `Float` (Python prints 2.0, JavaScript cannot tell it from 2).
 * - The classes below are what JavaScript has no word for.
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | Unsafe
  | Tuple
  | Undefined
  | Unknown
  | LazyDict
  | PyObject
  | Callable
  | Value[]
  | Map<Value, Value>;

/** A dict. Maps made by the engine are `Dict`s (dict.ts), which also find Unsafe, Float, boolean and tuple keys. */
export type PyDict = Map<Value, Value>;

/** A float with an integral value, such as 2.0. Use `makeFloat` to get the right form for any number. */
export class Float {
  constructor(readonly value: number) {}
}

/** A string that came from a host, a lookup or `!unsafe`: data for ever, never rendered again. */
export class Unsafe {
  constructor(readonly text: string) {}
}

/** A tuple; one with `names` (what `groupby` gives) also has its items as attributes. */
export class Tuple {
  constructor(
    readonly items: readonly Value[],
    readonly names: readonly string[] = [],
  ) {}
}

/**
 * A name or key that nothing defines. It chains (`a.b.c | default(1)` works from any missing link), but printing,
 * comparing, iterating or testing its truth is an error that says `hint`.
 */
export class Undefined {
  /** What `x if false` without else gives: it prints nothing, is false and empty, but has no attributes. */
  static readonly ofMissingElse = (hint: string): Undefined => Object.assign(new Undefined('', hint), { isSoft: true });
  readonly isSoft: boolean = false;
  /** Where the name was looked up. */
  place?: { origin?: string; line: number; column: number };

  constructor(
    readonly name: string,
    readonly hint: string = `'${name}' is undefined`,
    /** The names that do exist where this one was looked up: what "did you mean" chooses from. */
    readonly candidates: () => Iterable<string> = () => [],
  ) {}
}

/** `pending`: the answer comes later in this very run. `deferred`: it comes only when the action really runs. */
export type UnknownKind = 'deferred' | 'pending';

/** kpush's third value, "known after `why`". It spreads through every operation that needs the value itself. */
export class Unknown {
  constructor(
    readonly why: string,
    readonly kind: UnknownKind = 'deferred',
  ) {}
}

/** The Unknown that two make together: pending wins, else the first. */
export function mergeUnknown(a: Unknown, b: Unknown): Unknown {
  return a.kind === 'pending' || b.kind !== 'pending' ? a : b;
}

/** Thrown inside the engine when an operation needs a value that is Unknown; becomes an Unknown result again. */
export class UnknownReached {
  constructor(readonly unknown: Unknown) {}
}

/** A mapping whose values are computed when asked for (hostvars, vars). `get` returns undefined for a missing key. */
export abstract class LazyDict {
  abstract get(key: string): Value | undefined;
  abstract keys(): Iterable<string>;
}

/** Objects with attributes of their own (loop, namespace, range, dict views, dates). Nothing else is reachable. */
export abstract class PyObject {
  /** Python's type name, for `type_debug` and error messages. */
  abstract readonly typeName: string;
  /** What `{{ x }}` prints. */
  abstract repr(): string;
  str(): string {
    return this.repr();
  }
  attribute(_name: string): Value | undefined {
    return undefined;
  }
  /** `x[key]`; undefined when there is no such item. */
  item(_key: Value): Value | undefined {
    return undefined;
  }
  /** The items when it can be iterated. */
  iterate(): Iterable<Value> | undefined {
    return undefined;
  }
  length(): number | undefined {
    return undefined;
  }
  truth(): boolean {
    return this.length() !== 0;
  }
  /** What becomes of it as the result of a filter or a rendering: ranges and dict views become lists. */
  unrolled(): Value {
    return this;
  }
  /** A date's text in JSON. */
  isoText?(): string;
  call?(call: CallArguments, context: CallContext): Value;
  equals(other: Value): boolean {
    return this === other;
  }
  /** `this <operator> other`, or `other <operator> this` when reversed; undefined when it has no meaning. */
  operate?(operator: string, other: Value, reversed: boolean): Value | undefined;
  /** Against another value, as `compare`; undefined when there is no order. */
  order?(other: Value): number | undefined;
}

export interface CallArguments {
  args: readonly Value[];
  kwargs: ReadonlyMap<string, Value>;
}

/** What a called function can ask of the evaluation that calls it. */
export interface CallContext {
  scope: Scope;
  /** Calls another filter or test by name; throws a TemplateError when there is none. */
  filter(name: string, value: Value, call: CallArguments): Value;
  test(name: string, value: Value, call: CallArguments): boolean | Unknown;
  call(callee: Value, call: CallArguments): Value;
  /** `value.name` and `value[key]`; Undefined when there is no such thing. */
  attribute(value: Value, name: string): Value;
  item(value: Value, key: Value): Value;
}

/** A function that templates can call: a global, a macro or a bound method. */
export class Callable {
  constructor(
    readonly name: string,
    readonly call: (call: CallArguments, context: CallContext) => Value,
    readonly typeName = 'function',
  ) {}
}

/** Where names are looked up. `get` may compute (lazy variables); undefined means "no such name". */
export interface Scope {
  get(name: string): Value | undefined;
  names(): Iterable<string>;
  /**
   * Whether the variable's own text is a template. `"{{ a }}"` alone keeps the number or boolean that `a` holds, but when
   * `a` is itself written as "{{ b }}" Ansible makes text of it. Absent: no variable is.
   */
  isTemplated?(name: string): boolean;
}

/** The right form of a float: plain when it has a fraction or is not finite, else a `Float`. */
export function makeFloat(value: number): number | Float {
  return Number.isInteger(value) ? new Float(value) : value;
}

/** The right form of an int: `number` up to 2^53, `bigint` beyond. */
export function makeInt(value: bigint): number | bigint {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

export function isString(value: Value | undefined): value is string | Unsafe {
  return typeof value === 'string' || value instanceof Unsafe;
}

export function isMapping(value: Value | undefined): value is PyDict | LazyDict {
  return value instanceof Map || value instanceof LazyDict;
}

/** An int in Python's sense; True and False are ints too. */
export function isInt(value: Value | undefined): value is number | bigint | boolean {
  return typeof value === 'boolean' || typeof value === 'bigint' || Number.isInteger(value);
}

export function isFloat(value: Value | undefined): value is number | Float {
  return value instanceof Float || (typeof value === 'number' && !Number.isInteger(value));
}

export function isNumber(value: Value | undefined): value is number | bigint | boolean | Float {
  return typeof value === 'number' || value instanceof Float || isInt(value);
}

/** The first of some values that is there at all; null (None) counts as there. */
export function firstDefined<T>(...values: (T | undefined)[]): T | undefined {
  return values.find((value) => value !== undefined);
}
