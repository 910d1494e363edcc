import { plain, scalarText } from '../../core/plain.ts';
import { Float, LazyDict, type Tuple, Unsafe, type Value } from '../../jinja/values.ts';

/** The text that copy writes for `content`: of lists and mappings their JSON, as Python's json prints it. */
export function contentText(value: Value): string {
  return scalarText(value) ?? json(value);
}

/** JSON with Python's separators and escapes: `{"a": 1, "b": [true, null]}`, all beyond ASCII as \\uXXXX. */
export function json(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string' || value instanceof Unsafe) return quoted(scalarText(value)!);
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Float)
    return number(scalarText(value)!);
  if (Array.isArray(value)) return `[${value.map(json).join(', ')}]`;
  if (value instanceof Map) return `{${[...value].map(pair).join(', ')}}`;
  if (value instanceof LazyDict)
    return `{${[...value.keys()].map((key) => pair([key, value.get(key) ?? null])).join(', ')}}`;
  return items(value);
}

function items(value: Value): string {
  const parts = (value as Tuple).items;
  return parts ? `[${parts.map(json).join(', ')}]` : JSON.stringify(plain(value));
}

function pair([key, value]: [Value, Value]): string {
  const name = typeof key === 'boolean' || key === null ? String(key) : (scalarText(key) ?? String(plain(key)));
  return `${quoted(name)}: ${json(value)}`;
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function number(text: string): string {
  return { inf: 'Infinity', '-inf': '-Infinity', nan: 'NaN' }[text] ?? text;
}
