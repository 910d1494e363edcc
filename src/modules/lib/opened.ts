import { quote } from '../../core/quote.ts';

/**
 * Shell text that runs commands on a file or directory that is there, each with it as the last argument. Who may write
 * to its directory may put a link there at any moment, and chmod and chown would follow it: they get what was opened,
 * and only when that is what has the name. What is no file or directory, or not to be read (root reads all, so that is
 * somebody's own), has to do by its name.
 */
export function onOpened(path: string, commands: readonly string[]): string {
  return onOpenedWord(quote(path), commands);
}

/** The same, for a path that is a shell word already. */
export function onOpenedWord(word: string, commands: readonly string[]): string {
  const run = commands.map((command) => `${command} "$p" 8<&8`).join(' && ');
  return `(p=${word}; ${open} || { echo "$p: something else took its place" >&2; exit 1; }; ${run})`;
}

const same = '[ "$(stat -c %d:%i "$p")" = "$(stat -Lc %d:%i /proc/self/fd/8 8<&8)" ]';
const open = `if [ -r "$p" ] && { [ -f "$p" ] || [ -d "$p" ]; }; then exec 8<"$p" && ${same} && p=/proc/self/fd/8; else [ ! -L "$p" ] && exec 8</dev/null; fi`;
