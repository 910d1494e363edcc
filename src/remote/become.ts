import type { Identity } from '../core/identity.ts';
import { quote, quoteAll } from '../core/quote.ts';
import { SessionError, type Target } from '../core/session.ts';

/** How another user is entered. `argv` ends before the command; with a password it is read from stdin first. */
export interface BecomeWay {
  argv: string[];
  /** Whether the program may read one line, the password, from stdin before the command gets it. */
  password: boolean;
  /** Shell text the inner shell runs first (runuser keeps the HOME of who called it). */
  prelude?: string;
}

type BecomeMethod = (become: NonNullable<Identity['become']>, password: boolean, prompt: string) => BecomeWay;

const methods: Record<string, BecomeMethod> = {
  sudo: (become, password, prompt) => ({
    // -k with a command: never use a cached credential, so that whether it asks does not depend on yesterday.
    argv: [
      become.exe ?? 'sudo',
      ...(password ? ['-k', '-S', '-p', prompt] : ['-n']),
      ...(become.flags ? words(become.flags) : ['-H']),
      '-u',
      become.user,
      '--',
    ],
    password,
  }),
  runuser: (become) => ({
    argv: [become.exe ?? 'runuser', ...words(become.flags ?? ''), '-u', become.user, '--'],
    password: false,
    prelude: `HOME=~${user(become.user)};USER=${user(become.user)};LOGNAME=$USER;export HOME USER LOGNAME;`,
  }),
};

/** Undefined: the login user is meant. As Ansible does, becoming who one already is changes nothing. */
export function becomeWay(target: Target, identity: Identity, prompt: string): BecomeWay | undefined {
  const { become } = identity;
  if (!become || isLogin(target, identity)) return undefined;
  const method = methods[become.method];
  if (!method)
    throw new SessionError('become', 'become', `unknown way to become ${become.user}: ${become.method}`, {
      hint: `one of: ${Object.keys(methods).join(', ')}`,
    });
  return method(become, target.becomePassword !== undefined && become.method === 'sudo', prompt);
}

export function isLogin(target: Target, identity: Identity): boolean {
  return !identity.become || (identity.become.user === target.user && !identity.become.flags);
}

/** The command that ends in a living shell, as the login user's own sh runs it. */
export function becomeCommand(way: BecomeWay | undefined, shell: string, inner: string): string {
  if (!way) return quote(shell);
  return `${quoteAll(way.argv)} ${quoteAll([shell, '-c', `${way.prelude ?? ''}${inner}`])}`;
}

function words(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}

/** A tilde prefix cannot be quoted, so only names that need no quoting may stand there. */
function user(name: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(name)) return name;
  throw new SessionError('become', 'become', `not a user name: ${JSON.stringify(name)}`);
}
