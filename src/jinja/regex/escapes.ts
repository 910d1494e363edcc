import type { Reader } from './reader.ts';

const controls: Record<string, number> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92 };

/** The code point of an escape behind its backslash, when it stands for one character; `inSet`: `\b` is a backspace. */
export function characterEscape(reader: Reader, inSet: boolean): number | undefined {
  const letter = reader.peek() ?? '';
  if (letter in controls) return controls[reader.next()];
  if (letter === 'b' && inSet) {
    reader.next();
    return 8;
  }
  if ('xuU'.includes(letter) && letter) return hexEscape(reader);
  return octalEscape(reader, inSet) ?? literalEscape(reader);
}

function hexEscape(reader: Reader): number {
  const width = { x: 2, u: 4, U: 8 }[reader.next() as 'x' | 'u' | 'U'];
  const digits = reader.take(/[\da-fA-F]/, width);
  const code = Number.parseInt(digits, 16);
  if (digits.length !== width || code > 0x10ffff) throw reader.failure('incomplete escape');
  return code;
}

/** `\0`, `\012` and, in sets, all of `\1`; elsewhere a digit other than 0 begins a reference, unless three are octal. */
function octalEscape(reader: Reader, inSet: boolean): number | undefined {
  const three = [0, 1, 2].map((i) => reader.peek(i) ?? '').join('');
  const digits = /^0[0-7]{0,2}|^[1-3][0-7]{2}/.exec(three)?.[0] ?? (inSet ? /^[0-7]{1,3}/.exec(three)?.[0] : undefined);
  if (digits === undefined) return undefined;
  reader.position += digits.length;
  return Number.parseInt(digits, 8);
}

function literalEscape(reader: Reader): number | undefined {
  const letter = reader.peek();
  if (letter === undefined || /[a-zA-Z0-9]/.test(letter)) return undefined;
  return reader.next().codePointAt(0)!;
}
