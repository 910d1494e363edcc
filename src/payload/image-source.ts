import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { decompressed } from './decompress.ts';
import { PayloadError } from './problem.ts';
import { type Members, membersOf } from './tar-members.ts';

/** An image's layers from the bottom up, each a tar stream that can be opened more than once. */
export interface Image {
  digest: string;
  layers: (() => Promise<Readable>)[];
}

/** Where the parts of an image are: a folder, or a tar file read by offsets. */
export interface Parts {
  has(name: string): boolean;
  text(name: string): Promise<string>;
  stream(name: string): Promise<Readable>;
}

/** `shown` names the source in errors. */
/** As `openImage`, of parts that lie elsewhere. */
export function openParts(parts: Parts, shown: string): Promise<Image> {
  return ociLayout(parts, shown);
}

export async function openImage(path: string, shown: string): Promise<Image> {
  const parts = (await stat(path)).isDirectory() ? await folderParts(path) : tarParts(path, await membersOf(path));
  if (parts.has('manifest.json')) return dockerArchive(parts, shown);
  if (parts.has('index.json')) return ociLayout(parts, shown);
  throw new PayloadError(
    `${shown} is no image: it has neither manifest.json (docker-archive) nor index.json (OCI layout)`,
  );
}

async function dockerArchive(parts: Parts, shown: string): Promise<Image> {
  const list = JSON.parse(await parts.text('manifest.json')) as { Config: string; Layers: string[] }[];
  const [image] = list;
  if (list.length !== 1 || !image) throw new PayloadError(`${shown} holds ${list.length} images; one is expected`);
  const digest = image.Config.replace(/^blobs\/sha256\//, '').replace(/\.json$/, '');
  return { digest, layers: image.Layers.map((name) => () => parts.stream(name)) };
}

interface Descriptor {
  mediaType?: string;
  digest: string;
  platform?: { os: string; architecture: string };
}

async function ociLayout(parts: Parts, shown: string): Promise<Image> {
  const manifest = await manifestOf(parts, JSON.parse(await parts.text('index.json')), shown);
  const digest = manifest.config.digest.replace(/^sha256:/, '');
  return { digest, layers: manifest.layers.map((layer) => () => parts.stream(blob(layer))) };
}

/** An index may list manifests of several platforms, or further indexes. */
async function manifestOf(parts: Parts, index: { manifests: Descriptor[] }, shown: string) {
  const fit = index.manifests.filter(
    ({ platform }) => !platform || (platform.os === 'linux' && platform.architecture === machine),
  );
  const [chosen] = fit;
  if (fit.length !== 1 || !chosen)
    throw new PayloadError(`${shown} holds ${fit.length} images for linux/${machine}; one is expected`);
  const found = JSON.parse(await parts.text(blob(chosen)));
  if (Array.isArray(found.manifests)) return manifestOf(parts, found, shown);
  return found as { config: Descriptor; layers: Descriptor[] };
}

const machine = { x64: 'amd64', arm64: 'arm64' }[process.arch as string] ?? process.arch;
const blob = ({ digest }: Descriptor) => `blobs/${digest.replace(':', '/')}`;

async function folderParts(path: string): Promise<Parts> {
  const present = new Set<string>();
  for (const name of ['manifest.json', 'index.json'])
    if (await stat(join(path, name)).catch(() => undefined)) present.add(name);
  return {
    has: (name) => present.has(name),
    text: (name) => readFile(join(path, name), 'utf8'),
    stream: (name) => decompressed(join(path, name)),
  };
}

function tarParts(path: string, members: Members): Parts {
  const place = (name: string) => {
    const member = members.get(name);
    if (!member) throw new PayloadError(`${path} lacks ${name}, which its manifest names`);
    return member;
  };
  return {
    has: (name) => members.has(name),
    text: (name) => textOf(path, place(name)),
    stream: async (name) => decompressed(path, place(name).start, place(name).size),
  };
}

async function textOf(path: string, { start, size }: { start: number; size: number }): Promise<string> {
  if (size > 8 * 1024 * 1024) throw new PayloadError(`a manifest of ${size} bytes in ${path} is not read`);
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(path, { start, end: start + size - 1 })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
