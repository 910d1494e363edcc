import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';

/** A line cut to `width` terminal cells, escape codes and wide characters counted right. */
export function fit(line: string, width: number): string {
  return cells(line) <= width ? line : cliTruncate(line, Math.max(1, width));
}

/** Latin, Greek, Cyrillic, dashes and dots, arrows, frames, shapes, ticks: one cell each, and so is all we print. */
const narrow =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0391-\u03c9\u0400-\u0482\u2010-\u2027\u2190-\u21ff\u2500-\u25ef\u2713-\u2718]*$/;

/** Terminal cells a text takes. */
export function cells(text: string): number {
  return narrow.test(text) ? text.length : stringWidth(text);
}

/** Padded with spaces to `width` cells, cut if longer. */
export function pad(text: string, width: number): string {
  const cut = fit(text, width);
  return `${cut}${' '.repeat(Math.max(0, width - cells(cut)))}`;
}
