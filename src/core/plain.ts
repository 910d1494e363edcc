import { Callable, Float, LazyDict, PyObject, Tuple, Undefined, Unknown, Unsafe, type Value } from '../jinja/values.ts';

/**
 * A template value as plain JavaScript, deeply: strings without their mark, floats as numbers, tuples as arrays,
 * dicts as objects (keys as text). Unknowns stay as they are. Throws on what is no data (undefined, functions).
 */
export function plain(value: Value): unknown {
  if (value instanceof Unsafe) return value.text;
  if (value instanceof Float) return value.value;
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Tuple) return value.items.map(plain);
  if (value instanceof Map || value instanceof LazyDict) return objectOf(pairsOf(value));
  if (value instanceof PyObject) return objectText(value);
  if (value instanceof Undefined) throw new TypeError(value.hint);
  if (value instanceof Callable) throw new TypeError(`${value.name} is a function, not a value`);
  return value;
}

/** The first Unknown inside a value, however deep. */
export function findUnknown(value: Value): Unknown | undefined {
  if (value instanceof Unknown) return value;
  for (const part of partsOf(value)) {
    const found = findUnknown(part);
    if (found) return found;
  }
  return undefined;
}

/** Key and value pairs of a mapping, in order. */
export function pairsOf(value: Map<Value, Value> | LazyDict): [Value, Value][] {
  if (value instanceof Map) return [...value];
  return [...value.keys()].map((key) => [key, value.get(key) ?? null]);
}

/** What Python's `str` makes of a scalar; undefined for lists, dicts and whatever else has no plain text. */
export function scalarText(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof Unsafe) return value.text;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Float) return floatText(value.value);
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : floatText(value);
  return undefined;
}

/** Python's name of a value's type. */
export function typeName(value: Value): string {
  if (value === null) return 'NoneType';
  if (typeof value === 'string' || value instanceof Unsafe) return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof Float || (typeof value === 'number' && !Number.isInteger(value))) return 'float';
  if (typeof value === 'number' || typeof value === 'bigint') return 'int';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Tuple) return 'tuple';
  if (value instanceof Map || value instanceof LazyDict) return 'dict';
  return value instanceof PyObject ? value.typeName : value.constructor.name.toLowerCase();
}

function objectOf(pairs: [Value, Value][]): Record<string, unknown> {
  return Object.fromEntries(pairs.map(([key, value]) => [scalarText(key) ?? String(plain(key)), plain(value)]));
}

function objectText(value: PyObject): unknown {
  const items = value.iterate();
  return items ? [...items].map(plain) : value.str();
}

function partsOf(value: Value): Iterable<Value> {
  if (Array.isArray(value)) return value;
  if (value instanceof Tuple) return value.items;
  return value instanceof Map ? [...value.keys(), ...value.values()] : [];
}

/** Python writes 2.0, 1e+16 and 1e-05 where JavaScript writes 2, 10000000000000000 and 0.00001. */
function floatText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    const [digits, exponent] = value.toExponential().split('e') as [string, string];
    return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
  }
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
