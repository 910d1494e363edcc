import { basename, extname, join } from 'node:path';
import { inputError } from '../core/errors.ts';
import { pythonRegex } from '../jinja/index.ts';
import type { Sources } from './sources.ts';

const endings = new Set(['', '.yml', '.yaml', '.json']);

/** Files of variables in a folder and below, in Ansible's order: sorted names, hidden and backup files left out. */
export function varsFiles(sources: Sources, folder: string): string[] {
  return sources.files
    .list(folder)
    .filter((name) => !name.startsWith('.') && !name.endsWith('~') && endings.has(extname(name)))
    .flatMap((name) => {
      const path = join(folder, name);
      return sources.isDirectory(path) ? varsFiles(sources, path) : [path];
    });
}

export interface VarsDirOptions {
  /** Levels of folders; 0 or absent: all. */
  depth?: number;
  /** Regular expression that a file's name must match from its start. */
  filesMatching?: string;
  /** Without dot. Default: yaml, yml, json. */
  extensions?: string[];
  /** Pass over files with other endings; else they are an error. */
  ignoreUnknown?: boolean;
}

/** Files of `include_vars: dir:`, sorted; in each folder its files before its folders' files. */
export function varsInFolder(sources: Sources, folder: string, options: VarsDirOptions, level = 1): string[] {
  const paths = sources.files.list(folder).map((name) => join(folder, name));
  const files = paths.filter((path) => !sources.isDirectory(path) && isWanted(path, options));
  const deeper = options.depth !== undefined && options.depth > 0 && level >= options.depth;
  const folders = deeper ? [] : paths.filter((path) => sources.isDirectory(path));
  return [...files, ...folders.flatMap((path) => varsInFolder(sources, path, options, level + 1))];
}

function isWanted(path: string, options: VarsDirOptions): boolean {
  const name = basename(path);
  const extensions = options.extensions ?? ['yaml', 'yml', 'json'];
  if (options.filesMatching !== undefined && !pythonRegex(options.filesMatching).match(name)) return false;
  if (extensions.includes(extname(name).slice(1))) return true;
  if (options.ignoreUnknown ?? true) return false;
  throw inputError(`${path} does not have a valid extension: ${extensions.join(', ')}`, {
    missing: true,
    hint: 'ignore_unknown_extensions: true passes over it',
  });
}
