import type { Readable } from 'node:stream';
import type { Header } from 'tar-stream';
import type { PayloadFile } from '../world/payload.ts';
import { store } from './cache.ts';
import { type TarEntry, tarEntries } from './tar-entries.ts';
import { clean } from './tar-members.ts';

/** A file of an image, kept in the cache; `elf`: it begins as a program does. */
export interface Found {
  file: PayloadFile;
  elf: boolean;
}

type Known = Found | { link: string } | 'gone';

/**
 * Looks for a few paths in an image's layers, from the top down, and reads nothing else: a layer above hides what is
 * below, by a file of the same name, by a whiteout (`.wh.NAME`), or by an opaque folder (`.wh..wh..opq`).
 */
export class LayerSearch {
  private readonly known = new Map<string, Known>();
  private wanted: Set<string>;

  constructor(paths: readonly string[]) {
    this.wanted = new Set(paths);
  }

  /** Links may lead to paths nobody asked for: those are looked for in another round. */
  async run(layers: readonly (() => Promise<Readable>)[]): Promise<void> {
    for (let round = 0; this.wanted.size > 0 && round < 8; round++) {
      let left = this.wanted;
      for (const open of [...layers].reverse()) {
        if (left.size === 0) break;
        left = await this.layer(await open(), left);
      }
      this.wanted = this.unfollowed();
    }
  }

  /** What a path is in the end; undefined when the image does not have it, or its links lead nowhere. */
  find(path: string): Found | undefined {
    for (let at = path, hops = 0; hops < 16; hops++) {
      const known = this.known.get(at);
      if (known === undefined || known === 'gone') return undefined;
      if (!('link' in known)) return known;
      at = known.link;
    }
    return undefined;
  }

  /** Looks for `paths` in one layer; returns those that may still be in a lower one. */
  private async layer(stream: Readable, paths: ReadonlySet<string>): Promise<Set<string>> {
    const hidden = new Set<string>();
    const here = new Map<string, Known>();
    for await (const entry of tarEntries(stream)) await look(entry, paths, here, hidden);
    for (const [path, known] of here) this.known.set(path, known);
    for (const path of hidden) if (!here.has(path)) this.known.set(path, 'gone');
    return new Set([...paths].filter((path) => !here.has(path) && !hidden.has(path)));
  }

  private unfollowed(): Set<string> {
    const links = [...this.known.values()].flatMap((known) =>
      typeof known === 'object' && 'link' in known ? [known.link] : [],
    );
    return new Set(links.filter((path) => !this.known.has(path)));
  }
}

async function look(
  { header, content }: TarEntry,
  paths: ReadonlySet<string>,
  here: Map<string, Known>,
  hidden: Set<string>,
) {
  const path = clean(header.name);
  for (const each of paths) if (hides(path, each)) hidden.add(each);
  if (!paths.has(path)) return;
  if (header.type === 'file') here.set(path, await kept(content));
  else if (header.linkname) here.set(path, { link: target(header, path) });
}

/** Whether an entry of a layer takes `path` of the layers below away. */
function hides(entry: string, path: string): boolean {
  const name = entry.slice(entry.lastIndexOf('/') + 1);
  if (!name.startsWith('.wh.')) return false;
  const folder = entry.slice(0, -name.length);
  if (name === '.wh..wh..opq') return path.startsWith(folder);
  const gone = folder + name.slice(4);
  return path === gone || path.startsWith(`${gone}/`);
}

/** Symbolic links are relative to their folder, hard links to the root. */
function target({ type, linkname }: Header, path: string): string {
  const link = linkname ?? '';
  return type === 'link' || link.startsWith('/') ? clean(link) : clean(`${path.replace(/[^/]*$/, '')}${link}`);
}

async function kept(content: AsyncIterable<Uint8Array>): Promise<Found> {
  const { path, sha256, size, head } = await store(content);
  return { file: { path, sha256, size }, elf: head.equals(magic) };
}

const magic = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);
