import { SessionError, type Target } from '../../core/session.ts';
import type { Channel, ChannelHandlers, Connection } from '../../remote/transport.ts';
import type { Master } from './master.ts';
import type { MuxClient } from './mux.ts';

/** sshd's MaxSessions is 10 by default; some are left for people. */
const maxChannels = 8;

/** A logged-in ssh as a Connection. ssh watches over silence itself, by ServerAliveInterval. */
export class OpensshConnection implements Connection {
  readonly closed: Promise<Error | undefined>;
  private readonly target: Target;
  private readonly master: Master;
  private readonly mux: MuxClient;
  private open = 0;
  private isClosed = false;

  constructor(target: Target, master: Master, mux: MuxClient) {
    this.target = target;
    this.master = master;
    this.mux = mux;
    // Either without the other is of no use.
    void mux.closed.then(() => master.end());
    this.closed = master.closed.then(() => this.gone());
  }

  async exec(command: string, handlers: ChannelHandlers): Promise<Channel> {
    if (this.isClosed) throw this.lost();
    if (this.open >= maxChannels) throw full();
    this.open++;
    try {
      const channel = await this.mux.exec(command, handlers);
      void channel.closed.then(() => this.open--);
      return channel;
    } catch (error) {
      this.open--;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.mux.end();
    await this.closed;
  }

  lastInbound(): number {
    return this.mux.lastInbound();
  }

  private gone(): Error | undefined {
    const wanted = this.isClosed;
    this.isClosed = true;
    this.mux.end();
    return wanted ? undefined : this.lost();
  }

  private lost(): SessionError {
    const said = this.master.said().trim();
    const why = said && !this.isClosed ? `: ${said.slice(-300)}` : '';
    return new SessionError('lost', 'channel', `the connection to ${this.target.host} is closed${why}`, {
      transient: true,
    });
  }
}

function full(): SessionError {
  const message = `the host gives no further channel on this connection: ${maxChannels} channels are in use`;
  return new SessionError('unreachable', 'channel', message, { transient: true });
}
