import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
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

/** As `openImage`, of parts that lie elsewhere. */
export function openParts(parts: Parts, shown: string): Promise<Image> {
  return ociLayout(parts, shown);
}

/** `shown` names the source in errors. */
export async function openImage(path: string, shown: string): Promise<Image> {
  const parts = (await stat(path)).isDirectory() ? await folderParts(path) : tarParts(path, await membersOf(path));
  if (parts.has('manifest.json')) return dockerArchive(parts, shown);
  if (parts.has('index.json')) return ociLayout(parts, shown);
  throw new PayloadError(
    `${shown} is no image: it has neither manifest.json (docker-archive) nor index.json (OCI layout)`,
  );
}

async function dockerArchive(parts: Parts, shown: string): Promise<Image> {
  const list = parsed(await parts.text('manifest.json'), shown);
  if (!Array.isArray(list) || list.length !== 1)
    throw new PayloadError(`${shown} holds ${Array.isArray(list) ? list.length : 'no'} images; one is expected`);
  const image = fieldsOf(list[0]);
  const names = Array.isArray(image.Layers) ? image.Layers.filter((name) => typeof name === 'string') : [];
  if (typeof image.Config !== 'string' || names.length === 0)
    throw new PayloadError(`manifest.json of ${shown} names no Config or no Layers`);
  const digest = image.Config.replace(/^blobs\/sha256\//, '').replace(/\.json$/, '');
  return { digest, layers: names.map((name) => () => parts.stream(name)) };
}

interface Descriptor {
  /** `ALGORITHM:HEX`. */
  digest: string;
  platform?: { os?: unknown; architecture?: unknown };
}

async function ociLayout(parts: Parts, shown: string): Promise<Image> {
  const manifest = await manifestOf(parts, parsed(await parts.text('index.json'), shown), shown);
  const digest = descriptor(manifest.config, shown).digest.replace(/^sha256:/, '');
  const layers = Array.isArray(manifest.layers) ? manifest.layers.map((layer) => descriptor(layer, shown)) : [];
  return { digest, layers: layers.map((layer) => () => parts.stream(blob(layer))) };
}

/** An index may list manifests of several platforms, or further indexes, but not in a circle. */
async function manifestOf(parts: Parts, index: unknown, shown: string, depth = 0): Promise<Record<string, unknown>> {
  const { manifests } = fieldsOf(index);
  const fit = (Array.isArray(manifests) ? manifests : [])
    .map((one) => descriptor(one, shown))
    .filter(({ platform }) => !platform || (platform.os === 'linux' && platform.architecture === machine));
  const [chosen] = fit;
  if (fit.length !== 1 || !chosen)
    throw new PayloadError(`${shown} holds ${fit.length} images for linux/${machine}; one is expected`);
  const found = fieldsOf(parsed(await parts.text(blob(chosen)), shown));
  if (!Array.isArray(found.manifests)) return found;
  if (depth === deepest) throw new PayloadError(`the index of ${shown} leads through more than ${deepest} others`);
  return manifestOf(parts, found, shown, depth + 1);
}

const deepest = 4;

function parsed(text: string, shown: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PayloadError(`a manifest of ${shown} is no JSON: ${(error as Error).message}`);
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** A digest is also the name of a file, below the folder of the image. */
function descriptor(value: unknown, shown: string): Descriptor {
  const { digest, platform } = fieldsOf(value);
  if (typeof digest !== 'string' || !/^[a-z0-9+._-]+:[0-9a-f]+$/i.test(digest) || digest.startsWith('.'))
    throw new PayloadError(`a manifest of ${shown} names a blob without a digest`);
  return { digest, ...(platform ? { platform: fieldsOf(platform) } : {}) };
}

const machine = { x64: 'amd64', arm64: 'arm64' }[process.arch as string] ?? process.arch;
const blob = ({ digest }: Descriptor) => `blobs/${digest.replace(':', '/')}`;

async function folderParts(path: string): Promise<Parts> {
  const inside = (name: string) => {
    const full = resolve(path, name);
    if (!full.startsWith(`${resolve(path)}/`)) throw new PayloadError(`${path} names ${name}, which leads out of it`);
    return full;
  };
  const present = new Set<string>();
  for (const name of ['manifest.json', 'index.json'])
    if (await stat(join(path, name)).catch(() => undefined)) present.add(name);
  return {
    has: (name) => present.has(name),
    text: (name) => readFile(inside(name), 'utf8'),
    stream: (name) => decompressed(inside(name)),
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
