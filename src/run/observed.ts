import type { EventBody } from '../core/events.ts';
import type { Session } from '../core/session.ts';

/** A session that tells when it connects, and what each trip carried. */
export function observed(session: Session, host: string, address: string, emit: (event: EventBody) => void): Session {
  let connected = false;
  let connecting: number | undefined;
  const connects = () => {
    if (connecting === undefined) emit({ type: 'connecting', host, address });
    connecting ??= Date.now();
  };
  const trip = async <T>(
    purpose: 'ask' | 'change' | 'stage',
    questions: number,
    steps: number,
    work: () => Promise<T>,
  ): Promise<T> => {
    const before = { ...session.stats };
    const start = Date.now();
    connects();
    const done = await work().catch((error) => {
      connecting = undefined;
      throw error;
    });
    const ms = Date.now() - start;
    if (!connected) emit({ type: 'connected', host, ms: Date.now() - connecting! });
    connected = true;
    const { sent, received } = session.stats;
    emit({
      type: 'trip',
      host,
      purpose,
      questions,
      steps,
      sent: sent - before.sent,
      received: received - before.received,
      ms,
    });
    return done;
  };
  return {
    warm: (signal) => {
      connects();
      session.warm?.(signal);
    },
    ask: (identity, blocks, signal) =>
      trip(
        'ask',
        blocks.reduce((sum, block) => sum + block.records, 0),
        0,
        () => session.ask(identity, blocks, signal),
      ),
    change: (change, live, signal) =>
      trip('change', change.next.length, change.steps.length, () => session.change(change, live, signal)),
    stage: (identity, blob, progress, signal) =>
      trip('stage', 0, 0, () => session.stage(identity, blob, progress, signal)),
    serve: (identity, blob, address, token, signal) => session.serve(identity, blob, address, token, signal),
    pull: (identity, blob, from, signal) => trip('stage', 0, 0, () => session.pull(identity, blob, from, signal)),
    fetch: (identity, path, limit, signal) => session.fetch(identity, path, limit, signal),
    stop: () => session.stop(),
    reset: () => session.reset(),
    close: () => session.close(),
    stats: session.stats,
  };
}
