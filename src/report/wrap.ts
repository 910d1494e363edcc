import { cells } from './fit.ts';

/**
 * A line cut at blanks to fit a window, what follows indented deeper than it. A word longer than a line stays whole:
 * the terminal breaks it, and it can still be copied. Without columns the line is as it was.
 */
export function wrapLine(line: string, columns: number | undefined): string[] {
  if (columns === undefined || cells(line) <= columns) return [line];
  const indent = /^ */.exec(line)?.[0] ?? '';
  const deeper = ' '.repeat(indent.length + (indent.length < columns / 2 ? 4 : 0));
  const lines: string[] = [];
  let current = indent;
  let isEmpty = true;
  for (const [, gap = '', word = ''] of line.slice(indent.length).matchAll(/(\s*)(\S+)/g)) {
    if (!isEmpty && cells(current + gap + word) > columns) {
      lines.push(current);
      current = deeper + word;
    } else current += isEmpty ? word : gap + word;
    isEmpty = false;
  }
  return [...lines, current];
}

export function wrapLines(lines: readonly string[], columns: number | undefined): string[] {
  return lines.flatMap((line) => line.split('\n')).flatMap((line) => wrapLine(line, columns));
}
