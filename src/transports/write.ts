import type { Writable } from 'node:stream';
import { SessionError } from '../core/session.ts';

/** Pieces are small enough for a progress count, and large enough that a round through the loop costs nothing. */
const pieceSize = 256 * 1024;

/**
 * Writes all of what it is given with backpressure. A stream whose channel closed may never call back (ssh2's Channel
 * does not), so every write ends with `closed`, and then rejects. That is waited for once, not by each write: what waits
 * for a promise is kept for as long as the promise, and signs of life are sent for as long as a host is connected.
 */
export function writer(stream: Writable, closed: Promise<unknown>): (data: string | Buffer) => Promise<void> {
  const writes = new Writes(stream, closed);
  return async (data) => {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data;
    for (let at = 0; at < bytes.length; at += pieceSize)
      if (!(await writes.write(bytes.subarray(at, at + pieceSize)))) throw closedError();
  };
}

/** The writes of one stream that were not called back yet. */
class Writes {
  private readonly stream: Writable;
  private readonly pending = new Set<(isWritten: boolean) => void>();
  private isClosed = false;

  constructor(stream: Writable, closed: Promise<unknown>) {
    this.stream = stream;
    const end = () => {
      this.isClosed = true;
      for (const resolve of this.pending) resolve(false);
    };
    closed.then(end, end);
  }

  /** Whether it was written. */
  write(piece: Buffer): Promise<boolean> {
    return new Promise((resolve) => {
      if (this.isClosed || !this.stream.writable) return resolve(false);
      this.pending.add(resolve);
      this.stream.write(piece, (error) => {
        this.pending.delete(resolve);
        resolve(!error);
      });
    });
  }
}

function closedError(): SessionError {
  return new SessionError('lost', 'channel', 'the channel closed while data was sent', { transient: true });
}
