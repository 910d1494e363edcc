import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Decompress } from 'fzstd';

/** A file, or `length` bytes of it from `start`, with gzip or zstd taken off; which one it is, its first bytes say. */
export async function decompressed(path: string, start = 0, length?: number): Promise<Readable> {
  const first = await firstBytes(path, start);
  const raw = createReadStream(path, { start, ...(length === undefined ? {} : { end: start + length - 1 }) });
  if (first.subarray(0, 2).equals(gzip)) return chained(raw, createGunzip());
  if (first.equals(zstd)) return chained(raw, zstdStream());
  return raw;
}

const gzip = Buffer.from([0x1f, 0x8b]);
const zstd = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Whether a file begins as a compressed one does. */
export async function isCompressed(path: string): Promise<boolean> {
  const first = await firstBytes(path, 0);
  return first.subarray(0, 2).equals(gzip) || first.equals(zstd);
}

async function firstBytes(path: string, start: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, start);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** pipe() does not hand errors on. */
function chained<T extends Transform>(raw: Readable, next: T): T {
  raw.on('error', (error) => next.destroy(error));
  return raw.pipe(next);
}

/** Node 20 has no zstd of its own. */
function zstdStream(): Transform {
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      attempt(done, () => decoder.push(chunk));
    },
    flush(done) {
      attempt(done, () => decoder.push(new Uint8Array(0), true));
    },
  });
  const decoder = new Decompress((chunk) => stream.push(Buffer.from(chunk)));
  return stream;
}

function attempt(done: (error?: Error) => void, work: () => void): void {
  try {
    work();
    done();
  } catch (error) {
    done(error as Error);
  }
}
