import type { FileHandle } from 'node:fs/promises';
import { type Blob, SessionError } from '../core/session.ts';
import type { Pace } from './pace.ts';

/** What one channel brings at once: blocks of a size in bytes, from a place in the file. */
export interface Chunk {
  index: number;
  at: number;
  blocks: number;
  size: number;
}

type Write = (bytes: Buffer) => Promise<void>;

/** A file that several channels bring, dealt out from front to back. */
export class Chunks {
  /** What was dealt out, to whomever. */
  readonly dealt: Chunk[] = [];
  private readonly file: FileHandle;
  private readonly blob: Blob;
  private readonly pace: Pace;
  private at: number;

  /** `file`: the blob's source; `start`: what comes before is there already. */
  constructor(file: FileHandle, blob: Blob, start: number, pace: Pace) {
    this.file = file;
    this.blob = blob;
    this.at = start;
    this.pace = pace;
  }

  /** Whether the host has time for other work meanwhile. */
  get leavesTime(): boolean {
    return this.pace.leavesTime;
  }

  /** The next one, for whoever has nothing to bring. */
  next(): Chunk | undefined {
    const rest = this.blob.size - this.at;
    if (rest === 0) return undefined;
    const chunk = { index: this.dealt.length, at: this.at, ...this.pace.next(rest) };
    this.dealt.push(chunk);
    this.at += chunk.blocks * chunk.size;
    return chunk;
  }

  /** Nothing, for who can bring nothing. */
  none(): Chunks {
    return new Chunks(this.file, this.blob, this.blob.size, this.pace);
  }

  /** Brings the bytes of a chunk; `buffer` holds them meanwhile. Throws when there are fewer. */
  async bring({ at, blocks, size }: Chunk, write: Write, buffer: Buffer): Promise<void> {
    const end = at + blocks * size;
    for (let from = at; from < end; ) {
      const { bytesRead } = await this.file.read(buffer, 0, Math.min(buffer.length, end - from), from);
      if (bytesRead === 0) throw changed(this.blob);
      await write(buffer.subarray(0, bytesRead));
      from += bytesRead;
    }
  }
}

/** The channel that makes the file whole: it brings chunks itself, and is told of those that came by others, in order. */
export async function feedFirst(chunks: Chunks, write: Write): Promise<void> {
  const buffer = newBuffer();
  let told = 0;
  for (;;) {
    const own = chunks.next();
    for (const other of chunks.dealt.slice(told, own?.index))
      await write(line(0, other.blocks * other.size, other.index));
    if (!own) return;
    told = own.index + 1;
    await write(line(own.blocks, own.size, chunks.leavesTime ? 1 : 0));
    await chunks.bring(own, write, buffer);
  }
}

/** A channel that brings chunks ahead of their turn. */
export async function feedAhead(chunks: Chunks, write: Write): Promise<void> {
  const buffer = newBuffer();
  for (let own = chunks.next(); own; own = chunks.next()) {
    await write(line(own.blocks, own.size, own.index));
    await chunks.bring(own, write, buffer);
    // Only what is followed by a line is whole.
    await write(line(own.index));
  }
  await write(line(0, 0, 0));
}

/** Not of Node's pool, and used again and again: what is read anew for each piece costs a third of sending it. */
const newBuffer = () => Buffer.allocUnsafeSlow(1024 * 1024);

function line(...numbers: number[]): Buffer {
  return Buffer.from(`${numbers.join(' ')}\n`);
}

export function changed(blob: Blob): SessionError {
  return new SessionError(
    'protocol',
    'stage',
    `${blob.source} changed while it was sent: its size is not ${blob.size}`,
  );
}
