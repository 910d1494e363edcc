import { quote } from '../core/quote.ts';
import type { BecomeWay } from './become.ts';

/**
 * Runs `inner` under a terminal of its own, for doas, which reads passwords there only, and for sudo's `requiretty`.
 * `script` makes the terminal (util-linux and busybox have it); the streams of `inner` are those of the channel, so
 * nothing is echoed, cooked or merged. What is typed there: the password, once the controller has seen the prompt,
 * since programs throw away what was typed before; then a line that says the inner shell is there, after which the
 * channel's input is that shell's alone. If that line does not come, the terminal is taken away and all ends.
 */
export function terminalText(way: BecomeWay, shell: string, marker: string, inner: string): string {
  const typed = `IFS= read -r p<&3&&printf '%s\\n' "$p"&&IFS= read -r p<&3||kill 0;printf '\\n${marker} typed\\n' >&4`;
  const gone = `set -- "\\n${marker} gone $?\\n";printf "$1" >&4;printf "$1" >&5`;
  const command = `{ ${inner};} <&3 >&4 2>&5 3<&- 4>&- 5>&-;${gone}`;
  return [
    'exec 4>&1 5>&2',
    `${way.password === 'tty' ? `{ ${typed};}|` : ''}SHELL=${quote(shell)} script -q -c ${quote(command)} /dev/null ${way.password === 'tty' ? '' : '</dev/null '}>&5 2>&5`,
    // Without `script` nobody has said it yet.
    `r=$?;command -v script >/dev/null||{ echo 'a terminal is needed, and the host has no script(1) to make one' >&2;printf '\\n${marker} gone %s\\n' $r;printf '\\n${marker} gone %s\\n' $r >&2;}`,
    'kill 0',
  ].join('\n');
}
