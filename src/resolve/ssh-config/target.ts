import type { Target } from '../../core/session.ts';
import type { SshValues } from './values.ts';

/** The same as parts of a Target. `jump` is the text of ProxyJump: its hops have configurations of their own. */
export type SshConfigTarget = Partial<Target> & { jump?: string };

/** `own` and `system`: the known_hosts files where the configuration names none. */
export function targetPart(values: SshValues, own: readonly string[], system: readonly string[]): SshConfigTarget {
  const { userKnownHostsFiles, globalKnownHostsFiles, identityAgent, proxyJump, addressFamily } = values;
  const certificateFile = values.certificateFiles?.[0];
  const part: { [K in keyof SshConfigTarget]: SshConfigTarget[K] | undefined } = {
    address: values.hostName,
    user: values.user,
    port: values.port,
    identityFiles: values.identityFiles,
    identitiesOnly: values.identitiesOnly,
    certificateFile,
    proxyCommand: values.proxyCommand,
    jump: proxyJump === 'none' ? undefined : proxyJump,
    knownHostsFiles:
      userKnownHostsFiles || globalKnownHostsFiles
        ? [...(userKnownHostsFiles ?? own), ...(globalKnownHostsFiles ?? system)]
        : undefined,
    strictHostKeyChecking: values.strictHostKeyChecking,
    hashKnownHosts: values.hashKnownHosts,
    hostKeyAlias: values.hostKeyAlias,
    connectTimeout: values.connectTimeout,
    connectionAttempts: values.connectionAttempts,
    keepaliveInterval: values.serverAliveInterval,
    keepaliveCount: values.serverAliveCountMax,
    localAddress: values.bindAddress,
    family: addressFamily === 'inet' ? 4 : addressFamily === 'inet6' ? 6 : undefined,
    ciphers: values.ciphers,
    macs: values.macs,
    kex: values.kexAlgorithms,
    hostKeyAlgorithms: values.hostKeyAlgorithms,
  };
  const given = Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));
  return {
    ...given,
    ...(identityAgent === undefined ? {} : { agent: identityAgent === 'none' ? undefined : identityAgent }),
  };
}
