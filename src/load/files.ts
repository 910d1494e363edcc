import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { inputError } from '../core/errors.ts';

/** Read access to the controller's files. */
export interface SourceFiles {
  /** undefined: no such file. Other failures (permission, a directory) throw the system's error. */
  read(path: string): Buffer | undefined;
  kind(path: string): 'file' | 'directory' | undefined;
  /** Names in a directory, sorted; empty when there is none. */
  list(path: string): string[];
}

/** The real files, each read once. */
export function diskFiles(): SourceFiles {
  return { read: memo(read), kind: memo(kind), list: memo(list) };
}

function memo<T>(compute: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>();
  return (path) => {
    const found = known.get(path);
    if (found !== undefined || known.has(path)) return found as T;
    const value = compute(path);
    known.set(path, value);
    return value;
  };
}

function read(path: string): Buffer | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path) : bounded(path);
  } catch (error) {
    return missing(error);
  }
}

/** What comes out of a pipe or device: it may never end. A directory throws as it does when it is read whole. */
function bounded(path: string): Buffer {
  const file = openSync(path, 'r');
  const chunks: Buffer[] = [];
  try {
    for (let size = 0; ; ) {
      const chunk = Buffer.alloc(65_536);
      const count = readSync(file, chunk);
      if (count === 0) return Buffer.concat(chunks);
      size += count;
      if (size > mostOfPipe) throw inputError(`${path} gives more than ${mostOfPipe} bytes, which no file here has`);
      chunks.push(chunk.subarray(0, count));
    }
  } finally {
    closeSync(file);
  }
}

const mostOfPipe = 64 * 1024 * 1024;

function kind(path: string): 'file' | 'directory' | undefined {
  try {
    return statSync(path).isDirectory() ? 'directory' : 'file';
  } catch (error) {
    return missing(error);
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path).sort();
  } catch (error) {
    return missing(error) ?? [];
  }
}

/** undefined for "there is no such file"; anything else is thrown on. */
function missing(error: unknown): undefined {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
  throw error;
}
