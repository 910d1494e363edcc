import { SessionError, type Target } from '../core/session.ts';
import type { Connection, Transport } from '../remote/transport.ts';
import { localTransport } from './local.ts';
import { opensshTransport } from './openssh/index.ts';
import { sshTransport } from './ssh/index.ts';

/** Every way to reach a host, by the name inventories use. */
export const transports: Record<Target['transport'], Transport> = {
  ssh: sshTransport,
  openssh: opensshTransport,
  local: localTransport,
};

/** The transport that a target names. */
export const anyTransport: Transport = {
  connect(target: Target, signal?: AbortSignal): Promise<Connection> {
    const transport = transports[target.transport];
    if (transport) return transport.connect(target, signal);
    const known = Object.keys(transports).join(', ');
    const message = `${target.host}: unknown transport ${target.transport}`;
    return Promise.reject(new SessionError('unreachable', 'transport', message, { hint: `one of: ${known}` }));
  },
};
