/**
 * The one quoting function: a POSIX shell reads the result as exactly `text`, whatever bytes it holds but NUL.
 * Also read alike by bash, zsh, ash and ksh; not by csh (`!`) or fish (`\`), which never see more than the first line.
 */
export function quote(text: string): string {
  if (text.includes('\0')) throw new Error('a NUL byte cannot be passed to a shell');
  if (text !== '' && /^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** An argument vector as shell words. */
export function quoteAll(argv: readonly string[]): string {
  return argv.map(quote).join(' ');
}
