import { type ChildProcess, spawn } from 'node:child_process';
import { SessionError, type Target } from '../core/session.ts';
import type { Channel, ChannelEnd, ChannelHandlers, Connection, Transport } from '../remote/transport.ts';
import { writer } from './write.ts';

/** The controller's own machine, by the same interface: each channel is a `sh -c` in a session of its own. */
export const localTransport: Transport = {
  connect: async (target) => new LocalConnection(target),
};

class LocalConnection implements Connection {
  readonly closed: Promise<Error | undefined>;
  private readonly channels = new Set<Channel>();
  private readonly shell: string;
  private inbound = Date.now();
  private resolveClosed: (error?: Error) => void = () => {};
  private isClosed = false;

  constructor(target: Target) {
    this.shell = target.shell || '/bin/sh';
    this.closed = new Promise((resolve) => {
      this.resolveClosed = resolve;
    });
  }

  async exec(command: string, handlers: ChannelHandlers): Promise<Channel> {
    if (this.isClosed) throw new SessionError('lost', 'channel', 'the connection is closed', { transient: true });
    // detached: a session of its own, as sshd gives, so that ending its group never ends kpush.
    const child = spawn(this.shell, ['-c', command], { detached: true, stdio: 'pipe' });
    await started(child, this.shell);
    const channel = localChannel(child, handlers, () => {
      this.inbound = Date.now();
    });
    this.channels.add(channel);
    void channel.closed.then(() => this.channels.delete(channel));
    return channel;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const channel of this.channels) channel.close();
    this.resolveClosed();
  }

  lastInbound(): number {
    return this.inbound;
  }
}

function started(child: ChildProcess, shell: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) =>
      reject(new SessionError('unreachable', 'channel', `cannot start ${shell}: ${cause.message}`, { cause })),
    );
  });
}

function localChannel(child: ChildProcess, handlers: ChannelHandlers, onData: () => void): Channel {
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error('spawned without pipes');
  let dropped = false;
  const closed = new Promise<ChannelEnd>((resolve) => {
    child.once('close', (code, signal) => resolve(end(code, signal, dropped)));
  });
  for (const [stream, handle] of [
    [stdout, handlers.onStdout],
    [stderr, handlers.onStderr],
  ] as const)
    stream.on('data', (chunk: Buffer) => {
      onData();
      handle(chunk);
    });
  stdin.on('error', () => {}); // EPIPE: the write that met it rejects, `closed` has the verdict
  return {
    write: writer(stdin, closed),
    end: () => stdin.end(),
    close: () => {
      dropped = true;
      for (const stream of [stdin, stdout, stderr]) stream.destroy();
    },
    closed,
  };
}

function end(code: number | null, signal: string | null, dropped: boolean): ChannelEnd {
  if (dropped) return { lost: true };
  return signal ? { signal, lost: false } : { code: code ?? 0, lost: false };
}
