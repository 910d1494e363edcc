import type { Target } from '../core/session.ts';

/** A way to reach a host. Errors are SessionError with the phase that failed (dns, tcp, kex, host-key, auth, channel). */
export interface Transport {
  connect(target: Target, signal?: AbortSignal): Promise<Connection>;
}

/** One authenticated connection to a host; it carries many channels. */
export interface Connection {
  /** Starts `command` with the login shell. Rejects when the host refuses a channel or the connection is gone. */
  exec(command: string, handlers: ChannelHandlers): Promise<Channel>;
  /** Ends every channel and the connection; never rejects, never hangs. */
  close(): Promise<void>;
  /** Milliseconds since the epoch at which the last byte came in. */
  lastInbound(): number;
  /** Resolves when the connection is gone, with the reason if it was not asked for. */
  readonly closed: Promise<Error | undefined>;
}

export interface ChannelHandlers {
  onStdout(chunk: Buffer): void;
  onStderr(chunk: Buffer): void;
}

/** One remote command. Its output is always consumed, so it never stalls on us. */
export interface Channel {
  /** Resolves when the data was taken over by the transport; rejects when the channel closed before. */
  write(data: string | Buffer): Promise<void>;
  /** End of input. */
  end(): void;
  /** Drops the channel. What runs on the host is told by its end of input alone. */
  close(): void;
  readonly closed: Promise<ChannelEnd>;
}

export interface ChannelEnd {
  code?: number;
  signal?: string;
  /** The link went away or we closed it: there is no verdict about the command. */
  lost: boolean;
  /** Why it went away, where that is known. */
  why?: string;
}
