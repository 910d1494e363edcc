import type { Node, RawText } from './node.ts';
import type { Origin } from './origin.ts';

/**
 * Where character `offset` of a scalar's value stands in its file. Quotes, escapes, folded lines and block indentation
 * are seen through by counting the characters that are no white space: those are the same in value and source.
 */
export function placeIn(node: Node, offset: number): Origin {
  if (!node.raw || typeof node.value !== 'string') return node.origin;
  const solid = count(node.value.slice(0, offset));
  return step(node.origin, node.raw, sourceOffset(node.raw, solid));
}

/** The offset of a line and column (from 1) in a text. */
export function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let i = 1; i < line; i++) {
    const end = text.indexOf('\n', start);
    if (end < 0) break;
    start = end + 1;
  }
  return start + column - 1;
}

function count(text: string): number {
  return text.replace(/\s+/g, '').length;
}

/** The offset in the source of the character that `solid` visible characters of the value precede. */
function sourceOffset(raw: RawText, solid: number): number {
  const source = raw.text.slice(raw.start, raw.end);
  const character = characters(source);
  character.lastIndex = bodyStart(source);
  let left = solid;
  for (let found = character.exec(source); found; found = character.exec(source)) {
    if (isBlank(found[0])) continue;
    if (left === 0) return found.index;
    left--;
  }
  return source.length;
}

/** One character as this style of scalar writes it. */
function characters(source: string): RegExp {
  if (source.startsWith('"')) return /\\x..|\\u.{4}|\\U.{8}|\\[\s\S]|[\s\S]/g;
  return source.startsWith("'") ? /''|[\s\S]/g : /[\s\S]/g;
}

/** White space, written as such or as an escape. */
function isBlank(written: string): boolean {
  return /^(?:\s|\\[nrtvf_LP\s])$/.test(written);
}

function bodyStart(source: string): number {
  if (/^["']/.test(source)) return 1;
  const header = /^[|>][^\n]*\n/.exec(source);
  return header ? header[0].length : 0;
}

function step(origin: Origin, raw: RawText, offset: number): Origin {
  const before = raw.text.slice(raw.start, raw.start + offset);
  const lines = before.split('\n');
  const last = lines.at(-1) ?? '';
  const column = lines.length > 1 ? last.length + 1 : origin.column + last.length;
  return { file: origin.file, line: origin.line + lines.length - 1, column };
}
