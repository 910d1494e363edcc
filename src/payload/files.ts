import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { PayloadFact, PayloadFile } from '../world/payload.ts';
import { store } from './cache.ts';
import { decompressed } from './decompress.ts';
import { PayloadError } from './problem.ts';
import { tarEntries } from './tar-entries.ts';

/** Programs by name: files of a folder, members of a release tarball (any folder in it), or the one file itself. */
export async function readFiles(source: string, names: readonly string[]): Promise<PayloadFact> {
  const there = await stat(source);
  const files = there.isDirectory() ? await fromFolder(source, names) : await fromFile(source, names);
  const missing = names.filter((name) => !(name in files));
  if (missing.length > 0) throw new PayloadError(`${source} does not hold ${missing.join(', ')}`);
  return { files };
}

async function fromFolder(folder: string, names: readonly string[]): Promise<Record<string, PayloadFile>> {
  const files: Record<string, PayloadFile> = {};
  for (const name of names) {
    const path = join(folder, name);
    const there = await stat(path).catch(() => undefined);
    if (there?.isFile()) files[name] = { path, sha256: await hashOf(path), size: there.size };
  }
  return files;
}

async function fromFile(source: string, names: readonly string[]): Promise<Record<string, PayloadFile>> {
  if (/\.(tar|tgz|tar\.gz|tar\.zst)$/.test(source)) return fromTarball(source, names);
  const name = basename(source);
  if (!names.includes(name)) throw new PayloadError(`${source} is neither a folder nor a tarball`);
  return { [name]: { path: source, sha256: await hashOf(source), size: (await stat(source)).size } };
}

async function fromTarball(source: string, names: readonly string[]): Promise<Record<string, PayloadFile>> {
  const files: Record<string, PayloadFile> = {};
  for await (const { header, content } of tarEntries(await decompressed(source))) {
    const name = basename(header.name);
    if (header.type !== 'file' || !names.includes(name) || name in files) continue;
    const { path, sha256, size } = await store(content);
    files[name] = { path, sha256, size };
  }
  return files;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
