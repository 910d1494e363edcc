/**
 * `a=1, b="two words" c=3` as an object: pairs are parted by commas or white space outside of quotes; a backslash
 * keeps the next character. Throws when a part is no pair.
 */
export function parseKeyValues(text: string): Record<string, string> {
  return Object.fromEntries(words(text).map(pairOf));
}

function pairOf(word: string): [string, string] {
  const at = word.indexOf('=');
  if (at < 1) throw new Error(`'${word}' is not key=value`);
  return [word.slice(0, at), word.slice(at + 1)];
}

function words(text: string): string[] {
  const found: string[] = [];
  let word: string | undefined;
  for (const [token, escaped, double, single, gap] of text.matchAll(tokens)) {
    if (token === '"' || token === "'") throw new Error(`no closing ${token}`);
    if (gap === undefined) word = (word ?? '') + (escaped ?? double ?? single ?? token);
    else if (word !== undefined) {
      found.push(word);
      word = undefined;
    }
  }
  return word === undefined ? found : [...found, word];
}

const tokens = /\\([\s\S])|"([^"]*)"|'([^']*)'|([,\s]+)|[^\\"',\s]+|[\\"']/g;
