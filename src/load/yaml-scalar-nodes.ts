import type { ParsedNode, Scalar } from 'yaml';
import { inputError, type KpushError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import { makeFloat, makeInt, Unsafe, type Value } from '../jinja/values.ts';
import { plainScalar } from './yaml-scalars.ts';

/** What the conversion of one document carries along. */
export interface Conversion {
  toNode(parsed: ParsedNode, c: Conversion, unsafe: boolean): Node;
  text: string;
  origin(offset: number): Origin;
  /** Decrypts a `!vault` text; absent: its value is a fault until a password is given. */
  vault?: (text: string, origin: Origin) => string;
  duplicate(error: KpushError): void;
  anchors: Map<string, Anchored | 'open'>;
  /** Nodes made so far, and nodes an expansion of all aliases would make. */
  made: number;
  expanded: number;
}

export interface Anchored {
  node: Node;
  size: number;
}

/** A scalar with its type, trust and text; `unsafe` under a `!unsafe` list or mapping. */
export function scalarNode(parsed: Scalar.Parsed, c: Conversion, unsafe: boolean): Node {
  const origin = c.origin(parsed.range[0]);
  const source = parsed.source ?? '';
  if (parsed.tag === '!vault' || parsed.tag === '!vault-encrypted') return vaultNode(source, origin, c);
  if (unsafe) return { value: unsafeValue(parsed, source), origin, source, literal: true };
  const value = scalarValue(parsed, source, origin, c);
  const literal = typeof value !== 'string' || !hasTemplate(value);
  if (literal && !(typeof value === 'string' && value.includes('='))) return { value, origin, source, literal };
  return { value, origin, source, literal, raw: { text: c.text, start: parsed.range[0], end: parsed.range[1] } };
}

/** Whether a text may hold a template. */
export function hasTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%') || text.includes('{#');
}

function unsafeValue(parsed: Scalar.Parsed, source: string): Value {
  const value = parsed.type === 'PLAIN' && parsed.tag === undefined ? plainScalar(source) : source;
  return typeof value === 'string' ? new Unsafe(value) : value;
}

function scalarValue(parsed: Scalar.Parsed, source: string, origin: Origin, c: Conversion): Value {
  if (parsed.tag === undefined) return parsed.type === 'PLAIN' ? plainScalar(source) : source;
  const read = tags.get(parsed.tag);
  if (!read) throw unknownTag(parsed.tag, tagOrigin(parsed, c));
  const value = read(source);
  if (value === undefined)
    throw inputError(`'${source}' does not fit its tag`, { origin, expected: shortTag(parsed.tag) });
  return value;
}

const prefix = 'tag:yaml.org,2002:';

const tags = new Map<string, (source: string) => Value | undefined>([
  ['!', (source) => source],
  [`${prefix}str`, (source) => source],
  [`${prefix}int`, (source) => onlyIf(plainScalar(source), (v) => typeof v === 'bigint' || Number.isInteger(v))],
  [`${prefix}float`, (source) => float(source)],
  [`${prefix}bool`, (source) => onlyIf(plainScalar(source), (v) => typeof v === 'boolean')],
  [`${prefix}null`, (source) => onlyIf(plainScalar(source), (v) => v === null)],
]);

function float(source: string): Value | undefined {
  const value = plainScalar(source);
  return typeof value === 'number'
    ? makeFloat(value)
    : typeof value === 'string' || typeof value === 'boolean'
      ? undefined
      : value;
}

function onlyIf(value: Value, fits: (value: Value) => boolean): Value | undefined {
  return fits(value) ? (typeof value === 'bigint' ? makeInt(value) : value) : undefined;
}

function unknownTag(tag: string, origin: Origin): KpushError {
  return inputError(`the tag ${shortTag(tag)} is not known`, {
    origin,
    expected: 'one of: !vault, !unsafe, !!str, !!int, !!float, !!bool, !!null',
    hint: 'a text that starts with ! must be quoted',
  });
}

/** The parser gives no place for a tag: it is the last word with ! before the value. */
function tagOrigin(parsed: Scalar.Parsed, c: Conversion): Origin {
  const before = c.text.slice(0, parsed.range[0]);
  const at = before.search(/![^\s]*\s*(?:&\S+\s+)?$/);
  return c.origin(at < 0 ? parsed.range[0] : at);
}

function shortTag(tag: string): string {
  return tag.startsWith(prefix) ? `!!${tag.slice(prefix.length)}` : tag;
}

function vaultNode(source: string, origin: Origin, c: Conversion): Node {
  if (c.vault) return { value: new Unsafe(c.vault(source, origin)), origin, literal: true };
  const fault = inputError('the value is encrypted with ansible-vault and no password is given', {
    origin,
    expected: 'a vault password',
    hint: 'give --vault-password-file FILE or --ask-vault-pass',
  });
  return { value: new Unsafe(''), origin, literal: false, fault };
}
