import { SessionError, type Target } from '../../core/session.ts';
import { notYetHint, notYetText } from '../not-yet.ts';

export type Phase = 'dns' | 'tcp' | 'kex' | 'host-key' | 'auth' | 'channel';

export interface AuthStory {
  tried: string[];
  allowed: string[];
  notes: string[];
  /** What the server told last (a banner): PAM says there why it lets nobody in. */
  told?: string;
}

/** A socket that could not be made. Decided by the error's code. */
export function socketError(target: Target, error: NodeJS.ErrnoException): SessionError {
  const phase: Phase = error.syscall === 'getaddrinfo' ? 'dns' : 'tcp';
  const code = error.code ?? (error as { errors?: NodeJS.ErrnoException[] }).errors?.[0]?.code ?? '';
  const where = phase === 'dns' ? target.address : `${target.address} port ${target.port}`;
  return new SessionError(
    'unreachable',
    phase,
    `${target.host}: ${where}: ${codeText[code] ?? (error.message || code)}`,
    {
      transient: transientCodes.has(code),
      ...(hints[code] ? { hint: hints[code] } : {}),
      cause: error,
    },
  );
}

/** A failure after the socket stood. */
export function phaseError(
  target: Target,
  phase: Phase,
  cause: (Error & { level?: string; code?: string }) | 'timeout',
  auth?: AuthStory,
): SessionError {
  const who = `${target.host} (${target.address}:${target.port})`;
  if (cause === 'timeout')
    return new SessionError('timeout', phase, `${who}: no ${phaseText[phase]} in time`, { transient: true });
  if (cause.level === 'client-socket') return socketError(target, cause as NodeJS.ErrnoException);
  if (phase === 'auth' && auth) return authError(target, auth, cause);
  const dropped = cause.message === 'closed' || cause.level === undefined || cause.level === 'protocol';
  return new SessionError('unreachable', phase, `${who}: ${phaseText[phase]} failed: ${cause.message}`, {
    // Cut before a word was said is what a busy sshd does (MaxStartups); no algorithm in common stays so.
    transient: dropped,
    hint: dropped
      ? 'is it an SSH server, and has it free slots (MaxStartups)?'
      : 'does the server offer only algorithms that ssh2 has not? OpenSSH may have them: connection: openssh',
    cause,
  });
}

function authError(target: Target, { tried, allowed, notes, told = '' }: AuthStory, cause: Error): SessionError {
  const said = told.trim().replace(/\s+/g, ' ').slice(-300);
  if (notYetText.test(said))
    return new SessionError('unreachable', 'auth', `${target.user}@${target.host} was not let in: ${said}`, {
      transient: true,
      hint: notYetHint,
      cause,
    });
  const parts = [
    `tried ${tried.join(', ') || 'nothing'}`,
    allowed.length ? `the server takes ${allowed.join(', ')}` : '',
    ...notes,
    said ? `it says: ${said}` : '',
  ].filter(Boolean);
  return new SessionError('auth', 'auth', `${target.user}@${target.host} was not let in: ${parts.join('; ')}`, {
    hint: 'does `ssh` get in with the same user and key? For a certificate, FIDO or PKCS#11 key and GSSAPI: connection: openssh',
    cause,
  });
}

const phaseText: Record<Phase, string> = {
  dns: 'name lookup',
  tcp: 'connection',
  kex: 'key exchange',
  'host-key': 'host key',
  auth: 'authentication',
  channel: 'channel',
};

const codeText: Record<string, string> = {
  ENOTFOUND: 'no such host name',
  EAI_AGAIN: 'the name server does not answer',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ETIMEDOUT: 'no answer',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network unreachable',
};

const transientCodes = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
]);

const hints: Record<string, string> = {
  ENOTFOUND: 'check the name or set ansible_host',
  ECONNREFUSED: 'is sshd running there, on this port?',
  EHOSTUNREACH: 'is the host up and in a network that is routed?',
};
