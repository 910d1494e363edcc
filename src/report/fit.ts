import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';

/** A line cut to `width` terminal cells, escape codes and wide characters counted right. */
export function fit(line: string, width: number): string {
  return cells(line) <= width ? line : cliTruncate(line, Math.max(1, width));
}

/** Terminal cells a text takes. */
export function cells(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text);
}

/** Padded with spaces to `width` cells, cut if longer. */
export function pad(text: string, width: number): string {
  const cut = fit(text, width);
  return `${cut}${' '.repeat(Math.max(0, width - cells(cut)))}`;
}
