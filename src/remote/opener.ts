import { quote } from '../core/quote.ts';
import { type BecomeWay, becomeCommand } from './become.ts';

export interface Opener {
  way: BecomeWay | undefined;
  shell: string;
  /** Names this shell's own frames (ready, gone). Seen in argv, so no answer ever hangs on it. */
  marker: string;
  /** What the living shell reads first: its library and its first, read-only trip. Seen in argv. */
  first: string;
}

/**
 * The exec command that leaves a living `sh -s`, whatever the login shell is. The login shell sees one line of plain
 * words without newline, backslash-quote, `!` or `'` inside: csh and fish read it like sh does. Around the shell:
 * a feeder that gives it its first text and then copies stdin (so a first trip needs no round trip of its own, and
 * sudo passes everything on as stdin), and a keeper that says when it is gone and ends what is left.
 */
export function openCommand(opener: Opener): string {
  const words = [encode(outer(opener)), encode(opener.first)].map((word) => `'${word}'`);
  return `exec ${quote(opener.shell)} -c 'eval "$(printf %b "$1")"' kpush ${words.join(' ')}`;
}

/** Longest exec command we send: a single argument may have 128 KiB on Linux. */
export const maxCommand = 100 * 1024;

/**
 * The feeder copies by dd, not cat: busybox's cat uses sendfile, and from a socket into a pipe Linux holds the pipe
 * until the socket has data, so that the shell could not read what is in the pipe already.
 */
function outer({ way, shell, marker }: Opener): string {
  const inner = becomeCommand(way, shell, innerText(way, shell, marker));
  return [
    'LC_ALL=C LANGUAGE= LANG=C;export LC_ALL LANGUAGE LANG;exec 3<&0',
    way?.password ? 'IFS= read -r kp_p<&3' : '',
    `{ ${way?.password ? `printf '%s\\n' "$kp_p"` : 'printf %b "$2"'};exec dd bs=64k <&3 3<&- 2>/dev/null;}|{ ${inner}${way ? '' : ' -s'} 3<&-`,
    // On both streams: what sudo had to say comes on the other one, before it.
    `set -- "\n${marker} gone $?\n";printf "$1";printf "$1" >&2;kill 0;}`,
  ]
    .filter(Boolean)
    .join('\n');
}

/** With a password the inner shell says it is there, then drops lines up to the marker: sudo may not have asked. */
function innerText(way: BecomeWay | undefined, shell: string, marker: string): string {
  const locale = 'LC_ALL=C LANGUAGE= LANG=C;export LC_ALL LANGUAGE LANG;';
  const ready = `printf '\\n${marker} ready\\n';while IFS= read -r l;do [ "$l" = ${marker} ]&&break;done;`;
  return `${locale}${way?.password ? ready : ''}exec ${quote(shell)} -s`;
}

/** For `printf %b`: all that some login shell would read differently, as octal escapes. */
function encode(text: string): string {
  if (text.includes('\0')) throw new Error('a NUL byte cannot be passed to a shell');
  return text.replace(/[\\'!\n\r\x01-\x09\x0b-\x1f\x7f]/g, escapeChar);
}

function escapeChar(char: string): string {
  if (char === '\n') return '\\n';
  return `\\0${char.charCodeAt(0).toString(8).padStart(3, '0')}`;
}
