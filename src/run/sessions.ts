import { KpushError } from '../core/errors.ts';
import type { EventBody } from '../core/events.ts';
import { type Session, SessionError, type Target } from '../core/session.ts';
import { openSession } from '../remote/session.ts';
import { anyTransport } from '../transports/index.ts';
import { observed } from './observed.ts';
import { silenceDeadline } from './silence.ts';

const keys = new WeakMap<Target, string>();

/** Two ways to a host are one where nothing differs. */
function keyOf(target: Target): string {
  const key = keys.get(target) ?? JSON.stringify(target);
  keys.set(target, key);
  return key;
}

/** One session per way to reach a host, opened on first use and kept for the whole run. */
export class SessionPool {
  private readonly targetOf: (host: string) => Target;
  private readonly emit: (event: EventBody) => void;
  private readonly sessions = new Map<string, Session>();
  private readonly deadline = silenceDeadline(process.env);
  private readonly last = new Map<string, Session>();
  private readonly leaving: Promise<void>[] = [];
  private stopped = false;

  constructor(targetOf: (host: string) => Target, emit: (event: EventBody) => void) {
    this.targetOf = targetOf;
    this.emit = emit;
  }

  of = (host: string): Session => {
    const target = this.reached(host);
    const key = keyOf(target);
    const session = this.sessions.get(key) ?? this.open(key, host, target);
    this.last.set(host, session);
    return session;
  };

  private open(key: string, host: string, target: Target): Session {
    const opened = openSession(target, { transport: anyTransport, deadline: this.deadline });
    const session = observed(opened, host, `${target.address}:${target.port}`, this.emit);
    this.sessions.set(key, session);
    if (this.stopped) session.stop();
    return session;
  }

  /** How a host is reached may be said wrong for it alone: the others go on. */
  private reached(host: string): Target {
    try {
      return this.targetOf(host);
    } catch (error) {
      if (!(error instanceof KpushError) || error.kind !== 'input') throw error;
      const { origin, hint, expected } = error.facts;
      const place = origin ? `${origin.file}:${origin.line}:${origin.column}: ` : '';
      const told = hint ?? expected;
      throw new SessionError('unreachable', 'address', `${host}: ${place}${error.message}`, {
        cause: error,
        ...(told === undefined ? {} : { hint: told }),
      });
    }
  }

  /** Running steps end, no other starts. */
  stop(): void {
    this.stopped = true;
    for (const session of this.sessions.values()) session.stop();
  }

  /** Nothing more will be asked of this host in this run. */
  release(host: string): void {
    const session = this.last.get(host);
    if (session) this.leaving.push(session.close());
  }

  async close(): Promise<void> {
    await Promise.all([...this.leaving, ...[...this.sessions.values()].map((session) => session.close())]);
  }

  /** Connections, trips and bytes so far, over all hosts. */
  stats(): Session['stats'] {
    const sum = { connections: 0, trips: 0, sent: 0, received: 0 };
    for (const { stats } of this.sessions.values()) {
      sum.connections += stats.connections;
      sum.trips += stats.trips;
      sum.sent += stats.sent;
      sum.received += stats.received;
    }
    return sum;
  }
}
