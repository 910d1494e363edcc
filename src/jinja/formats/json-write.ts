import { checkText } from '../budget.ts';
import { typeError } from '../errors.ts';
import { mappingGet } from '../python/dict.ts';
import { floatRepr, pyRepr } from '../python/repr.ts';
import { iterable } from '../python/sequence.ts';
import { sorted } from '../python/sort.ts';
import { text } from '../python/text.ts';
import { need, shownType } from '../python/types.ts';
import { isFloat, isMapping, isString, type LazyDict, type PyDict, PyObject, Tuple, type Value } from '../values.ts';

export interface JsonOptions {
  /** One level of indentation; undefined keeps everything on one line. */
  indent?: string;
  itemSeparator: string;
  keySeparator: string;
  sortKeys: boolean;
  escapeNonAscii: boolean;
}

export const plainJson: JsonOptions = {
  itemSeparator: ', ',
  keySeparator: ': ',
  sortKeys: false,
  escapeNonAscii: true,
};

/** json.dumps(). Throws for what JSON cannot say, for Undefined and Unknown. */
export function writeJson(value: Value, options: JsonOptions): string {
  const result = new Writer(options).write(value, 0);
  checkText(result.length);
  return result;
}

class Writer {
  constructor(private readonly options: JsonOptions) {}

  write(value: Value, depth: number): string {
    if (depth > 500) throw typeError('Circular reference detected');
    need(value);
    if (isString(value)) return quote(text(value), this.options.escapeNonAscii);
    if (isMapping(value)) return this.object(value, depth);
    if (Array.isArray(value) || value instanceof Tuple) return this.array(iterable(value)!, depth);
    return scalar(value) ?? this.rare(value);
  }

  /** Of all objects only dates have a text in JSON. */
  private rare(value: Value): string {
    if (value instanceof PyObject && value.isoText) return quote(value.isoText(), true);
    throw typeError(`Object of type ${shownType(value)} is not JSON serializable`);
  }

  private array(list: readonly Value[], depth: number): string {
    return this.enclosed(
      '[',
      list.map((item) => this.write(item, depth + 1)),
      ']',
      depth,
    );
  }

  private object(dict: PyDict | LazyDict, depth: number): string {
    const keys = [...dict.keys()];
    const ordered = this.options.sortKeys ? sorted(keys, (key) => key) : keys;
    const entries = ordered.map((key) => {
      const name = quote(keyText(key), this.options.escapeNonAscii);
      return name + this.options.keySeparator + this.write(mappingGet(dict, key)!, depth + 1);
    });
    return this.enclosed('{', entries, '}', depth);
  }

  private enclosed(open: string, parts: string[], close: string, depth: number): string {
    const { indent, itemSeparator } = this.options;
    if (parts.length === 0) return open + close;
    if (indent === undefined) return open + parts.join(itemSeparator) + close;
    const line = `\n${indent.repeat(depth + 1)}`;
    return `${open}${line}${parts.join(itemSeparator + line)}\n${indent.repeat(depth)}${close}`;
  }
}

/** The JSON of a number, boolean or None; undefined for everything else. */
function scalar(value: Value): string | undefined {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (!isFloat(value)) return typeof value === 'number' || typeof value === 'bigint' ? pyRepr(value) : undefined;
  const number = Number(typeof value === 'number' ? value : value.value);
  if (Number.isFinite(number)) return floatRepr(number);
  return Number.isNaN(number) ? 'NaN' : number > 0 ? 'Infinity' : '-Infinity';
}

function keyText(key: Value): string {
  if (isString(key)) return text(key);
  const plain = scalar(key);
  if (plain !== undefined) return plain;
  throw typeError(`keys must be str, int, float, bool or None, not ${shownType(key)}`);
}

const short: Record<string, string> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\f': '\\f',
  '\b': '\\b',
};

function quote(string: string, escapeNonAscii: boolean): string {
  const pattern = escapeNonAscii ? /["\\]|[^ -~]/g : /["\\]|[\x00-\x1f]/g;
  const escaped = (unit: string) => short[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `"${string.replace(pattern, escaped)}"`;
}
