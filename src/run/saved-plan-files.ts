import { createHash } from 'node:crypto';
import { isAbsolute, relative, resolve } from 'node:path';
import { InputErrors, inputError } from '../core/errors.ts';
import { diskFiles, type SourceFiles } from '../load/files.ts';

/** The disk, and the SHA-256 of every file that was read from it. */
export function recordedFiles(disk: SourceFiles = diskFiles()): { files: SourceFiles; read(): Record<string, string> } {
  const read = new Map<string, string>();
  const files: SourceFiles = {
    ...disk,
    read: (path) => {
      const content = disk.read(path);
      if (content && !read.has(path)) read.set(path, hash(content));
      return content;
    },
  };
  return { files, read: () => Object.fromEntries([...read].map(([path, sum]) => [shown(path), sum]).sort()) };
}

/** Throws an input error for each file that is not what it was when the plan was made. */
export function checkFiles(files: Readonly<Record<string, string>>, plan: string, disk: SourceFiles = diskFiles()) {
  const errors = Object.entries(files).flatMap(([path, sum]) => {
    const content = disk.read(resolve(path));
    if (content && hash(content) === sum) return [];
    const what = content ? `${path} has changed since ${plan} was made` : `${path} is gone since ${plan} was made`;
    return [inputError(what, { hint: `plan again, from the folder in which ${plan} was made` })];
  });
  if (errors.length > 0) throw new InputErrors(errors);
}

function hash(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function shown(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}
