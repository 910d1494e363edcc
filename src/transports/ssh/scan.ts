import type { Duplex } from 'node:stream';
import ssh2 from 'ssh2';
import { SessionError, type Target } from '../../core/session.ts';
import { openProxy } from '../proxy-command.ts';
import { algorithms } from './dial.ts';
import { phaseError } from './errors.ts';
import { jumps } from './jump.ts';
import { readKnownHosts } from './known-files.ts';
import { tcp } from './tcp.ts';

/**
 * The key that a host shows, without logging in. The hosts it is reached through are logged in to, so their own keys
 * must be known.
 */
export async function scanHostKey(target: Target, signal?: AbortSignal): Promise<Buffer> {
  const known = await readKnownHosts(target.knownHostsFiles);
  const { stream, release } = await streamTo(target, signal);
  const client = new ssh2.Client();
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      const timer = setTimeout(() => reject(phaseError(target, 'kex', 'timeout')), target.connectTimeout * 1000);
      const fail = (error: Error & { level?: string }) => reject(phaseError(target, 'kex', error));
      client.on('error', fail).once('close', () => {
        clearTimeout(timer);
        fail(new Error('closed'));
      });
      client.connect({
        sock: stream as never,
        username: target.user,
        readyTimeout: 0,
        algorithms: algorithms(target, known),
        hostVerifier: (blob: Buffer) => {
          resolve(Buffer.from(blob));
          return false;
        },
      });
    });
  } catch (error) {
    throw error instanceof SessionError ? error : phaseError(target, 'kex', error as Error);
  } finally {
    client.destroy();
    stream.destroy();
    release();
  }
}

async function streamTo(target: Target, signal?: AbortSignal): Promise<{ stream: Duplex; release: () => void }> {
  if (target.proxyJump) return jumps.through(target.proxyJump, target, signal);
  if (target.proxyCommand === undefined) return { stream: await tcp(target, signal), release: () => {} };
  const proxy = openProxy(target, target.proxyCommand);
  return { stream: proxy.stream, release: proxy.end };
}
