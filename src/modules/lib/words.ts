/**
 * Text as words, by the rules of Python's shlex in POSIX mode: single quotes keep everything, double quotes know
 * `\"` and `\\`, a backslash outside keeps the next character. Nothing is expanded. Throws on an open quote.
 */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let rest = text;
  while (rest !== '') {
    const [token, part] = nextToken(rest);
    rest = rest.slice(token.length);
    if (part === undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + part;
  }
  return word === undefined ? words : [...words, word];
}

/** The next token with what it adds to the word; undefined: it ends the word. */
function nextToken(text: string): [token: string, part: string | undefined] {
  const gap = /^\s+/.exec(text);
  if (gap) return [gap[0], undefined];
  if (text[0] === "'") return quoted(text, /^'([^']*)'/, (inner) => inner);
  if (text[0] === '"') return quoted(text, /^"((?:\\[\s\S]|[^"\\])*)"/, (inner) => inner.replace(/\\(["\\])/g, '$1'));
  if (text[0] === '\\') {
    if (text.length === 1) throw new Error('No escaped character');
    return [text.slice(0, 2), text[1]!];
  }
  const plain = /^[^\s'"\\]+/.exec(text)![0];
  return [plain, plain];
}

function quoted(text: string, pattern: RegExp, read: (inner: string) => string): [string, string] {
  const found = pattern.exec(text);
  if (!found) throw new Error('No closing quotation');
  return [found[0], read(found[1]!)];
}
