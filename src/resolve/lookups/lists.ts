import { isMapping, LazyDict, Tuple, Unknown, UnknownReached, type Value } from '../../jinja/index.ts';
import { flag, intOption, itemsOf, type Lookup, lookupError, term, textOption } from './place.ts';

/** Lookups that only reshape what they are given: what `with_dict`, `with_nested` and the like loop over. */
export const listLookups: Readonly<Record<string, Lookup>> = {
  items: (terms) => terms.flatMap((each) => itemsOf(each) ?? [each]),
  list: (terms) => [...terms],
  dict: (terms) => listOfDicts(terms).flatMap(pairs),
  flattened: (terms) => terms.flatMap(deeplyFlat),
  nested: (terms) => cartesian(terms),
  cartesian: (terms) => cartesian(terms),
  together: (terms) => together(terms),
  indexed_items: (terms) => terms.flatMap((each) => itemsOf(each) ?? [each]).map((each, i) => new Tuple([i, each])),
  subelements: (terms) => subelements(terms),
  sequence: (terms, kwargs) =>
    terms.length ? terms.flatMap((each) => sequence(parseSequence(term(each)))) : sequence(kwargs),
  random_choice: (terms, _kwargs, { settings }) => randomChoice(terms, settings.randomBytes),
};

function listOfDicts(terms: readonly Value[]): readonly Value[] {
  return terms.flatMap((each) => itemsOf(each) ?? [each]);
}

function pairs(value: Value): Value[] {
  if (!isMapping(value)) throw lookupError('with_dict expects a dict');
  const entries =
    value instanceof LazyDict
      ? [...value.keys()].map((key) => [key, value.get(key) ?? null] as [Value, Value])
      : [...value];
  return entries.map(
    ([key, item]) =>
      new Map<Value, Value>([
        ['key', key],
        ['value', item],
      ]),
  );
}

function deeplyFlat(value: Value): Value[] {
  const items = itemsOf(value);
  return items ? items.flatMap(deeplyFlat) : value === null ? [] : [value];
}

function listsOf(terms: readonly Value[], name: string): (readonly Value[])[] {
  if (terms.length === 0) throw lookupError(`with_${name} requires at least one element in the nested list`);
  return terms.map((each) => itemsOf(each) ?? [each]);
}

const maxProduct = 100_000;

function cartesian(terms: readonly Value[]): Value[] {
  const lists = listsOf(terms, 'nested');
  if (lists.reduce((size, list) => size * list.length, 1) > maxProduct)
    throw lookupError(`with_nested makes more than ${maxProduct} items`);
  return lists.reduce<Value[][]>((rows, list) => rows.flatMap((row) => list.map((item) => [...row, item])), [[]]);
}

function together(terms: readonly Value[]): Value[] {
  const lists = listsOf(terms, 'together');
  const length = Math.max(...lists.map((list) => list.length));
  return Array.from({ length }, (_, i) => lists.map((list) => list[i] ?? null));
}

/** `[list of dicts, 'key.inner', {skip_missing: true}]` as pairs of a dict and one element of its list. */
function subelements(terms: readonly Value[]): Value[] {
  const [source, key, options] = terms;
  if (source === undefined || key === undefined)
    throw lookupError('subelements lookup expects a list of two or three items');
  const skip = options instanceof Map && flag(options as ReadonlyMap<string, Value>, 'skip_missing', false);
  const outer = isMapping(source) ? pairsToValues(source) : itemsOf(source);
  if (!outer) throw lookupError('subelements lookup expects a dictionary or a list');
  return outer.flatMap((item) => inner(item, term(key), skip).map((each) => new Tuple([item, each])));
}

function pairsToValues(dict: Map<Value, Value> | LazyDict): Value[] {
  return dict instanceof LazyDict ? [...dict.keys()].map((key) => dict.get(key) ?? null) : [...dict.values()];
}

