import { inputError } from '../../core/errors.ts';
import type { Origin } from '../../core/origin.ts';

/** A line of an OpenSSH client configuration. */
export interface ConfigLine {
  /** Lower case. */
  keyword: string;
  /** What follows the keyword as written: commands and jump hosts are read from it. */
  rest: string;
  /** The same as words, without quotes and comment. */
  words: string[];
  origin: Origin;
}

/** Cuts a file into lines. Throws an input error for quotes that are not closed and for keywords that stand alone. */
export function configLines(text: string, file: string): ConfigLine[] {
  return text.split('\n').flatMap((line, i) => lineOf(line, file, i + 1) ?? []);
}

/** A keyword ends with blanks or one `=`; behind one in quotes OpenSSH takes no `=`. */
function lineOf(text: string, file: string, number: number): ConfigLine | undefined {
  const trimmed = text.replace(/[ \t\r\f]+$/, '');
  const match = /^[ \t\r]*(?:"([^"]*)"[ \t\r]*|([^ \t\r"=]+)[ \t\r]*(?:=[ \t\r]*)?)(.*)$/.exec(trimmed);
  if (!match || match[2]?.startsWith('#')) return emptyOrBad(trimmed, file, number);
  const written = match[1] ?? match[2] ?? '';
  const origin = { file, line: number, column: trimmed.indexOf(written) + 1 };
  const rest = match[3] ?? '';
  if (rest === '') throw inputError(`'${written}' stands alone`, { origin, expected: 'a value behind it' });
  return { keyword: written.toLowerCase(), rest, words: configWords(rest, origin), origin };
}

function emptyOrBad(text: string, file: string, number: number): undefined {
  if (/^\s*(?:#.*)?$/.test(text)) return undefined;
  throw inputError('this line begins with no keyword', {
    origin: { file, line: number, column: 1 },
    expected: 'KEYWORD VALUE',
  });
}

/**
 * Words as OpenSSH 8.7 and later cuts them: blanks separate, both kinds of quotes group, a backslash stands before a
 * quote, a backslash or a blank, and `#` at the start of a word ends the line.
 */
export function configWords(text: string, origin: Origin): string[] {
  const words: string[] = [];
  let at = 0;
  for (;;) {
    while (text[at] === ' ' || text[at] === '\t') at++;
    if (at >= text.length || text[at] === '#') return words;
    const { word, end } = oneWord(text, at, origin);
    words.push(word);
    at = end;
  }
}

function oneWord(text: string, start: number, origin: Origin): { word: string; end: number } {
  let [word, quote, at] = ['', '', start];
  for (; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '\\' && escapes(text[at + 1], quote)) word += text[++at];
    else if (quote === '' && (char === ' ' || char === '\t')) break;
    else if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (quote !== '' && char === quote) quote = '';
    else word += char;
  }
  if (quote === '') return { word, end: at };
  throw inputError('a quote is never closed', { origin, expected: `a closing ${quote}` });
}

function escapes(char: string | undefined, quote: string): boolean {
  return char === "'" || char === '"' || char === '\\' || (quote === '' && char === ' ');
}
