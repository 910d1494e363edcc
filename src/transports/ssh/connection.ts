import type { ClientChannel } from 'ssh2';
import { SessionError, type Target } from '../../core/session.ts';
import { ms, wait } from '../../core/waits.ts';
import type { Channel, ChannelEnd, ChannelHandlers, Connection } from '../../remote/transport.ts';
import { writer } from '../write.ts';
import type { Dialled } from './dial.ts';

/** sshd's MaxSessions is 10 by default; some are left for people. */
const maxChannels = 8;

/** After `exit` the channel may stay open for as long as a child of the command holds its output. */
const exitGrace = () => ms(wait('exit').deadline);

/** A ready ssh2 client as a Connection, with its own watch over inbound silence. */
export class SshConnection implements Connection {
  readonly closed: Promise<Error | undefined>;
  private readonly dialled: Dialled;
  private readonly target: Target;
  private readonly after: () => void;
  /** By the clock that nobody sets. */
  private inbound = performance.now();
  private open = 0;
  private isClosed = false;
  private reason: Error | undefined;
  private readonly timer: NodeJS.Timeout;

  /** `after` runs once the connection is gone: it lets go of a jump host. */
  constructor(dialled: Dialled, target: Target, after: () => void) {
    this.dialled = dialled;
    this.target = target;
    this.after = after;
    dialled.socket.on('data', () => {
      this.inbound = performance.now();
    });
    this.timer = setInterval(() => this.watch(), ms(wait('watch').interval));
    this.timer.unref();
    this.closed = dialled.closed.then(() => this.gone());
  }

  async exec(command: string, handlers: ChannelHandlers): Promise<Channel> {
    if (this.isClosed) throw this.lost();
    if (this.open >= maxChannels) throw refused(`${maxChannels} channels are in use`);
    this.open++;
    try {
      return this.wrap(await this.openChannel(command), handlers);
    } catch (error) {
      this.open--;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.dialled.client.end();
    // end() waits for the peer; a dead one never says goodbye.
    const force = setTimeout(() => this.dialled.client.destroy(), exitGrace());
    await this.closed;
    clearTimeout(force);
  }

  lastInbound(): number {
    return Date.now() - (performance.now() - this.inbound);
  }

  private openChannel(command: string): Promise<ClientChannel> {
    return new Promise((resolve, reject) => {
      const gone = () => reject(this.lost());
      this.dialled.client.once('close', gone);
      try {
        this.dialled.client.exec(command, (error, channel) => {
          this.dialled.client.off('close', gone);
          if (error) reject(openError(error));
          else resolve(channel);
        });
      } catch {
        // exec throws "Not connected" by itself when the socket is gone.
        reject(this.lost());
      }
    });
  }

  private wrap(channel: ClientChannel, handlers: ChannelHandlers): Channel {
    channel.on('data', handlers.onStdout);
    channel.stderr.on('data', handlers.onStderr);
    channel.on('error', () => {}); // the verdict is that of close
    let dropped = false;
    // What sshd may still say of a channel that we dropped is no verdict: its input was cut.
    const closed = channelEnd(channel).then((said) => {
      const end = dropped ? { lost: true } : said;
      return end.lost && this.reason ? { ...end, why: this.reason.message } : end;
    });
    void closed.then(() => this.open--);
    return {
      write: writer(channel, closed),
      end: () => channel.end(),
      close: () => {
        dropped = true;
        channel.close();
      },
      closed,
    };
  }

  private watch() {
    const { keepaliveInterval, keepaliveCount } = this.target;
    if (keepaliveInterval <= 0) return;
    const limit = keepaliveInterval * Math.max(1, keepaliveCount) * 1000;
    if (performance.now() - this.inbound < limit + keepaliveInterval * 1000) return;
    this.reason = new SessionError('lost', 'trip', `nothing came from ${this.target.host} for ${limit / 1000} s`, {
      transient: true,
    });
    this.dialled.client.destroy();
    this.dialled.socket.destroy();
  }

  private gone(): Error | undefined {
    clearInterval(this.timer);
    const wanted = this.isClosed;
    this.isClosed = true;
    this.after();
    return wanted ? undefined : (this.reason ?? this.lost());
  }

  private lost(): SessionError {
    return new SessionError('lost', 'channel', `the connection to ${this.target.host} is closed`, { transient: true });
  }
}

/** "Finished" is the close event: exit may come before the last data. A close without code is a lost link. */
function channelEnd(channel: ClientChannel): Promise<ChannelEnd> {
  return new Promise((resolve) => {
    let grace: NodeJS.Timeout | undefined;
    let exited: ChannelEnd | undefined;
    channel.once('exit', (code: number | null, signal?: string) => {
      exited = end(code, signal);
      grace = setTimeout(() => channel.close(), exitGrace());
    });
    channel.once('close', (code?: number | null, signal?: string) => {
      clearTimeout(grace);
      resolve(exited ?? end(code, signal));
    });
  });
}

function end(code: number | null | undefined, signal: string | undefined): ChannelEnd {
  if (signal) return { signal, lost: false };
  return typeof code === 'number' ? { code, lost: false } : { lost: true };
}

function openError(error: Error & { reason?: number }): SessionError {
  // Reason 2 is "connect failed": sshd's answer when MaxSessions is reached.
  if (error.reason === 2) return refused('MaxSessions is reached');
  return new SessionError('lost', 'channel', `no channel: ${error.message}`, { transient: true, cause: error });
}

function refused(why: string): SessionError {
  return new SessionError('unreachable', 'channel', `the host gives no further channel on this connection: ${why}`, {
    transient: true,
  });
}
