import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ControllerFile, ControllerFiles } from '../../../src/core/module.ts';
import { TaskFailure } from '../../../src/core/result.ts';

/** Files below a real folder; templates render to themselves. */
export function realFiles(folder: string): ControllerFiles {
  return {
    find(_kind, name) {
      try {
        return fileOf(join(folder, name));
      } catch {
        throw new TaskFailure(`Could not find or access '${name}'`);
      }
    },
    template: (name) => readFileSync(join(folder, name), 'utf8'),
  };
}

function fileOf(path: string): ControllerFile {
  const stat = statSync(path);
  const bytes = () => readFileSync(path);
  return {
    path: path.replace(/\/$/, ''),
    kind: stat.isDirectory() ? 'directory' : 'file',
    size: stat.size,
    mode: stat.mode & 0o7777,
    mtime: stat.mtimeMs,
    sha256: () => createHash('sha256').update(bytes()).digest('hex'),
    bytes,
    walk: () => {
      const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
      return names.map((name) => ({ path: name, file: fileOf(join(path, name)) }));
    },
  };
}
