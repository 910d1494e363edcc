import { SessionError, type Target } from '../core/session.ts';
import type { Exec } from './shell.ts';
import type { Channel, Connection, Transport } from './transport.ts';

/**
 * The connections to one host: one, and a further one only where the host gives no further channel on those there
 * are (MaxSessions may be 1).
 */
export class Connections {
  private readonly target: Target;
  private readonly transport: Transport;
  private readonly onConnect: () => void;
  private readonly open: Promise<Connection>[] = [];
  private closed = false;
  /** Milliseconds of one, at most: half of the shortest time in which a channel was opened and took a command. */
  roundTrip = 0;
  /** Dialled ahead, and not used yet: if it failed, that is told once, to the first who wants it. */
  private warmed: Promise<Connection> | undefined;

  constructor(target: Target, transport: Transport, onConnect: () => void) {
    this.target = target;
    this.transport = transport;
    this.onConnect = onConnect;
  }

  /** Connects ahead of the first `exec`. */
  warm(signal?: AbortSignal): void {
    if (this.closed || this.open.length > 0 || this.warmed) return;
    this.warmed = this.dial(signal);
    this.warmed.catch(() => {});
  }

  /**
   * Connects if need be; the result opens channels. `further`: by a further connection where there is no other way, else
   * it rejects.
   */
  async exec(signal?: AbortSignal, further = true): Promise<Exec> {
    if (this.closed) throw new SessionError('aborted', 'connect', 'the session is closed');
    const { warmed } = this;
    this.warmed = undefined;
    await (warmed ?? this.open[0] ?? this.dial(signal));
    return async (command, handlers) => {
      for (const connection of [...this.open]) {
        try {
          return await this.timed((await connection).exec(command, handlers));
        } catch (error) {
          if (!further || !isFull(error)) throw error;
        }
      }
      return (await this.dial(signal)).exec(command, handlers);
    };
  }

  async reset(): Promise<void> {
    this.warmed = undefined;
    const all = this.open.splice(0);
    await Promise.all(all.map(async (connection) => (await connection.catch(() => undefined))?.close()));
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.reset();
  }

  private async timed(opening: Promise<Channel>): Promise<Channel> {
    const start = performance.now();
    const channel = await opening;
    this.roundTrip = Math.min(this.roundTrip || Number.POSITIVE_INFINITY, (performance.now() - start) / 2);
    return channel;
  }

  private dial(signal?: AbortSignal): Promise<Connection> {
    const dialled = this.transport.connect(this.target, signal);
    this.open.push(dialled);
    const forget = () => {
      const at = this.open.indexOf(dialled);
      if (at >= 0) this.open.splice(at, 1);
    };
    dialled.then((connection) => {
      this.onConnect();
      void connection.closed.then(forget);
    }, forget);
    return dialled;
  }
}

function isFull(error: unknown): boolean {
  return error instanceof SessionError && error.kind === 'unreachable' && error.phase === 'channel';
}
