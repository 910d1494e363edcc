import { quote } from '../core/quote.ts';
import { type BecomeWay, encode } from './become.ts';
import { terminalText } from './terminal.ts';

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

/** The same for a first text that comes by stdin, under the login's own user: one process instead of four. */
export function plainCommand(shell: string): string {
  return `exec ${quote(shell)} -s`;
}

/** Without a keeper the shell itself says that it ends: what a step left behind may hold the channel open. */
export const plainEnd = "trap 'kp_z=$?;kp_exit&&kp_m=$kp_id&&kp_2 gone $kp_z' EXIT\n";

/** Longest exec command we send: a single argument may have 128 KiB on Linux. */
export const maxCommand = 100 * 1024;

/** The inner shell says that it is there, and nothing else is sent before: the program may not have asked. */
export function saysReady(way: BecomeWay | undefined): boolean {
  return way !== undefined && (way.password !== 'none' || way.mayAsk || way.terminal);
}

export const locale = 'LC_ALL=C LANGUAGE= LANG=C;export LC_ALL LANGUAGE LANG;';

/**
 * The feeder copies by dd, not cat: busybox's cat uses sendfile, and from a socket into a pipe Linux holds the pipe
 * until the socket has data, so that the shell could not read what is in the pipe already.
 */
function outer({ way, shell, marker }: Opener): string {
  const inner = way ? way.command(shell, innerText(way, shell, marker)) : `${quote(shell)} -s`;
  if (way?.terminal) return `${locale}exec 3<&0\n${terminalText(way, shell, marker, inner)}`;
  const first = way?.password === 'stdin' ? `printf '%s\\n' "$kp_p"` : 'printf %b "$2"';
  return [
    `${locale}exec 3<&0`,
    way?.password === 'stdin' ? 'IFS= read -r kp_p<&3' : '',
    `{ ${first};exec dd bs=64k <&3 3<&- 2>/dev/null;}|{ ${inner} 3<&-`,
    // On both streams: what sudo had to say comes on the other one, before it.
    `set -- "\n${marker} gone $?\n";printf "$1";printf "$1" >&2;kill 0;}`,
  ]
    .filter(Boolean)
    .join('\n');
}

/** Drops lines up to the marker: the password is among them where the program did not ask. */
function innerText(way: BecomeWay, shell: string, marker: string): string {
  const ready = `printf '\\n${marker} ready\\n';while IFS= read -r l;do [ "$l" = ${marker} ]&&break;done;`;
  return `${locale}${saysReady(way) ? ready : ''}exec ${quote(shell)} -s`;
}
