import { createHash, randomBytes } from 'node:crypto';
import { access, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { PayloadFact, PayloadFile } from '../world/payload.ts';
import { PayloadError } from './problem.ts';

/** Files that were unpacked, by content, and what was found in which source; all of it can be made again. */
export const cacheFolder = () => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kpush', 'payload');

/** What was found under this key, if all its files are still there. */
export async function readIndex(key: string): Promise<PayloadFact | undefined> {
  try {
    const fact = JSON.parse(await readFile(indexPath(key), 'utf8')) as PayloadFact;
    const all = Object.values(fact.files ?? {}).flatMap((file) => (file.packed ? [file, file.packed] : [file]));
    for (const { path, size } of all) if ((await stat(path)).size !== size) return undefined;
    return fact;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export async function writeIndex(key: string, fact: PayloadFact): Promise<void> {
  await mkdir(join(cacheFolder(), 'index'), { recursive: true });
  const temp = `${indexPath(key)}.${randomBytes(4).toString('hex')}`;
  await writeFile(temp, JSON.stringify(fact));
  await rename(temp, indexPath(key));
}

/** No layer or program is larger; what is, does not fill the disk. */
const largest = 16 * 1024 ** 3;

/** Keeps content as a file named by its hash; `head` is its first bytes. Throws for more than `largest` bytes. */
export async function store(content: AsyncIterable<Uint8Array>): Promise<PayloadFile & { head: Buffer }> {
  await mkdir(join(cacheFolder(), 'blobs'), { recursive: true });
  const temp = join(cacheFolder(), 'blobs', `.${randomBytes(6).toString('hex')}`);
  try {
    const { sha256, size, head } = await written(temp, content);
    const path = join(cacheFolder(), 'blobs', sha256);
    if (await exists(path)) await rm(temp);
    else await rename(temp, path);
    return { path, sha256, size, head };
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  }
}

async function written(path: string, content: AsyncIterable<Uint8Array>) {
  const file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let size = 0;
  let head = Buffer.alloc(0);
  try {
    for await (const chunk of content) {
      if (head.length < 4) head = Buffer.concat([head, chunk.subarray(0, 4)]);
      hash.update(chunk);
      size += chunk.length;
      if (size > largest) throw new PayloadError(`it holds a file of more than ${largest} bytes`);
      await file.write(chunk);
    }
  } finally {
    await file.close();
  }
  return { sha256: hash.digest('hex'), size, head: head.subarray(0, 4) };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

const indexPath = (key: string) => join(cacheFolder(), 'index', `${key}.json`);
