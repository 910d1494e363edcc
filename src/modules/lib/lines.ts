/** Lines with their ends. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** A line without its end. */
export function bare(line: string): string {
  return line.replace(/[\r\n]+$/, '');
}

/** `text` ended by a line break, so that what follows stands alone. */
export function ended(text: string): string {
  return text === '' || /[\r\n]$/.test(text) ? text : `${text}\n`;
}
