import type { Value } from '../jinja/values.ts';
import { Float, Tuple } from '../jinja/values.ts';
import { CoerceError } from './coerce-error.ts';
import { parseKeyValues } from './key-values.ts';
import { checkMode } from './mode.ts';
import type { ParamSpec } from './params.ts';
import { plain, scalarText, typeName } from './plain.ts';

/** A known value as the parameter's type, by Ansible's rules of conversion. `source`: its text as written in YAML. */
export function coerceValue(spec: ParamSpec, value: Value, source?: string): unknown {
  return coercers[spec.type](value, spec, source);
}

type Coercer = (value: Value, spec: ParamSpec, source?: string) => unknown;

const coercers: Record<ParamSpec['type'], Coercer> = {
  str: text,
  path: text,
  bool,
  int,
  float,
  list,
  dict,
  raw: (value) => value,
  mode: (value, _spec, source) => checkMode(modeOf(value), source),
  version,
  bytes,
};

/** Numbers and booleans become text as in Python; a list or dict where text belongs is a mistake. */
function text(value: Value): string {
  const found = scalarText(value);
  if (found === undefined) throw refused(value, 'str');
  return found;
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ...['y', 'yes', 'on', '1', 'true', 't', '1.0'].map((word) => [word, true] as const),
  ...['n', 'no', 'off', '0', 'false', 'f', '0.0'].map((word) => [word, false] as const),
]);

function bool(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  const word = scalarText(value)?.trim().toLowerCase();
  const truth = word === undefined ? undefined : truths.get(word);
  if (truth !== undefined) return truth;
  throw refused(value, 'bool', `The value '${shown(value)}' is not a valid boolean.`, 'write true or false');
}

function int(value: Value): number {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) return Number(value);
  const digits = typeName(value) === 'str' ? scalarText(value)!.trim() : '';
  if (!/^[+-]?\d+(_\d+)*$/.test(digits)) throw refused(value, 'int');
  return Number(digits.replaceAll('_', ''));
}

function float(value: Value): number {
  if (value instanceof Float) return value.value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return Number(value);
  const digits = typeName(value) === 'str' ? scalarText(value)!.trim() : '';
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(digits)) throw refused(value, 'float');
  return Number(digits);
}

function list(value: Value, spec: ParamSpec): unknown[] {
  const element: ParamSpec = { type: spec.elements ?? 'raw', doc: spec.doc };
  return itemsOf(value).map((item) => coerceValue(element, item));
}

/** Text is cut at commas, spaces stay, as in Ansible; a number is a list of itself. */
function itemsOf(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value;
  if (value instanceof Tuple) return value.items;
  const found = typeof value === 'boolean' ? undefined : scalarText(value);
  if (found === undefined) throw refused(value, 'list');
  return found.split(',');
}

function dict(value: Value): Record<string, unknown> {
  const type = typeName(value);
  if (type === 'dict') return plain(value) as Record<string, unknown>;
  if (type !== 'str') throw refused(value, 'dict');
  return dictOfText(scalarText(value)!, value);
}

function dictOfText(written: string, value: Value): Record<string, unknown> {
  try {
    if (!written.trim().startsWith('{')) return parseKeyValues(written);
    const parsed: unknown = JSON.parse(written);
    if (parsed && typeof parsed === 'object' && !Array.isArray(parsed)) return parsed as Record<string, unknown>;
  } catch {
    // Falls through: both forms end in the same message.
  }
  throw refused(value, 'dict', 'dictionary requested, could not parse JSON or key=value');
}

function modeOf(value: Value): number | string {
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) return Number(value);
  if (typeName(value) === 'str') return scalarText(value)!.trim();
  throw new CoerceError(`a mode is text such as '0644', not ${typeName(value)}`, "write '0644' or u=rw,g=r,o=r");
}

/** YAML reads 1.20 as the number 1.2, so a version that is no text has already lost digits. */
function version(value: Value, _spec: ParamSpec, source?: string): string {
  if (typeName(value) === 'str') return scalarText(value)!;
  const read = scalarText(value);
  if (read === undefined) throw refused(value, 'version');
  const written = source ?? read;
  throw new CoerceError(`the version ${written} is a number`, `write '${written}'; YAML reads it as ${read}`);
}

const units = 'BKMGTPEZY';

function bytes(value: Value): number {
  const found = /^\s*(\d+(?:\.\d*)?)\s*([BKMGTPEZY]?)(?:B|ytes)?\s*$/i.exec(scalarText(value) ?? '');
  if (!found) throw refused(value, 'bytes', `cannot interpret '${shown(value)}' as a size`, 'write 512, 10K, 1.5G …');
  return Math.round(Number(found[1]) * 1024 ** units.indexOf((found[2] || 'B').toUpperCase()));
}

function refused(value: Value, wanted: string, why?: string, hint?: string): CoerceError {
  const reason = why ?? `${shown(value)} cannot be converted to ${article(wanted)}`;
  return new CoerceError(
    `is of type <class '${typeName(value)}'> and we were unable to convert to ${wanted}: ${reason}`,
    hint,
  );
}

function article(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

function shown(value: Value): string {
  return scalarText(value) ?? typeName(value);
}
