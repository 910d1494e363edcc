import { isAlias, isMap, isScalar, isSeq, type Node, parseAllDocuments, type Scalar } from 'yaml';
import { spend } from '../budget.ts';
import { typeError } from '../errors.ts';
import { PlainDate } from '../objects/date.ts';
import { DateTime } from '../objects/datetime.ts';
import { Dict } from '../python/dict.ts';
import { isMapping, makeFloat, makeInt, type Value } from '../values.ts';
import { scalarType } from './yaml-resolve.ts';

/** All documents of a YAML 1.1 text, as PyYAML's safe loader reads them. Throws a TemplateError of kind `type`. */
export function readYaml(source: string): Value[] {
  const documents = parseAllDocuments(source, { schema: 'failsafe', version: '1.1', uniqueKeys: false, merge: false });
  if (!Array.isArray(documents)) return [];
  return documents.map((document) => {
    const [error] = document.errors;
    if (error) throw typeError(`not valid YAML: ${error.message.split('\n')[0]}`);
    return build(document.contents as Node | null, { source, anchors: new Map() });
  });
}

interface Reading {
  source: string;
  anchors: Map<string, Value>;
}

function build(node: Node | null, reading: Reading): Value {
  spend();
  if (node === null) return null;
  if (isAlias(node)) {
    const value = reading.anchors.get(node.source);
    if (value === undefined) throw typeError(`not valid YAML: found undefined alias '${node.source}'`);
    return value;
  }
  if (isSeq(node)) return sequence(node.items as (Node | null)[], node.anchor, reading);
  if (isMap(node)) return mapping(node.items as Pair[], node.anchor, reading);
  const value = isScalar(node) ? scalar(node, reading.source) : null;
  if (isScalar(node) && node.anchor) reading.anchors.set(node.anchor, value);
  return value;
}

/** A collection is known under its anchor before its items are built: they may refer to it. */
function sequence(nodes: (Node | null)[], anchor: string | undefined, reading: Reading): Value {
  const list: Value[] = [];
  if (anchor) reading.anchors.set(anchor, list);
  for (const node of nodes) list.push(build(node, reading));
  return list;
}

function mapping(pairs: Pair[], anchor: string | undefined, reading: Reading): Value {
  const dict = new Dict();
  if (anchor) reading.anchors.set(anchor, dict);
  fill(dict, pairs, reading);
  return dict;
}

interface Pair {
  key: Node | null;
  value: Node | null;
}

/** Merged entries come first, so that the mapping's own win. */
function fill(dict: Dict, pairs: Pair[], reading: Reading): void {
  const isMerge = ({ key }: Pair) => isScalar(key) && key.type === 'PLAIN' && key.value === '<<';
  for (const pair of pairs.filter(isMerge)) merge(dict, build(pair.value, reading));
  for (const pair of pairs) if (!isMerge(pair)) dict.set(build(pair.key, reading), build(pair.value, reading));
}

function merge(dict: Dict, source: Value): void {
  for (const part of (Array.isArray(source) ? source : [source]).toReversed()) {
    if (!isMapping(part)) throw typeError('not valid YAML: expected a mapping or list of mappings for merging');
    for (const key of part.keys()) dict.set(key, part.get(key as string)!);
  }
}

function scalar(node: Scalar, source: string): Value {
  const text = String(node.value ?? '');
  if (node.type?.startsWith('BLOCK_')) return endsSource(node, source) ? text.replace(/\n$/, '') : text;
  if (node.type !== 'PLAIN' || node.tag === '!' || node.tag === 'tag:yaml.org,2002:str') return text;
  return plainScalar(text);
}

/** A block that the end of the text cuts off before its line break has none. */
function endsSource(node: Scalar, source: string): boolean {
  return !source.endsWith('\n') && (node.range?.[1] ?? 0) >= source.length;
}

/** The value of a plain scalar in YAML 1.1. */
export function plainScalar(text: string): Value {
  switch (scalarType(text)) {
    case 'null':
      return null;
    case 'bool':
      return /^(?:yes|true|on)$/i.test(text);
    case 'int':
      return intOf(text.replaceAll('_', ''));
    case 'float':
      return floatOf(text.replaceAll('_', '').toLowerCase());
    case 'timestamp':
      return timestamp(text);
    default:
      return text;
  }
}

function intOf(text: string): Value {
  const sign = text.startsWith('-') ? -1n : 1n;
  const digits = text.replace(/^[-+]/, '');
  if (digits.includes(':')) return makeInt(sign * sexagesimal(digits));
  if (/^0[0-7]+$/.test(digits)) return makeInt(sign * BigInt(`0o${digits.slice(1)}`));
  return makeInt(sign * BigInt(digits));
}

function sexagesimal(text: string): bigint {
  return text.split(':').reduce((sum, part) => sum * 60n + BigInt(part), 0n);
}

function floatOf(text: string): Value {
  const sign = text.startsWith('-') ? -1 : 1;
  const digits = text.replace(/^[-+]/, '');
  if (digits === '.inf') return sign * Infinity;
  if (digits === '.nan') return Number.NaN;
  if (!digits.includes(':')) return makeFloat(sign * Number(digits));
  return makeFloat(sign * digits.split(':').reduce((sum, part) => sum * 60 + Number(part), 0));
}

function timestamp(text: string): Value {
  const [, year, month, day, hour, minute, second, fraction, zone] =
    /^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.(\d*))?(?:[ \t]*(Z|[-+].*))?)?$/.exec(text)!;
  const date = [year, month, day].map(Number) as [number, number, number];
  if (hour === undefined) return new PlainDate(...date);
  const micros = Number((fraction ?? '').slice(0, 6).padEnd(6, '0'));
  const local = DateTime.of(...date, Number(hour), Number(minute), Number(second), micros);
  return zone === undefined || zone === 'Z' ? local.withOffset(zone && 0) : local.withOffset(offsetOf(zone));
}

/** Minutes east of Greenwich. */
function offsetOf(zone: string): number {
  const [, sign, hours, minutes = '0'] = /^([-+])(\d\d?):?(\d\d)?$/.exec(zone)!;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
