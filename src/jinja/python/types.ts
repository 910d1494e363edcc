import { TemplateError, typeError } from '../errors.ts';
import {
  Callable,
  Float,
  LazyDict,
  PyObject,
  Tuple,
  Undefined,
  Unknown,
  UnknownReached,
  Unsafe,
  type Value,
} from '../values.ts';
import { nearestName } from './nearest.ts';

/** Python's name of the value's type. */
export function typeName(value: Value): string {
  if (value === null) return 'NoneType';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (typeof value === 'string') return 'str';
  if (Array.isArray(value)) return 'list';
  return objectTypeName(value);
}

function objectTypeName(value: Exclude<Value, null | Value[] | string | number | bigint | boolean>): string {
  if (value instanceof Map || value instanceof LazyDict) return 'dict';
  if (value instanceof Unsafe) return 'AnsibleUnsafeText';
  if (value instanceof Float) return 'float';
  if (value instanceof Tuple) return value.names.length > 0 ? '_GroupTuple' : 'tuple';
  if (value instanceof Undefined) return 'AnsibleUndefined';
  if (value instanceof PyObject || value instanceof Callable) return value.typeName;
  return 'unknown';
}

/** What an error message calls the type: unsafe text is a `str` to its reader. */
export function shownType(value: Value): string {
  return value instanceof Unsafe ? 'str' : typeName(value);
}

/** Refuses the two values that no operation can look into. */
export function need(value: Value): void {
  if (value instanceof Undefined && !value.isSoft) throw undefinedError(value);
  if (value instanceof Unknown) throw new UnknownReached(value);
}

export function undefinedError(value: Undefined, where = ''): TemplateError {
  return new TemplateError('undefined', value.hint + where, {
    ...value.place,
    undefinedName: value.name,
    nearest: nearestName(value.name, value.candidates()),
  });
}

export function unsupported(operation: string, a: Value, b: Value) {
  return typeError(`unsupported operand type(s) for ${operation}: '${shownType(a)}' and '${shownType(b)}'`);
}
