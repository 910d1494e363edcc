import { readdirSync, readFileSync, statSync } from 'node:fs';

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
    return readFileSync(path);
  } catch (error) {
    return missing(error);
  }
}

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
