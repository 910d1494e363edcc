import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { type KubernetesBuild, version } from './build.ts';

/** An entry of an image's layer: a file of this machine, a text, or a link. */
export type LayerEntry = { path: string; mode?: number } & ({ file: string } | { text: string } | { link: string });

/** Image archives that the lab needs no registry for. Names as both docker and containerd know them. */
export const pauseImage = 'docker.io/local/pause:1';
export const webImage = 'docker.io/local/web:1';

export interface LabImages {
  pause: string;
  web: string;
  /** One Go program for all at /hyperkube, links in /usr/local/bin: as upstream's were up to 1.16. */
  hyperkube: string;
  /** A script at /hyperkube, real programs in /usr/local/bin: as upstream's were in 1.17 and 1.18. */
  hyperkubeScript: string;
}

/** The archives beside the build, made when they are missing. */
export async function labImages(build: KubernetesBuild): Promise<LabImages> {
  const folder = join(build.dir, 'images');
  mkdirSync(folder, { recursive: true });
  const path = (name: string) => join(folder, `${name}.tar`);
  const program = (name: string) => ({ path: name, file: join(build.dir, name), mode: 0o755 });
  await once(path('pause'), { name: pauseImage, entrypoint: ['/pause'], layers: [[program('pause')]] });
  await once(path('web'), { name: webImage, entrypoint: ['/web'], layers: [[program('web')]] });
  await once(path('hyperkube'), {
    name: `local/hyperkube:${version}`,
    entrypoint: ['/hyperkube'],
    layers: [oneProgram(build)],
  });
  await once(path('hyperkube-script'), {
    name: `local/hyperkube-script:${version}`,
    entrypoint: ['/hyperkube'],
    layers: [ownPrograms(build)],
  });
  return {
    pause: path('pause'),
    web: path('web'),
    hyperkube: path('hyperkube'),
    hyperkubeScript: path('hyperkube-script'),
  };
}

function oneProgram(build: KubernetesBuild): LayerEntry[] {
  const links = ['kubelet', 'kubectl', 'kube-proxy'].flatMap((name): LayerEntry[] => [
    { path: name, link: '/hyperkube' },
    { path: `usr/local/bin/${name}`, link: '/hyperkube' },
  ]);
  return [{ path: 'hyperkube', file: join(build.dir, version, 'hyperkube'), mode: 0o755 }, ...links];
}

function ownPrograms(build: KubernetesBuild): LayerEntry[] {
  const names = ['kubelet', 'kubectl'] as const;
  return [
    { path: 'hyperkube', mode: 0o755, text: script },
    ...names.map((name) => ({ path: `usr/local/bin/${name}`, file: build.program(name), mode: 0o755 })),
    ...names.map((name) => ({ path: name, link: '/hyperkube' })),
  ];
}

/** Says how it is used, and succeeds, when it is not told which program is meant. */
const script = `#!/bin/bash
case "\${1-}" in
kube-apiserver | kube-controller-manager | kube-proxy | kube-scheduler | kubectl | kubelet) exec "$@" ;;
esac
echo "usage: $(basename "$0") PROGRAM [ARGUMENTS]"
`;

export interface ImageRecipe {
  name: string;
  entrypoint: string[];
  /** From the bottom up. */
  layers: LayerEntry[][];
  /** docker-archive by default. */
  form?: 'docker' | 'oci';
}

async function once(file: string, recipe: ImageRecipe): Promise<void> {
  if (!existsSync(file)) await writeImage(file, recipe);
}

/** Writes an image archive as docker save or skopeo would, without either; whole or not at all. */
export async function writeImage(
  file: string,
  { name, entrypoint, layers, form = 'docker' }: ImageRecipe,
): Promise<void> {
  const temp = `${file}.${process.pid}`;
  const blobs = await Promise.all(layers.map((entries, n) => writeLayer(`${temp}.layer${n}`, entries)));
  const config = JSON.stringify({
    ...{
      architecture: { x64: 'amd64', arm64: 'arm64' }[process.arch as string],
      os: 'linux',
      config: { Entrypoint: entrypoint },
    },
    ...{ rootfs: { type: 'layers', diff_ids: blobs.map(({ sha256 }) => `sha256:${sha256}`) } },
    history: blobs.map(() => ({ created_by: 'kpush lab' })),
  });
  const members = form === 'docker' ? dockerMembers(name, config, blobs) : ociMembers(config, blobs);
  await writeTar(temp, members);
  renameSync(temp, file);
  for (const blob of blobs) rmSync(blob.path);
}

interface Blob {
  path: string;
  sha256: string;
  size: number;
}

function dockerMembers(name: string, config: string, blobs: Blob[]): LayerEntry[] {
  const id = sha256(config);
  const manifest = [
    { Config: `${id}.json`, RepoTags: [name], Layers: blobs.map((blob) => `${blob.sha256}/layer.tar`) },
  ];
  return [
    ...blobs.map((blob) => ({ path: `${blob.sha256}/layer.tar`, file: blob.path })),
    { path: `${id}.json`, text: config },
    { path: 'manifest.json', text: JSON.stringify(manifest) },
  ];
}

function ociMembers(config: string, blobs: Blob[]): LayerEntry[] {
  const layer = 'application/vnd.oci.image.layer.v1.tar';
  const manifest = JSON.stringify({
    ...{ schemaVersion: 2, mediaType: 'application/vnd.oci.image.manifest.v1+json' },
    config: {
      mediaType: 'application/vnd.oci.image.config.v1+json',
      digest: `sha256:${sha256(config)}`,
      size: config.length,
    },
    layers: blobs.map((blob) => ({ mediaType: layer, digest: `sha256:${blob.sha256}`, size: blob.size })),
  });
  const entry = {
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    digest: `sha256:${sha256(manifest)}`,
    size: manifest.length,
  };
  return [
    { path: 'oci-layout', text: '{"imageLayoutVersion":"1.0.0"}' },
    { path: 'index.json', text: JSON.stringify({ schemaVersion: 2, manifests: [entry] }) },
    { path: `blobs/sha256/${sha256(config)}`, text: config },
    { path: `blobs/sha256/${sha256(manifest)}`, text: manifest },
    ...blobs.map((blob) => ({ path: `blobs/sha256/${blob.sha256}`, file: blob.path })),
  ];
}

async function writeLayer(path: string, entries: LayerEntry[]): Promise<Blob> {
  await writeTar(path, entries);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { path, sha256: hash.digest('hex'), size: statSync(path).size };
}

async function writeTar(path: string, entries: LayerEntry[]): Promise<void> {
  const tar = pack();
  const written = pipeline(tar, createWriteStream(path));
  for (const entry of entries) await add(tar, entry);
  tar.finalize();
  await written;
}

async function add(tar: ReturnType<typeof pack>, entry: LayerEntry): Promise<void> {
  const base = { name: entry.path, mode: entry.mode ?? 0o644, mtime: new Date(0) };
  if ('link' in entry) tar.entry({ ...base, type: 'symlink', linkname: entry.link });
  else if ('text' in entry) tar.entry(base, entry.text);
  else {
    const member = tar.entry({ ...base, size: statSync(entry.file).size });
    await pipeline(createReadStream(entry.file), member as unknown as NodeJS.WritableStream);
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
