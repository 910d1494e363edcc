/** Whether a code point belongs to a set of characters. */
export type CharacterSet = (code: number) => boolean;

const wordPattern = /[\p{L}\p{N}_]/u;
const digitPattern = /\p{Nd}/u;
const spacePattern = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** ASCII from a table, the rest by a Unicode property. */
function tabled(pattern: RegExp): CharacterSet {
  const table = Array.from({ length: 128 }, (_, code) => pattern.test(String.fromCharCode(code)));
  return (code) => (code < 128 ? table[code]! : pattern.test(String.fromCodePoint(code)));
}

const unicode = { w: tabled(wordPattern), d: tabled(digitPattern), s: tabled(spacePattern) };
const ascii = { w: tabled(/[a-zA-Z0-9_]/), d: tabled(/[0-9]/), s: tabled(/[ \t\n\r\f\v]/) };

/** The set behind `\w`, `\d`, `\s` and their opposites. */
export function classSet(letter: string, asciiOnly: boolean): CharacterSet | undefined {
  const sets: Record<string, CharacterSet> = asciiOnly ? ascii : unicode;
  const set = sets[letter.toLowerCase()];
  return set && (letter === letter.toLowerCase() ? set : negated(set));
}

export const isWord = (code: number, asciiOnly: boolean): boolean => (asciiOnly ? ascii : unicode).w(code);

export const any: CharacterSet = () => true;
export const notNewline: CharacterSet = (code) => code !== 10;

export function negated(set: CharacterSet): CharacterSet {
  return (code) => !set(code);
}

export function single(code: number, ignoreCase: boolean): CharacterSet {
  if (!ignoreCase) return (other) => other === code;
  const folded = fold(code);
  return (other) => other === code || fold(other) === folded;
}

export function range(from: number, to: number): CharacterSet {
  return (code) => code >= from && code <= to;
}

/** One of several sets; a character counts in either case when case is ignored. */
export function union(sets: CharacterSet[], ignoreCase: boolean): CharacterSet {
  const within: CharacterSet = (code) => sets.some((set) => set(code));
  return ignoreCase ? (code) => within(code) || within(fold(code)) || within(upper(code)) : within;
}

/** The small letter of a code point, when it is one code point too. */
export function fold(code: number): number {
  if (code < 128) return code >= 65 && code <= 90 ? code + 32 : code;
  return onlyPoint(String.fromCodePoint(code).toLowerCase()) ?? code;
}

function upper(code: number): number {
  if (code < 128) return code >= 97 && code <= 122 ? code - 32 : code;
  return onlyPoint(String.fromCodePoint(code).toUpperCase()) ?? code;
}

function onlyPoint(text: string): number | undefined {
  const code = text.codePointAt(0)!;
  return text.length === (code > 0xffff ? 2 : 1) ? code : undefined;
}
