import { dirname, join } from 'node:path';
import type { SourceFiles } from '../../../../src/load/files.ts';
import { type SourceOptions, Sources } from '../../../../src/load/sources.ts';

/** Files that exist only in a test, under /t. */
export function memoryFiles(texts: Readonly<Record<string, string | Buffer>>): SourceFiles {
  const files = new Map(Object.entries(texts).map(([name, text]) => [join('/t', name), Buffer.from(text)]));
  const folders = new Map<string, Set<string>>([['/t', new Set()]]);
  for (const path of files.keys()) enter(path, folders);
  return {
    read: (path) => files.get(path),
    kind: (path) => (files.has(path) ? 'file' : folders.has(path) ? 'directory' : undefined),
    list: (path) => [...(folders.get(path) ?? [])].sort(),
  };
}

function enter(path: string, folders: Map<string, Set<string>>): void {
  if (path === '/t') return;
  const folder = dirname(path);
  const names = folders.get(folder) ?? new Set();
  folders.set(folder, names.add(path.slice(folder.length + 1)));
  enter(folder, folders);
}

export function memorySources(texts: Readonly<Record<string, string | Buffer>>, options: SourceOptions = {}): Sources {
  return new Sources({ files: memoryFiles(texts), cwd: '/t', ...options });
}

/** `=== name` begins a file; what stands before the first one is a comment. */
export function splitFiles(text: string): Record<string, string> {
  const parts = text.split(/^=== (.+)\n/m).slice(1);
  return Object.fromEntries(parts.flatMap((name, i) => (i % 2 === 0 ? [[name, parts[i + 1] ?? '']] : [])));
}
