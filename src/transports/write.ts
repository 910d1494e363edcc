import type { Writable } from 'node:stream';
import { SessionError } from '../core/session.ts';

/**
 * Writes all of `data` with backpressure. A stream whose channel closed may never call back (ssh2's Channel does
 * not), so the write is raced with `closed`, and then rejects.
 */
export async function raceWrite(stream: Writable, data: string | Buffer, closed: Promise<unknown>): Promise<void> {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data;
  const gone = closed.then(() => 'closed' as const);
  for (let at = 0; at < bytes.length; at += pieceSize) {
    const piece = bytes.subarray(at, at + pieceSize);
    const outcome = await Promise.race([written(stream, piece), gone]);
    if (outcome !== 'written') throw closedError();
  }
}

/** Pieces are small enough for a progress count, and large enough that a round through the loop costs nothing. */
const pieceSize = 256 * 1024;

function written(stream: Writable, piece: Buffer): Promise<'written' | 'failed'> {
  return new Promise((resolve) => {
    if (!stream.writable) return resolve('failed');
    stream.write(piece, (error) => resolve(error ? 'failed' : 'written'));
  });
}

function closedError(): SessionError {
  return new SessionError('lost', 'channel', 'the channel closed while data was sent', { transient: true });
}
