import type { Target } from '../../core/session.ts';
import type { Connection, Transport } from '../../remote/transport.ts';
import { retrying } from '../retry.ts';
import { SshConnection } from './connection.ts';
import { dial } from './dial.ts';
import { jumps } from './jump.ts';
import { dialByProxy } from './proxied.ts';

/** ssh2, which needs nothing installed. */
export const sshTransport: Transport = {
  connect: (target, signal) => retrying(target, signal, () => once(target, signal)),
};

async function once(target: Target, signal?: AbortSignal): Promise<Connection> {
  if (!target.proxyJump) return new SshConnection(await dialByProxy(target, signal), target, () => {});
  const hop = await jumps.through(target.proxyJump, target, signal);
  try {
    return new SshConnection(await dial(target, hop.stream, signal), target, hop.release);
  } catch (error) {
    hop.release();
    throw error;
  }
}
