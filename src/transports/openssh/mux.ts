import { connect, type Socket } from 'node:net';
import { SessionError } from '../../core/session.ts';
import type { Channel, ChannelHandlers } from '../../remote/transport.ts';
import { MuxChannel } from './mux-channel.ts';
import { control, Mux, Reader, Splitter } from './mux-wire.ts';

/** The control socket of a running `ssh -M`: all channels of one connection, without a process for each. */
export class MuxClient {
  /** Resolves when the socket is gone. */
  readonly closed: Promise<void>;
  private readonly socket: Socket;
  private readonly channels = new Map<number, MuxChannel>();
  private next = 0;
  private inbound = performance.now();
  private agreed: { resolve: () => void; reject: (error: Error) => void } | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    const splitter = new Splitter((message) => this.take(message));
    socket.on('data', (chunk) => {
      this.inbound = performance.now();
      splitter.push(chunk);
    });
    socket.on('error', () => {}); // the verdict is that of close
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.lose();
        resolve();
      });
    });
  }

  /** Rejects when nobody listens there, or the ssh is too old for it. */
  static async open(path: string): Promise<MuxClient> {
    const client = new MuxClient(await connected(path));
    await client.agree();
    return client;
  }

  async exec(command: string, handlers: ChannelHandlers): Promise<Channel> {
    if (this.socket.destroyed) throw lost();
    const id = this.next++;
    const channel = new MuxChannel(id, (message) => this.send(message), handlers);
    this.channels.set(id, channel);
    void channel.closed.then(() => this.channels.delete(id)); // what may still come for it means nothing
    try {
      await channel.start(command);
    } catch (error) {
      if (!this.socket.destroyed) channel.close();
      throw error;
    }
    return channel;
  }

  lastInbound(): number {
    return Date.now() - (performance.now() - this.inbound);
  }

  end(): void {
    this.socket.destroy();
  }

  private agree(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.agreed = { resolve, reject };
      void this.send(control(Mux.hello, Mux.version)).catch(reject);
      void this.send(control(Mux.proxy, 0)).catch(reject);
    });
  }

  private take(message: Buffer) {
    const reader = new Reader(message);
    if (this.agreed) return this.answer(reader);
    reader.byte(); // padding, always none
    const type = reader.byte();
    // Below are messages about the whole connection, which ask nothing of us.
    if (type < 90) return;
    this.channels.get(reader.uint32())?.take(type, reader);
  }

  /** Before there are channels: its hello, then its yes. */
  private answer(reader: Reader) {
    const type = reader.uint32();
    if (type === Mux.hello) return;
    if (type === Mux.proxyReply) this.agreed?.resolve();
    else
      this.agreed?.reject(new SessionError('protocol', 'channel', 'this ssh has no proxy mode: it is older than 7.4'));
    this.agreed = undefined;
  }

  private send(message: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.socket.destroyed) return reject(lost());
      this.socket.write(message, (error) => (error ? reject(lost()) : resolve()));
    });
  }

  private lose() {
    this.agreed?.reject(lost());
    for (const channel of this.channels.values()) channel.lose(lost());
    this.channels.clear();
  }
}

function connected(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

function lost(): SessionError {
  return new SessionError('lost', 'channel', 'the connection is closed', { transient: true });
}
