import { SessionError, type SessionErrorKind, type Target } from '../../core/session.ts';
import { notYetHint, notYetText } from '../not-yet.ts';

interface Rule {
  says: RegExp;
  kind: SessionErrorKind;
  phase: string;
  transient?: boolean;
  hint?: string;
}

/** OpenSSH's words, from the most telling to the least; all of 7.4 to 10 say them alike. */
const rules: readonly Rule[] = [
  {
    says: /\bssh: (?:command )?not found|exec: ssh: not found/,
    kind: 'unreachable',
    phase: 'transport',
    hint: 'the transport openssh needs the OpenSSH client on this machine, in PATH',
  },
  {
    says: /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    kind: 'host-key',
    phase: 'host-key',
    hint: 'if it was reinstalled: ssh-keygen -R with the file and name above',
  },
  { says: /REVOKED HOST KEY DETECTED/, kind: 'host-key', phase: 'host-key' },
  {
    says: /Host key verification failed|No .* host key is known for/,
    kind: 'host-key',
    phase: 'host-key',
    hint: 'compare the fingerprint, then add the key: kpush trust',
  },
  { says: /Could not resolve hostname .*(Temporary failure)/, kind: 'unreachable', phase: 'dns', transient: true },
  { says: /Could not resolve hostname/, kind: 'unreachable', phase: 'dns' },
  {
    says: /Bad configuration option|Bad (?:SSH2 )?\w+ (?:spec|argument)|terminating, \d+ bad config/i,
    kind: 'unreachable',
    phase: 'config',
  },
  { says: /Unable to negotiate|no matching .* found/, kind: 'unreachable', phase: 'kex' },
  {
    says: /Too many authentication failures/,
    kind: 'auth',
    phase: 'auth',
    hint: 'name the key: ansible_ssh_private_key_file',
  },
  {
    says: /Permission denied|No more authentication methods|sign_and_send_pubkey|Authentication failed/,
    kind: 'auth',
    phase: 'auth',
  },
  // Above "closed by", which ssh says of these, too.
  { says: notYetText, kind: 'unreachable', phase: 'auth', transient: true, hint: notYetHint },
  {
    says: /account has expired|password has expired/,
    kind: 'auth',
    phase: 'auth',
    hint: 'renew it on the host: passwd, chage',
  },
  {
    says: /administratively prohibited|open failed/,
    kind: 'unreachable',
    phase: 'tcp',
    hint: 'AllowTcpForwarding and PermitOpen on the jump host',
  },
  {
    says: /Connection (?:refused|timed out|reset)|No route to host|Network is unreachable|Operation timed out/,
    kind: 'unreachable',
    phase: 'tcp',
    transient: true,
  },
  {
    says: /kex_exchange_identification|banner exchange|Connection closed by|Connection to .* closed/,
    kind: 'unreachable',
    phase: 'kex',
    transient: true,
    hint: 'is it an SSH server, and has it free slots (MaxStartups)?',
  },
];

/** Why ssh ended before it was logged in, decided by what it said. */
export function sshError(target: Target, said: string, refused: readonly string[]): SessionError {
  const rule = rules.find(({ says }) => says.test(said));
  const what = [lines(said).join('\n') || 'ssh ended without a word', ...refused.map(unanswered)].join('; ');
  const who = `${target.user}@${target.host} by openssh`;
  return new SessionError(rule?.kind ?? 'unreachable', rule?.phase ?? 'connect', `${who}: ${what}`, {
    transient: rule?.transient ?? false,
    ...(rule?.hint ? { hint: rule.hint } : {}),
  });
}

/** Without frames of `@`, notes of what it did, and who was asked for a password. */
function lines(said: string): string[] {
  return said
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^@+$/.test(line) && !/^Warning: Permanently added/.test(line))
    .map((line) => line.replace(/^@\s+(.*?)\s+@$/, '$1'));
}

function unanswered(question: string): string {
  return `nobody here could answer ${JSON.stringify(question.trim())}`;
}
