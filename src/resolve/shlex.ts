/**
 * Words of a line as Python's shlex.split(comments=True) cuts them, with the offset where each begins; undefined when a
 * quote is never closed. `#` begins a comment even inside a word.
 */
export function shellWords(line: string): { text: string; start: number }[] | undefined {
  const words: { text: string; start: number }[] = [];
  let word = '';
  let start = -1;
  const end = () => {
    if (start >= 0) words.push({ text: word, start });
    [word, start] = ['', -1];
  };
  for (let i = 0; i < line.length; i++) {
    const char = line[i] as string;
    if (char === '#') break;
    if (/\s/.test(char)) {
      end();
      continue;
    }
    if (start < 0) start = i;
    if (char === '\\') {
      i++;
      if (i >= line.length) return undefined;
      word += line[i];
    } else if (char === "'" || char === '"') {
      const quoted = readQuoted(line, i);
      if (!quoted) return undefined;
      word += quoted.text;
      i = quoted.end;
    } else word += char;
  }
  end();
  return words;
}

/** The text in quotes that open at `at`, and the offset of the closing one. In double quotes \" and \\ are escapes. */
function readQuoted(line: string, at: number): { text: string; end: number } | undefined {
  const quote = line[at];
  let text = '';
  for (let i = at + 1; i < line.length; i++) {
    if (line[i] === quote) return { text, end: i };
    if (quote === '"' && line[i] === '\\' && (line[i + 1] === '"' || line[i + 1] === '\\')) i++;
    text += line[i];
  }
  return undefined;
}
