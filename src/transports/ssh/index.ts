import { setTimeout as sleep } from 'node:timers/promises';
import { SessionError, type Target } from '../../core/session.ts';
import type { Connection, Transport } from '../../remote/transport.ts';
import { SshConnection } from './connection.ts';
import { dial } from './dial.ts';
import { JumpHosts } from './jump.ts';

const jumps = new JumpHosts();

/** ssh2. Only transient failures are tried again, after a wait that grows and is not the same for all hosts. */
export const sshTransport: Transport = {
  async connect(target: Target, signal?: AbortSignal): Promise<Connection> {
    const attempts = Math.max(1, target.connectionAttempts);
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(target, signal);
      } catch (error) {
        if (!(error instanceof SessionError) || !error.transient || attempt >= attempts) throw error;
        await pause(attempt, signal);
      }
    }
  },
};

async function once(target: Target, signal?: AbortSignal): Promise<Connection> {
  if (target.proxyCommand)
    throw new SessionError('unreachable', 'proxy', 'ssh2 runs no ProxyCommand', { hint: 'use the transport openssh' });
  if (!target.proxyJump) return new SshConnection(await dial(target, undefined, signal), target, () => {});
  const hop = await jumps.through(target.proxyJump, target, signal);
  try {
    return new SshConnection(await dial(target, hop.stream, signal), target, hop.release);
  } catch (error) {
    hop.release();
    throw error;
  }
}

/** About 1, 2, 4 … 15 s, each between half and all of it, so that hosts do not come back in step. */
async function pause(attempt: number, signal?: AbortSignal) {
  const ceiling = Math.min(15_000, 1000 * 2 ** (attempt - 1));
  try {
    await sleep(ceiling * (0.5 + Math.random() / 2), undefined, { signal });
  } catch {
    throw new SessionError('aborted', 'tcp', 'interrupted');
  }
}
