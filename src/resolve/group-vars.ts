import { extname, join } from 'node:path';
import type { Node } from '../core/node.ts';
import { mergeMappings, wrongType } from '../load/expect.ts';
import type { Sources } from '../load/sources.ts';
import { varsFiles } from '../load/vars-files.ts';
import type { VarEntries } from './inventory.ts';

const none: VarEntries = new Map();

/** Variables of group_vars and host_vars beside inventories and playbooks, each file read once. */
export class VarsFolders {
  private readonly sources: Sources;
  private readonly known = new Map<string, VarEntries>();
  private readonly names = new Map<string, ReadonlySet<string>>();

  constructor(sources: Sources) {
    this.sources = sources;
  }

  /** Variables of one group or host in `folder`; empty when it has no file. Throws an input error for a bad file. */
  read(folder: string, kind: 'group_vars' | 'host_vars', name: string): VarEntries {
    const path = join(folder, kind);
    if (!this.stems(path).has(name)) return none;
    const key = join(path, name);
    const known = this.known.get(key);
    if (known) return known;
    const merged = mergeMappings(filesFor(this.sources, path, name).flatMap((file) => this.file(file)));
    const entries = merged?.entries ?? none;
    this.known.set(key, entries);
    return entries;
  }

  /** Names that some file or folder in `path` is for: spares a look at the disk per host. */
  private stems(path: string): ReadonlySet<string> {
    const known = this.names.get(path);
    if (known) return known;
    const stems = new Set(this.sources.files.list(path).flatMap((name) => [name, stem(name)]));
    this.names.set(path, stems);
    return stems;
  }

  private file(path: string): Node[] {
    const node = this.sources.yaml(path);
    if (node.value === null) return [];
    if (!node.entries) throw wrongType(node, this.sources.show(path), 'a mapping of variables');
    return [node];
  }
}

const endings = ['.yml', '.yaml', '.json'];

function stem(name: string): string {
  return endings.includes(extname(name)) ? name.slice(0, -extname(name).length) : name;
}

/** The first of `name` (a file or a folder), `name.yml`, `name.yaml`, `name.json` that exists. */
function filesFor(sources: Sources, path: string, name: string): string[] {
  const found = ['', ...endings].map((ending) => join(path, name + ending)).find((file) => sources.files.kind(file));
  if (!found) return [];
  return sources.isDirectory(found) ? varsFiles(sources, found) : [found];
}
