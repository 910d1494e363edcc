import { createReadStream } from 'node:fs';
import { createGzip } from 'node:zlib';
import type { PayloadFact, PayloadFile } from '../world/payload.ts';
import { store } from './cache.ts';

/** Below this a file is sent as it is. */
const worthIt = 64 * 1024;

/** With each large file as gzip packs it: what travels to hosts. Names that share a file share its pack. */
export async function withPacked(fact: PayloadFact): Promise<PayloadFact> {
  if (!fact.files) return fact;
  const packs = new Map<string, Promise<PayloadFile>>();
  const pack = (path: string) => {
    const known = packs.get(path) ?? packOf(path);
    packs.set(path, known);
    return known;
  };
  const entries = Object.entries(fact.files).map(async ([name, file]) => {
    if (file.size < worthIt) return [name, file] as const;
    return [name, { ...file, packed: await pack(file.path) }] as const;
  });
  return { ...fact, files: Object.fromEntries(await Promise.all(entries)) };
}

async function packOf(path: string): Promise<PayloadFile> {
  const { head: _, ...file } = await store(createReadStream(path).pipe(createGzip()));
  return file;
}
