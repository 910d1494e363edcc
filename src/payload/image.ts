import { open, rm } from 'node:fs/promises';
import type { PayloadFact, PayloadFile } from '../world/payload.ts';
import { store } from './cache.ts';
import { decompressed, isCompressed } from './decompress.ts';
import { type Image, openImage, openParts } from './image-source.ts';
import { type Found, LayerSearch } from './layer-search.ts';
import { PayloadError } from './problem.ts';
import type { Registry } from './registry.ts';

/**
 * kubelet and kubectl out of a hyperkube image (docker-archive or OCI layout; a folder or a tar file). How they lie in
 * it is judged by what is there: real binaries in /usr/local/bin, or one Go binary that acts by its name, at /hyperkube
 * or linked to it. A script is never taken for a kubelet.
 */
export async function readImage(source: string): Promise<PayloadFact> {
  const plain = await uncompressed(source);
  try {
    return await searched(await openImage(plain.path, source), source);
  } finally {
    await plain.remove();
  }
}

/** The same out of an image of a registry; its layers come one by one, from the top, as far as they are needed. */
export async function readRegistryImage(registry: Registry, source: string): Promise<PayloadFact> {
  return searched(await openParts(registry, source), source);
}

async function searched(image: Image, source: string): Promise<PayloadFact> {
  const search = new LayerSearch(['usr/local/bin/kubelet', 'usr/local/bin/kubectl', 'hyperkube']);
  await search.run(image.layers);
  return { ...(await judged(search, source)), digest: image.digest };
}

async function judged(search: LayerSearch, source: string): Promise<PayloadFact> {
  const [kubelet, kubectl] = [search.find('usr/local/bin/kubelet'), search.find('usr/local/bin/kubectl')];
  const hyperkube = search.find('hyperkube');
  if (isBinary(kubelet) && isBinary(kubectl)) {
    const layout = kubelet.file.sha256 === kubectl.file.sha256 ? 'hyperkube' : 'binaries';
    return { layout, files: { kubelet: kubelet.file, kubectl: kubectl.file } };
  }
  if (isBinary(hyperkube)) return { layout: 'hyperkube', files: { kubelet: hyperkube.file, kubectl: hyperkube.file } };
  throw new PayloadError(
    hyperkube || kubelet
      ? scriptOnly(source)
      : `${source} holds no hyperkube: neither /usr/local/bin/kubelet nor /hyperkube`,
  );
}

function scriptOnly(source: string): string {
  return `${source} holds a script where a kubelet is looked for, and no binaries in /usr/local/bin`;
}

function isBinary(found: Found | undefined): found is { file: PayloadFile; elf: true } {
  return found?.elf === true;
}

/** Layers of a tar file are read in another order than they are written: a compressed one is unpacked first. */
async function uncompressed(source: string): Promise<{ path: string; remove(): Promise<void> }> {
  const file = await open(source);
  const folder = (await file.stat()).isDirectory();
  await file.close();
  if (folder || !(await isCompressed(source))) return { path: source, remove: async () => {} };
  const { path } = await store(await decompressed(source));
  return { path, remove: () => rm(path, { force: true }) };
}
