import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface Import {
  from: string;
  to: string;
  /** `import type`: no code is loaded. */
  typeOnly: boolean;
}

/** Source files below a folder, as paths from the project's root. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));
}

/** Every relative import and export of a file. The formatter keeps each on lines of its own, so a pattern is enough. */
export function importsOf(file: string, text = readFileSync(file, 'utf8')): Import[] {
  const found = text.matchAll(/^(import|export)\s+(type\s+)?[^'";]*?\bfrom\s+'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm);
  return [...found].map(([, , type, path, lazy]) => ({
    from: file,
    to: normalize(join(dirname(file), (path ?? lazy)!)),
    typeOnly: type !== undefined,
  }));
}

/** A room is the first folder under src; files right in src are rooms of their own. */
export function roomOf(file: string): string {
  return file.split('/')[1]!;
}

/** One cycle of run-time imports as the list of its files; undefined when there is none. */
export function findCycle(imports: readonly Import[]): string[] | undefined {
  const graph = new Map<string, string[]>();
  for (const { from, to, typeOnly } of imports) if (!typeOnly) graph.set(from, [...(graph.get(from) ?? []), to]);
  const done = new Set<string>();
  const visit = (file: string, path: string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    done.add(file);
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next, [...path, file]);
      if (cycle) return cycle;
    }
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}

/** Lines that are neither blank nor comment. */
export function codeLines(text: string): number {
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  return bare.split('\n').filter((line) => line.trim() !== '').length;
}