function inner(item: Value, path: string, skip: boolean): readonly Value[] {
  let found: Value | undefined = item;
  for (const part of path.split('.')) found = isMapping(found) ? (found.get(part) as Value | undefined) : undefined;
  if (found instanceof Unknown) throw new UnknownReached(found);
  const items = found === undefined ? undefined : itemsOf(found);
  if (items) return items;
  if (skip) return [];
  throw lookupError(`could not find '${path}' key in iterated item`);
}

/** `start=1 end=5 stride=2 format=%02d`, `count=4`, or `1-5/2:format`. */
function parseSequence(text: string): Map<string, Value> {
  const short = /^(?:(0?x?[0-9a-fA-F]+)-)?(0?x?[0-9a-fA-F]+)(?:\/(\d+))?(?::(.+))?$/.exec(text);
  if (short) {
    const [, start = '1', end = '', stride = '1', format = '%d'] = short;
    return new Map<string, Value>([
      ['start', Number(start)],
      ['end', Number(end)],
      ['stride', Number(stride)],
      ['format', format],
    ]);
  }
  return new Map(
    text
      .split(/\s+/)
      .filter((word) => word !== '')
      .map((word): [string, Value] => {
        const at = word.indexOf('=');
        if (at < 1) throw lookupError(`unknown error parsing with_sequence arguments: ${text}`);
        return [word.slice(0, at), word.slice(at + 1)];
      }),
  );
}

function sequence(options: ReadonlyMap<string, Value>): Value[] {
  const start = intOption(options, 'start', 1);
  const count = options.has('count') ? intOption(options, 'count', 0) : undefined;
  if (count === undefined && !options.has('end')) throw lookupError('must specify count or end in with_sequence');
  const stride = intOption(options, 'stride', 1);
  const end = count === undefined ? intOption(options, 'end', 0) : start + (count - 1) * stride;
  const format = textOption(options, 'format', '%d');
  if (count === 0 || stride === 0) return [];
  if ((stride > 0 && end < start) || (stride < 0 && end > start))
    throw lookupError('to count backwards make stride negative, forward positive');
  const length = Math.floor((end - start) / stride) + 1;
  if (length > maxProduct) throw lookupError(`with_sequence makes more than ${maxProduct} items`);
  return Array.from({ length }, (_, i) => formatNumber(format, start + i * stride));
}

/** One printf conversion of a whole number: %d, %02d, %x, %#x, %o. */
function formatNumber(format: string, value: number): string {
  const match = /^((?:[^%]|%%)*)%([-0#+ ]*)(\d*)([dixXou])((?:[^%]|%%)*)$/.exec(format);
  if (!match) throw lookupError(`problem formatting ${value} with ${format}`);
  const [, head = '', flags = '', width = '', kind = '', tail = ''] = match;
  const digits = digitsOf(Math.abs(value), kind, flags.includes('#'));
  const sign = value < 0 ? '-' : flags.includes('+') ? '+' : '';
  const size = Number(width || 0);
  const padded = flags.includes('-')
    ? (sign + digits).padEnd(size)
    : flags.includes('0')
      ? sign + digits.padStart(size - sign.length, '0')
      : (sign + digits).padStart(size);
  return (head + padded + tail).replaceAll('%%', '%');
}

function digitsOf(value: number, kind: string, prefixed: boolean): string {
  if (kind === 'x') return (prefixed ? '0x' : '') + value.toString(16);
  if (kind === 'X') return (prefixed ? '0X' : '') + value.toString(16).toUpperCase();
  return kind === 'o' ? (prefixed ? '0o' : '') + value.toString(8) : String(value);
}

function randomChoice(terms: readonly Value[], random: ((count: number) => Uint8Array) | undefined): Value[] {
  if (terms.length === 0) return [];
  const bytes = random?.(4);
  if (!bytes) throw lookupError('random_choice has no source of random numbers here');
  return [terms[Buffer.from(bytes).readUInt32BE(0) % terms.length] as Value];
}
