import { SessionError, type Target } from '../../core/session.ts';
import { openProxy } from '../proxy-command.ts';
import { inTurn } from '../throttle.ts';
import { type Dialled, dial } from './dial.ts';

/** Dials straight, or over what the target's ProxyCommand says and hears; in turn with others to the same sshd. */
export function dialByProxy(target: Target, signal?: AbortSignal): Promise<Dialled> {
  return inTurn(target, () => dialNow(target, signal));
}

async function dialNow(target: Target, signal?: AbortSignal): Promise<Dialled> {
  if (target.proxyCommand === undefined) return dial(target, undefined, signal);
  const proxy = openProxy(target, target.proxyCommand);
  try {
    const dialled = await dial(target, proxy.stream, signal);
    void dialled.closed.then(proxy.end);
    return dialled;
  } catch (error) {
    const told = error instanceof SessionError ? await proxy.blame(error) : error;
    proxy.end();
    throw told;
  }
}
