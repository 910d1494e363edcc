import type { Flags } from './ast.ts';
import { characterEscape } from './escapes.ts';
import type { Reader } from './reader.ts';
import { type CharacterSet, classSet, negated, range, single, union } from './sets.ts';

/** Parses `[…]` behind its bracket. */
export function parseClass(reader: Reader, flags: Flags): CharacterSet {
  const inverted = reader.skip('^');
  const sets: CharacterSet[] = [];
  for (let first = true; first || reader.peek() !== ']'; first = false) sets.push(item(reader, flags));
  reader.expect(']');
  const set = union(sets, flags.ignoreCase);
  return inverted ? negated(set) : set;
}

function item(reader: Reader, flags: Flags): CharacterSet {
  if (reader.atEnd) throw reader.failure('unterminated character set');
  const from = bound(reader, flags);
  if (reader.peek() !== '-' || reader.peek(1) === ']' || reader.peek(1) === undefined) {
    return typeof from === 'number' ? single(from, false) : from;
  }
  reader.next();
  const to = bound(reader, flags);
  if (typeof from !== 'number' || typeof to !== 'number' || from > to) throw reader.failure('bad character range');
  return range(from, to);
}

/** One character, or a class such as `\d`. */
function bound(reader: Reader, flags: Flags): number | CharacterSet {
  const next = reader.next();
  if (next !== '\\') return next.codePointAt(0)!;
  const letter = reader.peek() ?? '';
  const set = classSet(letter, flags.ascii);
  if (set) {
    reader.next();
    return set;
  }
  const code = characterEscape(reader, true);
  if (code === undefined) throw reader.failure(`bad escape \\${letter}`);
  return code;
}
