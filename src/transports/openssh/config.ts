import { join } from 'node:path';
import { SessionError, type Target } from '../../core/session.ts';

/**
 * The ssh_config that a connection's ssh reads: what kpush decided for the host and each of its jump hosts, in front of
 * the user's own and the system's configuration, which still have the say in everything else (GSSAPI, PKCS#11, …).
 * A file, because what is given as `-o` would not reach the ssh that ProxyJump starts.
 */
export function sshConfigText(target: Target, home: string): string {
  return `${[...hosts(target).map(block), 'Host *', `Include "${join(home, '.ssh', 'config')}"`, 'Include /etc/ssh/ssh_config'].join('\n')}\n`;
}

/** The name by which ssh_config knows a target. */
export function sshName({ sshName: name, host }: Target): string {
  return name ?? host;
}

/** Arguments of the ssh that holds the connection. What it must do comes first: ssh takes the first word on an option. */
export function masterArguments(target: Target, configFile: string, socket: string, mayAsk: boolean): string[] {
  const fixed = {
    IgnoreUnknown: 'RemoteCommand', // newer than proxy mode
    ControlPersist: 'no',
    RemoteCommand: 'none',
    PermitLocalCommand: 'no',
    ClearAllForwardings: 'yes',
    ForwardX11: 'no',
    UpdateHostKeys: 'no',
    LogLevel: 'INFO',
    ConnectionAttempts: '1',
    NumberOfPasswordPrompts: '1',
    BatchMode: mayAsk ? 'no' : 'yes',
  };
  return [
    ...['-M', '-N', '-T', '-S', socket, '-F', configFile],
    ...Object.entries(fixed).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
    ...(target.sshArgs ?? []),
    '--',
    sshName(target),
  ];
}

/** The host and its jump hosts. */
function hosts(target: Target): Target[] {
  return target.proxyJump ? [target, ...hosts(target.proxyJump)] : [target];
}

function block(target: Target): string {
  const lines = options(target).filter(([, value]) => value !== undefined && value !== '');
  return [`Host ${sshName(target)}`, ...lines.map(([name, value]) => `  ${name} ${oneLine(name, value)}`)].join('\n');
}

/** A line end within a value would begin an option that nobody decided. */
function oneLine(name: string, value: string | number | undefined): string {
  if (!/[\r\n\0]/.test(String(value))) return String(value);
  throw new SessionError('unreachable', 'config', `${name} of ssh cannot have a line end: ${JSON.stringify(value)}`);
}

function options(target: Target): [name: string, value: string | number | undefined][] {
  const { proxyJump, proxyCommand, knownHostsFiles: known } = target;
  return [
    ['HostName', literal(target.address)],
    ['Port', target.port],
    ['User', /[ \t#]/.test(target.user) ? `"${target.user}"` : target.user],
    ...target.identityFiles.map((file): [string, string] => ['IdentityFile', quoted(file)]),
    ...(target.identitiesOnly ? [['IdentitiesOnly', 'yes'] as [string, string]] : []),
    ['IdentityAgent', target.agent === undefined ? 'none' : quoted(target.agent)],
    ['CertificateFile', target.certificateFile && quoted(target.certificateFile)],
    ['UserKnownHostsFile', known.map(quoted).join(' ') || '/dev/null'],
    ['GlobalKnownHostsFile', '/dev/null'],
    ['StrictHostKeyChecking', target.strictHostKeyChecking === 'ask' ? 'yes' : target.strictHostKeyChecking],
    ['HashKnownHosts', target.hashKnownHosts ? 'yes' : 'no'],
    ['HostKeyAlias', target.hostKeyAlias],
    ['ConnectTimeout', Math.max(1, Math.ceil(target.connectTimeout))],
    ['ServerAliveInterval', Math.ceil(target.keepaliveInterval)],
    ['ServerAliveCountMax', target.keepaliveCount],
    ['AddressFamily', target.family && (target.family === 4 ? 'inet' : 'inet6')],
    ['BindAddress', target.localAddress],
    ['Ciphers', target.ciphers?.join()],
    ['MACs', target.macs?.join()],
    ['KexAlgorithms', target.kex?.join()],
    ['HostKeyAlgorithms', target.hostKeyAlgorithms?.join()],
    ['ProxyJump', proxyJump ? hopText(proxyJump) : proxyCommand ? undefined : 'none'],
    // ProxyCommand takes the rest of its line as it is, with its tokens replaced already.
    ['ProxyCommand', proxyJump ? undefined : proxyCommand && literal(proxyCommand)],
  ];
}

/** Only the last hop: how it is reached itself is said in its own block. */
function hopText(hop: Target): string {
  return `${hop.user}@${sshName(hop)}:${hop.port}`;
}

function literal(text: string): string {
  return text.replaceAll('%', '%%');
}

function quoted(path: string): string {
  return `"${literal(path)}"`;
}
