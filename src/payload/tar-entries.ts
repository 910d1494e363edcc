import type { Readable } from 'node:stream';
import { extract, type Header } from 'tar-stream';
import { PayloadError } from './problem.ts';

export interface TarEntry {
  header: Header;
  /** To be read before the next entry is asked for; what is left is skipped. */
  content: AsyncIterable<Uint8Array>;
}

/** The members of a tar stream one after another; a broken stream, or one that ends early, throws a PayloadError. */
export async function* tarEntries(stream: Readable): AsyncGenerator<TarEntry> {
  const members = extract();
  stream.on('error', (error) => members.destroy(error));
  stream.pipe(members);
  try {
    for await (const entry of told(members)) {
      yield { header: entry.header, content: told(entry as AsyncIterable<Uint8Array>) };
      entry.resume();
    }
  } finally {
    stream.destroy();
  }
}

async function* told<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    throw new PayloadError(`a tar archive is broken: ${(error as Error).message}`);
  }
}
