/** Splits a command line as Python's shlex does in POSIX mode: quotes and backslashes, no expansion. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [, space, single, double, escaped, plain] of text.matchAll(token)) {
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + (single ?? double?.replace(/\\(["\\])/g, '$1') ?? escaped ?? plain ?? '');
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** Blanks, '…', "…", \x, or a run of other characters; a quote that is never closed counts as itself. */
const token = /(\s+)|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+|.)/gs;
