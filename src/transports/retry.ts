import { setTimeout as sleep } from 'node:timers/promises';
import { SessionError, type Target } from '../core/session.ts';
import { ms, wait } from '../core/waits.ts';

/** Only transient failures are tried again, after a wait that grows and is not the same for all hosts. */
export async function retrying<T>(target: Target, signal: AbortSignal | undefined, once: () => Promise<T>): Promise<T> {
  const attempts = Math.max(1, target.connectionAttempts);
  for (let attempt = 1; ; attempt++) {
    try {
      return await once();
    } catch (error) {
      if (!(error instanceof SessionError) || !error.transient || attempt >= attempts) throw error;
      await pause(attempt, signal);
    }
  }
}

/** About 1, 2, 4 … s, each between half and all of it, so that hosts do not come back in step. */
async function pause(attempt: number, signal?: AbortSignal) {
  const { interval, deadline } = wait('reconnect');
  const ceiling = ms(Math.min(deadline, interval * 2 ** (attempt - 1)));
  try {
    await sleep(ceiling * (0.5 + Math.random() / 2), undefined, { signal });
  } catch {
    throw new SessionError('aborted', 'tcp', 'interrupted');
  }
}
