import { checkItems } from '../budget.ts';
import { typeError } from '../errors.ts';
import { parseInteger } from '../python/numbers.ts';
import { formatPercent } from '../python/percent.ts';
import { pyStr } from '../python/repr.ts';
import type { Value } from '../values.ts';

interface Bounds {
  start: number;
  end?: number;
  count?: number;
  stride?: number;
  format: string;
}

const shortcut = /^(?:(0?x?[\da-f]+)-)?(0?x?[\da-f]+)(?:\/(\d+))?(?::(\S+))?$/i;

/** Ansible's sequence: `start=1 end=5 stride=2 format=node%02d`, or `1-5/2:node%02d`. */
export function sequence(terms: readonly Value[]): Value[] {
  return terms.flatMap((term) => expand(bounds(parse(pyStr(term)))));
}

function parse(term: string): Map<string, string> {
  const short = shortcut.exec(term);
  if (short) {
    const [, start = '1', end = '', stride, format] = short;
    return withoutMissing({ start, end, stride, format });
  }
  return new Map(
    term
      .trim()
      .split(/\s+/)
      .filter(Boolean)
      .map((pair) => {
        const at = pair.indexOf('=');
        if (at < 0) throw typeError(`sequence: unknown error parsing '${term}'`);
        return [pair.slice(0, at), pair.slice(at + 1)];
      }),
  );
}

function withoutMissing(parts: Record<string, string | undefined>): Map<string, string> {
  return new Map(Object.entries(parts).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])));
}

function bounds(parts: Map<string, string>): Bounds {
  const number = (name: string) => {
    const text = parts.get(name);
    const value = text === undefined ? undefined : parseInteger(text, 0);
    if (text !== undefined && value === undefined) throw typeError(`sequence: can't parse ${name}=${text} as integer`);
    return value === undefined ? undefined : Number(value);
  };
  const unknown = [...parts.keys()].filter((name) => !['start', 'end', 'count', 'stride', 'format'].includes(name));
  if (unknown.length > 0) throw typeError(`sequence: unrecognized arguments: ${unknown.join(', ')}`);
  return {
    start: number('start') ?? 1,
    end: number('end'),
    count: number('count'),
    stride: number('stride'),
    format: parts.get('format') ?? '%d',
  };
}

function expand({ start, end, count, stride, format }: Bounds): Value[] {
  if (count === undefined && end === undefined) throw typeError('sequence: must specify count or end in with_sequence');
  if (count !== undefined && end !== undefined)
    throw typeError("sequence: can't specify both count and end in with_sequence");
  const step = stride ?? (end !== undefined && end < start ? -1 : 1);
  const last = end ?? start + (count! - 1) * step;
  if (count === 0 || step === 0) return [];
  if (step > 0 && last < start) throw typeError('sequence: to count backwards make stride negative');
  if (step < 0 && last > start) throw typeError("sequence: to count forward don't make stride negative");
  const size = Math.floor((last - start) / step) + 1;
  checkItems(size);
  return Array.from({ length: size }, (_, i) => formatPercent(format, start + i * step));
}
