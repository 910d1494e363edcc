import type { Identity } from '../core/identity.ts';
import { quote, quoteAll } from '../core/quote.ts';
import { SessionError, type Target } from '../core/session.ts';

/** How another user is entered. */
export interface BecomeWay {
  /** Shell text that runs `inner`, sh text, by `shell` as the other user. */
  command(shell: string, inner: string): string;
  /** Where the program reads the password: the first line of its stdin, a terminal of its own, or it is told none. */
  password: 'none' | 'stdin' | 'tty';
  /** It may ask though there is no password: nothing may be sent before the inner shell says that it is there. */
  mayAsk: boolean;
  /** It runs under a terminal of its own, while its three streams stay what they are. */
  terminal: boolean;
}

type Become = NonNullable<Identity['become']>;

interface Asked {
  target: Target;
  /** What sudo is to print when it asks. */
  prompt: string;
  /** The host refused to do it without a terminal. */
  terminal: boolean;
}

type BecomeMethod = (become: Become, asked: Asked) => BecomeWay;

const sudo: BecomeMethod = (become, { target, prompt, terminal }) => {
  const password = target.becomePassword !== undefined;
  // -k with a command: never use a cached credential, so that whether it asks does not depend on yesterday.
  // A terminal changes the ends of lines, so there the prompt is no frame.
  const asking = password ? ['-k', ...(terminal ? ['-p', 'password: '] : ['-S', '-p', prompt])] : ['-n'];
  // Ansible's own default says -n and -S; whether it may ask is decided here.
  const flags = words(become.flags ?? '-H').filter((flag) => flag !== '-n' && flag !== '-S');
  const argv = [become.exe ?? 'sudo', ...asking, ...flags, '-u', become.user, '--'];
  return {
    command: running(argv),
    password: !password ? 'none' : terminal ? 'tty' : 'stdin',
    ...{ mayAsk: false, terminal },
  };
};

/** It reads one line of stdin where that is no terminal. The command is run by a shell, whatever shell the user has. */
const su: BecomeMethod = (become, { target, terminal }) => ({
  command: (shell, inner) => {
    const line = `exec ${quoteAll([shell, '-c', 'eval "$(printf %b "$1")"', 'kpush', encode(inner)])}`;
    return quoteAll([become.exe ?? 'su', ...words(become.flags ?? ''), '-s', shell, '-c', line, become.user]);
  },
  password: target.becomePassword !== undefined && target.user !== 'root' ? 'stdin' : 'none',
  ...{ mayAsk: target.user !== 'root', terminal },
});

/** It reads the password from the terminal and nowhere else. */
const doas: BecomeMethod = (become, { target }) => {
  const password = target.becomePassword !== undefined;
  const flags = words(become.flags ?? '').filter((flag) => flag !== '-n');
  const argv = [become.exe ?? 'doas', ...(password ? [] : ['-n']), ...flags, '-u', become.user, '--'];
  return { command: running(argv), password: password ? 'tty' : 'none', mayAsk: false, terminal: password };
};

const runuser: BecomeMethod = (become, { terminal }) => {
  // It keeps the HOME of who called it.
  const own = `HOME=~${user(become.user)};USER=${user(become.user)};LOGNAME=$USER;export HOME USER LOGNAME;`;
  const argv = [become.exe ?? 'runuser', ...words(become.flags ?? ''), '-u', become.user, '--'];
  return {
    command: (shell, inner) => running(argv)(shell, own + inner),
    ...{ password: 'none', mayAsk: false, terminal },
  };
};

const methods: Record<string, BecomeMethod> = { sudo, su, doas, runuser };

/** Undefined: the login user is meant. As Ansible does, becoming who one already is changes nothing. */
export function becomeWay(target: Target, identity: Identity, prompt: string, terminal = false): BecomeWay | undefined {
  const { become } = identity;
  if (!become || isLogin(target, identity)) return undefined;
  const method = methods[become.method];
  if (method) return method(become, { target, prompt, terminal });
  throw new SessionError('become', 'become', `unknown way to become ${become.user}: ${become.method}`, {
    hint: `one of: ${Object.keys(methods).join(', ')}`,
  });
}

export function isLogin(target: Target, identity: Identity): boolean {
  return !identity.become || (identity.become.user === target.user && !identity.become.flags);
}

/**
 * For `printf %b`: all that some login shell would read differently, as octal escapes. Throws for a NUL byte, which no
 * argument can hold.
 */
export function encode(text: string): string {
  if (text.includes('\0')) throw new Error('a NUL byte cannot be passed to a shell');
  return text.replace(/[\\'!\n\r\x01-\x09\x0b-\x1f\x7f]/g, escapeChar);
}

/** `\\0` takes up to three octal digits: leading zeros are needed only where a digit follows. */
function escapeChar(char: string, at: number, whole: string): string {
  if (char === '\n') return '\\n';
  const octal = char.charCodeAt(0).toString(8);
  return `\\0${/[0-7]/.test(whole[at + 1] ?? '') ? octal.padStart(3, '0') : octal}`;
}

function running(argv: string[]): BecomeWay['command'] {
  return (shell, inner) => `${quoteAll(argv)} ${quoteAll([shell, '-c', inner])}`;
}

function words(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}

/** A tilde prefix cannot be quoted, so only names that need no quoting may stand there. */
function user(name: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(name)) return quote(name);
  throw new SessionError('become', 'become', `not a user name: ${JSON.stringify(name)}`);
}
