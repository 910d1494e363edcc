import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { inputError } from '../core/errors.ts';

/** Writes a file that the user named; what the disk says of it is an input error. `flag` and `mode` as for open(2). */
export function writeGiven(path: string, text: string, options: { flag?: string; mode?: number } = {}): void {
  attempt(path, () => writeFileSync(path, text, options));
}

/** The folder and those above it, one by one: all at once Node tries for ever below /proc. Throws an input error. */
export function makeFolders(path: string): void {
  if (existsSync(path)) return;
  makeFolders(dirname(path));
  attempt(path, () => mkdirSync(path));
}

function attempt(path: string, write: () => void) {
  try {
    write();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw inputError(`cannot write ${path}: ${message.replace(/^[A-Z]+: |, \w+ '.*$/g, '')}`, { cause: error });
  }
}
