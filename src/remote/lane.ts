import { SessionError } from '../core/session.ts';
import type { Shell } from './shell.ts';

/** The trips of one identity, one after another, and the shell they share. */
export class Lane {
  shell: Shell | undefined;
  private last: Promise<unknown> = Promise.resolve();

  /** Runs `body` when those before it are done. An abort closes the shell: what runs on the host ends by its watcher. */
  async run<T>(signal: AbortSignal | undefined, body: (lane: Lane) => Promise<T>): Promise<T> {
    const before = this.last;
    const mine = before.then(() => this.guarded(signal, body));
    // What the trip brought is the caller's: the next one waits for its end alone.
    this.last = mine.then(nothing, nothing);
    return mine;
  }

  close(): void {
    this.shell?.close();
    this.shell = undefined;
  }

  /** The end in good order, when nothing runs any more. */
  async leave(): Promise<void> {
    await this.shell?.leave();
    this.shell = undefined;
  }

  private async guarded<T>(signal: AbortSignal | undefined, body: (lane: Lane) => Promise<T>): Promise<T> {
    if (signal?.aborted) throw aborted(signal);
    const onAbort = () => this.close();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await body(this);
    } catch (error) {
      throw signal?.aborted ? aborted(signal) : error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }
}

const nothing = () => {};

function aborted(signal: AbortSignal): SessionError {
  return new SessionError('aborted', 'trip', 'interrupted', { cause: signal.reason });
}
