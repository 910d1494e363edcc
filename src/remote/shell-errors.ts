import type { Identity } from '../core/identity.ts';
import { SessionError, type Target } from '../core/session.ts';
import type { ChannelEnd } from './transport.ts';

/** What is known about a shell that ended or never spoke. */
export interface ShellStory {
  identity: Identity;
  target: Target;
  /** The password was asked for once more. */
  refused: boolean;
  /** Something was asked that nobody could answer. */
  unanswerable: boolean;
  /** Exit code of the inner command, if its keeper could still say it. */
  goneCode: number | undefined;
  /** The host heard nothing from us for its deadline and ended what ran. */
  silenced: boolean;
  /** A trip had begun. */
  began: boolean;
  /** What came outside of frames: sudo's words, rc files, MOTD. */
  noise: string;
}

/** The shell ended while something was expected of it. */
export function goneError(story: ShellStory, end: ChannelEnd): SessionError {
  if (end.lost)
    return new SessionError('lost', story.began ? 'trip' : 'shell', lostText(story, end), { transient: true });
  if (story.began) return midTrip(story, end);
  return story.identity.become ? becomeError(story) : loginError(story, end);
}

/** We closed it. */
export function closedError(): SessionError {
  return new SessionError('aborted', 'trip', 'the shell was closed');
}

/** Nothing came in time. */
export function refusedError(story: ShellStory, seconds: number): SessionError {
  const { identity } = story;
  const what = story.began
    ? 'taken the script'
    : identity.become
      ? `let us become ${identity.become.user}`
      : 'started a shell';
  return new SessionError(
    'timeout',
    story.began ? 'trip' : identity.become ? 'become' : 'shell',
    `${story.target.host} has not ${what} in ${seconds} s${said(story)}`,
    {
      transient: true,
      hint: story.began
        ? 'the host may be overloaded, the link very slow, or the script lacks its end (an unclosed quote)'
        : 'does an rc file of the login shell wait for something, or does PAM ask more than a password?',
    },
  );
}

function lostText({ target }: ShellStory, { why }: ChannelEnd): string {
  return `the link to ${target.host} was lost${why ? `: ${why}` : ''}`;
}

function midTrip(story: ShellStory, end: ChannelEnd): SessionError {
  if (story.silenced)
    return new SessionError('lost', 'trip', `${story.target.host} heard nothing from us and ended what ran`, {
      transient: true,
      hint: 'was this machine asleep, or the link cut?',
    });
  const how = story.goneCode === undefined ? describeEnd(end) : `exit ${story.goneCode}`;
  return new SessionError('lost', 'trip', `the shell on ${story.target.host} ended (${how})${said(story)}`, {
    transient: true,
    hint: 'was it killed on the host (out of memory, a reboot)?',
  });
}

function becomeError(story: ShellStory): SessionError {
  const { become } = story.identity;
  const to = `become ${become?.user} on ${story.target.host} by ${become?.method}`;
  const { why, hint } = becomeReason(story);
  return new SessionError('become', 'become', `cannot ${to}${why}`, hint === undefined ? {} : { hint });
}

interface Reason {
  why: string;
  hint?: string;
}

/** The words are those of sudo, sudo-rs, su, doas and PAM under LC_ALL=C. */
function becomeReason(story: ShellStory): Reason {
  const text = said(story);
  const withPassword = story.target.becomePassword !== undefined;
  if (/expired|required to change|no longer valid/i.test(text))
    return { why: `: the account or its password has expired${text}`, hint: 'renew it on the host: passwd, chage' };
  if (story.unanswerable || (!withPassword && needsPassword.test(text)))
    return { why: text || ': it asks for a password', hint: passwordHint };
  if (story.refused || (withPassword && wrongPassword.test(text))) return { why: ': wrong password' };
  if (/not found|No such file/.test(text) && story.goneCode === 127)
    return { why: text, hint: `is ${story.identity.become?.method} installed there? become_method names another way` };
  return { why: text, hint: withPassword ? 'may the login user do that?' : passwordHint };
}

const passwordHint = 'a password may be needed: --ask-become-pass or ansible_become_password';

const needsPassword = /password is required|Authentication required|Authorization required|interactive authentication/i;

const wrongPassword = /authentication fail|authorization failed|incorrect password|incorrect authentication|try again/i;

function loginError(story: ShellStory, end: ChannelEnd): SessionError {
  return new SessionError(
    'unreachable',
    'shell',
    `${story.target.user}@${story.target.host} gave no usable shell (${describeEnd(end)})${said(story)}`,
    { hint: `log in by hand and try: exec ${story.target.shell || '/bin/sh'}` },
  );
}

function describeEnd(end: ChannelEnd): string {
  return end.signal ? `signal ${end.signal}` : `exit ${end.code ?? 'unknown'}`;
}

function said(story: ShellStory): string {
  const text = story.noise.trim();
  return text ? `: ${text.slice(-1000)}` : '';
}
