import { createServer, connect as dial, type Server, type Socket } from 'node:net';

/** What one connection through the proxy carried. */
export interface Carried {
  /** How often the client had something to say: round trips, those of key exchange and login included. */
  turns: number;
  sent: number;
  received: number;
}

/**
 * A TCP proxy on a port of 127.0.0.1 that counts round trips, outside of whoever is measured. What both sides say is
 * held until the line has been quiet for a while and then passed on at once: however the bytes were cut and whoever
 * was faster, all that the client says before it hears something new is one turn.
 */
export class CountingProxy {
  private readonly carried: Carried[] = [];
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly address: string,
    private readonly quietMs: number,
  ) {
    this.server = createServer({ allowHalfOpen: true }, (client) => this.join(client));
  }

  static async to(address: string, quietMs = 60): Promise<CountingProxy> {
    const proxy = new CountingProxy(address, quietMs);
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as { port: number }).port;
  }

  /** What was carried since the last call, one entry a connection. */
  take(): Carried[] {
    return this.carried.splice(0);
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket) {
    const carried: Carried = { turns: 0, sent: 0, received: 0 };
    this.carried.push(carried);
    const line = new Line(client, dial({ host: this.address, port: 22, allowHalfOpen: true }), carried, this.quietMs);
    for (const socket of line.sockets) {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    }
  }
}

/** One connection: two ways, passed on together. */
class Line {
  readonly sockets: Socket[];
  private readonly ways: Way[];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    client: Socket,
    host: Socket,
    private readonly carried: Carried,
    private readonly quietMs: number,
  ) {
    this.sockets = [client, host];
    this.ways = [new Way(client, host, () => this.wait()), new Way(host, client, () => this.wait())];
  }

  private wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), this.quietMs);
  }

  private flush() {
    const [sent, received] = this.ways.map((way) => way.flush());
    if (sent! > 0) this.carried.turns++;
    this.carried.sent += sent!;
    this.carried.received += received!;
  }
}

class Way {
  private held: Buffer[] = [];
  private ended = false;

  constructor(
    from: Socket,
    private readonly to: Socket,
    heard: () => void,
  ) {
    from.setNoDelay();
    from.on('data', (data: Buffer) => {
      this.held.push(data);
      heard();
    });
    from.on('close', () => {
      this.ended = true;
      heard();
    });
    from.on('end', () => {
      this.ended = true;
      heard();
    });
    from.on('error', () => to.destroy());
  }

  /** Passes on what was held; its size. */
  flush(): number {
    const data = Buffer.concat(this.held.splice(0));
    if (data.length > 0 && this.to.writable) this.to.write(data);
    if (this.ended) this.to.end();
    return data.length;
  }
}
