import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { PayloadFact, PayloadQuery } from '../world/payload.ts';
import { readIndex, writeIndex } from './cache.ts';
import { readFiles } from './files.ts';
import { readImage, readRegistryImage } from './image.ts';
import { withPacked } from './pack.ts';
import { PayloadError } from './problem.ts';
import { Registry } from './registry.ts';

/**
 * What a source on this machine holds, as the record of a `payload` fact. A source is read once as long as its size
 * and times stay what they are; what is unpacked of it lies in the user's cache.
 */
export function answerPayload(id: string): Promise<string> {
  let answer = answers.get(id);
  if (!answer) {
    answer = recordOf(JSON.parse(id) as PayloadQuery);
    answers.set(id, answer);
  }
  return answer;
}

/** Hosts of a run ask for the same. */
const answers = new Map<string, Promise<string>>();

async function recordOf(query: PayloadQuery): Promise<string> {
  try {
    return JSON.stringify(
      await factOf(query.kind === 'registry' ? query : { ...query, source: resolve(query.source) }),
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!(error instanceof PayloadError) && code === undefined) throw error;
    const why = code === 'ENOENT' ? `there is no ${query.source} on the controller` : (error as Error).message;
    return JSON.stringify({ problem: why } satisfies PayloadFact);
  }
}

async function factOf(query: PayloadQuery): Promise<PayloadFact> {
  const registry = query.kind === 'registry' ? new Registry(query.source) : undefined;
  const stamp = registry ? [await registry.digest()] : await stampOf(query);
  const key = createHash('sha256')
    .update(JSON.stringify(['packed', query, stamp]))
    .digest('hex');
  const known = await readIndex(key);
  if (known) return known;
  const fact = await withPacked(await read(query, registry));
  await writeIndex(key, fact);
  return fact;
}

function read({ kind, source, names }: PayloadQuery, registry: Registry | undefined): Promise<PayloadFact> {
  if (registry) return readRegistryImage(registry, source);
  return kind === 'image' ? readImage(source) : readFiles(source, names);
}

/** Of the source, and of the files themselves where it is a folder. */
async function stampOf({ source, names }: PayloadQuery): Promise<string[]> {
  const own = await stat(source, { bigint: true });
  const paths = own.isDirectory() ? names.map((name) => `${source}/${name}`) : [];
  const below = await Promise.all(paths.map((path) => stat(path, { bigint: true }).catch(() => undefined)));
  return [own, ...below].map((one) => (one ? `${one.dev} ${one.ino} ${one.size} ${one.mtimeNs} ${one.ctimeNs}` : '-'));
}
