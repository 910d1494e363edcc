import type { Readable } from 'node:stream';
import { extract, type Header } from 'tar-stream';

export interface TarEntry {
  header: Header;
  /** To be read before the next entry is asked for; what is left is skipped. */
  content: AsyncIterable<Uint8Array>;
}

/** The members of a tar stream one after another; a broken stream, or one that ends early, throws. */
export async function* tarEntries(stream: Readable): AsyncGenerator<TarEntry> {
  const members = extract();
  stream.on('error', (error) => members.destroy(error));
  stream.pipe(members);
  try {
    for await (const entry of members) {
      yield { header: entry.header, content: entry as AsyncIterable<Uint8Array> };
      entry.resume();
    }
  } finally {
    stream.destroy();
  }
}
