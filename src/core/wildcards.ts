/** A pattern with wildcards, to be tried on whole texts. */
export interface Wildcards {
  test(text: string): boolean;
}

export interface WildcardOptions {
  /** Signs that negate a class: `!` for Python's fnmatch, `!^` for a shell; absent: brackets mean themselves. */
  classes?: '!' | '!^';
  /** No wildcard stands for a slash, as in names of files. */
  keepSlashes?: boolean;
}

const star = Symbol('*');
type Token = typeof star | string | ((char: string) => boolean);

/**
 * `*` any text, `?` one character, and classes where there are such. Tried without a regular expression: many stars
 * would cost one an exponential time, and it takes `[z-a]` for an error where others take it for nothing.
 */
export function wildcards(pattern: string, options: WildcardOptions = {}): Wildcards {
  const tokens = tokensOf(pattern, options);
  return { test: (text) => matches(tokens, [...text], options.keepSlashes === true) };
}

function tokensOf(pattern: string, { classes }: WildcardOptions): Token[] {
  const tokens: Token[] = [];
  const chars = [...pattern];
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i]!;
    const close = char === '[' && classes ? closing(chars, i, classes) : -1;
    if (close >= 0) {
      tokens.push(classOf(chars.slice(i + 1, close), classes ?? ''));
      i = close;
    } else tokens.push(char === '*' ? star : char === '?' ? () => true : char);
  }
  return tokens;
}

/** A `]` right after `[` or `[!` belongs to the class; -1: it is never closed, and the bracket means itself. */
function closing(chars: readonly string[], open: number, signs: string): number {
  const from = signs.includes(chars[open + 1] ?? '-') ? open + 2 : open + 1;
  return chars.indexOf(']', from + 1);
}

function classOf(body: readonly string[], signs: string): (char: string) => boolean {
  const isNegated = signs.includes(body[0] ?? '-');
  const parts = isNegated ? body.slice(1) : body;
  const ranges: [string, string][] = [];
  for (let i = 0; i < parts.length; i++) {
    const isRange = parts[i + 1] === '-' && i + 2 < parts.length;
    ranges.push([parts[i]!, parts[isRange ? i + 2 : i]!]);
    if (isRange) i += 2;
  }
  return (char) => ranges.some(([from, to]) => isWithin(char, from, to)) !== isNegated;
}

function isWithin(char: string, from: string, to: string): boolean {
  const code = char.codePointAt(0)!;
  return from.codePointAt(0)! <= code && code <= to.codePointAt(0)!;
}

/** Where nothing fits, the last star takes one character more: what stands before it is never tried again. */
function matches(tokens: readonly Token[], chars: readonly string[], keepSlashes: boolean): boolean {
  let [at, token, last, taken] = [0, 0, -1, 0];
  while (at < chars.length) {
    const wanted = tokens[token];
    if (wanted === star) [last, taken, token] = [token, at, token + 1];
    else if (wanted !== undefined && fits(wanted, chars[at]!, keepSlashes)) [at, token] = [at + 1, token + 1];
    else if (last < 0 || (keepSlashes && chars[taken] === '/')) return false;
    else [at, token, taken] = [taken + 1, last + 1, taken + 1];
  }
  return tokens.slice(token).every((left) => left === star);
}

function fits(wanted: string | ((char: string) => boolean), char: string, keepSlashes: boolean): boolean {
  return typeof wanted === 'string' ? wanted === char : wanted(char) && !(keepSlashes && char === '/');
}
