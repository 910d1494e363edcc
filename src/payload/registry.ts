import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type ImageReference, imageReference } from '../core/image-reference.ts';
import { ms, wait } from '../core/waits.ts';
import { store } from './cache.ts';
import { decompressed } from './decompress.ts';
import type { Parts } from './image-source.ts';
import { PayloadError } from './problem.ts';

const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** Registries take none of more than 4 MiB. */
const largestManifest = 8 * 1024 * 1024;

/** Tries of one request that may pass the next time. */
const tries = 5;

/** An image of a registry, read as if it were an OCI layout: manifests when asked for, layers when they are opened. */
export class Registry implements Parts {
  private readonly reference: ImageReference;
  private readonly base: string;
  private token: string | undefined;

  constructor(private readonly source: string) {
    const reference = imageReference(source);
    if (!reference) throw new PayloadError(`${source} is no image of a registry`);
    this.reference = reference;
    const host = reference.registry === 'docker.io' ? 'registry-1.docker.io' : reference.registry;
    const scheme = /^(localhost|127\.0\.0\.1)(:|$)/.test(host) ? 'http' : 'https';
    this.base = `${scheme}://${host}/v2/${reference.name}`;
  }

  /** What the reference stands for now; asked of the registry unless it says so itself. */
  async digest(): Promise<string> {
    if (this.reference.digest) return this.reference.digest;
    return digestOf(await this.manifest(this.reference.tag ?? 'latest'));
  }

  has(name: string): boolean {
    return name === 'index.json';
  }

  async text(name: string): Promise<string> {
    if (name === 'index.json') return JSON.stringify({ manifests: [{ digest: await this.digest() }] });
    const digest = digestIn(name);
    const text = await this.manifest(digest);
    if (digestOf(text) !== digest) throw new PayloadError(`${this.source}: the manifest ${digest} is another`);
    return text;
  }

  async stream(name: string) {
    const digest = digestIn(name);
    const { body } = await this.get(`${this.base}/blobs/${digest}`, {});
    const { path, sha256 } = await store(body as unknown as AsyncIterable<Uint8Array>);
    if (`sha256:${sha256}` !== digest) throw new PayloadError(`${this.source}: the layer ${digest} came as another`);
    return decompressed(path);
  }

  private async manifest(reference: string): Promise<string> {
    const { body } = await this.get(`${this.base}/manifests/${reference}`, { Accept: manifestTypes });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > largestManifest) throw new PayloadError(`a manifest of ${this.source} is larger than any`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  private async get(url: string, headers: Record<string, string>): Promise<Response> {
    for (let left = tries - 1; ; left--) {
      const said = await this.once(url, headers).catch(reasonOf);
      if (typeof said !== 'string' && said.ok) return said;
      if (typeof said !== 'string' && said.status === 401 && (await this.authorize(said))) continue;
      const why = typeof said === 'string' ? said : `it answers ${said.status}`;
      const passes = typeof said === 'string' || said.status >= 500 || said.status === 429;
      if (!passes || left <= 0) throw new PayloadError(`cannot read ${this.source}: ${why}`);
      await pause(ms(wait('registry').interval));
    }
  }

  /** Only the beginning of the answer is waited for like this: a layer may take long. */
  private async once(url: string, headers: Record<string, string>): Promise<Response> {
    const all = new Headers(headers);
    if (this.token !== undefined) all.set('Authorization', `Bearer ${this.token}`);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error('it does not answer in time')), ms(wait('registry').timeout));
    try {
      return await fetch(url, { headers: all, signal: late.signal });
    } finally {
      clearTimeout(timer);
    }
  }

  /** The way anybody may read a public image: a token from where the registry says. One is enough. */
  private async authorize(refused: Response): Promise<boolean> {
    const asked = /^Bearer (.*)$/i.exec(refused.headers.get('www-authenticate') ?? '')?.[1];
    if (asked === undefined || this.token !== undefined) return false;
    const words = new Map([...asked.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!]));
    const realm = words.get('realm') ?? '';
    if (!URL.canParse(realm)) return false;
    const url = new URL(realm);
    for (const key of ['service', 'scope']) if (words.has(key)) url.searchParams.set(key, words.get(key)!);
    const answer = await fetch(url);
    if (!answer.ok) return false;
    const { token, access_token: other } = (await answer.json()) as Record<string, string | undefined>;
    this.token = token ?? other;
    return this.token !== undefined;
  }
}

function digestIn(name: string): string {
  return name.replace(/^blobs\//, '').replace('/', ':');
}

function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** What is behind fetch's "fetch failed". */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code || message : message;
}
