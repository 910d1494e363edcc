/** A shell pattern as Python's fnmatch reads it: `*`, `?`, `[seq]`, `[!seq]`; the whole name must match. */
export function globToRegExp(glob: string): RegExp {
  let source = '';
  for (let i = 0; i < glob.length; i++) {
    const char = glob[i] as string;
    if (char === '*') source += '.*';
    else if (char === '?') source += '.';
    else if (char === '[') {
      const close = closing(glob, i);
      source += close < 0 ? '\\[' : characterClass(glob.slice(i + 1, close));
      if (close >= 0) i = close;
    } else source += literally(char);
  }
  return new RegExp(`^(?:${collapse(source)})$`, 's');
}

export function isGlob(text: string): boolean {
  return /[*?[]/.test(text);
}

/** A `]` right after `[` or `[!` belongs to the class. */
function closing(glob: string, open: number): number {
  const from = glob[open + 1] === '!' ? open + 2 : open + 1;
  return glob.indexOf(']', from + 1);
}

function characterClass(body: string): string {
  const inner = body.replace(/[\\^[\]]/g, '\\$&');
  return inner.startsWith('!') ? `[^${inner.slice(1)}]` : `[${inner}]`;
}

function literally(char: string): string {
  return char.replace(/[.+^${}()|\\\]]/g, '\\$&');
}

/** Runs of stars match what one star matches, without the time that their combinations take. */
function collapse(source: string): string {
  return source.replace(/(?:\.\*){2,}/g, '.*');
}
