import { createConnection } from 'node:net';
import type { Duplex } from 'node:stream';
import { SessionError, type Target } from '../../core/session.ts';
import { phaseError, socketError } from './errors.ts';

/** A socket to the target, within its connect timeout. */
export function tcp(target: Target, signal?: AbortSignal): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const { address: host, port, family, localAddress } = target;
    const socket = createConnection({ host, port, family: family ?? 0, localAddress, noDelay: true });
    const fail = (error: Error) => {
      socket.destroy();
      clearTimeout(timer);
      reject(error);
    };
    const late = () => fail(phaseError(target, 'tcp', 'timeout'));
    const timer = setTimeout(late, target.connectTimeout * 1000);
    const onAbort = () => fail(new SessionError('aborted', 'tcp', 'interrupted'));
    signal?.addEventListener('abort', onAbort, { once: true });
    socket.once('error', (error: NodeJS.ErrnoException) => fail(socketError(target, error)));
    socket.once('connect', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      socket.removeAllListeners('error');
      socket.on('error', () => {}); // ssh2 listens too; between the two nobody would
      resolve(socket);
    });
  });
}
