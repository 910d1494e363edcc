import { lstatSync, type Stats, statSync } from 'node:fs';
import { posix } from 'node:path';
import { aliases, type TestTable, test } from '../definitions.ts';
import { typeError } from '../errors.ts';
import { stringOf } from '../filters/helpers.ts';
import type { Value } from '../values.ts';

const path = (value: Value | undefined): string => stringOf(value, 'a path');
const on = (doc: string, run: (path: string) => boolean) => test('', doc, (value) => run(path(value)));

/** Tests of paths of the controller; they look at nothing but names and kinds. */
export const fileTests: TestTable = {
  ...aliases(
    'directory is_dir',
    on('It is a folder of the controller.', (file) => stat(file)?.isDirectory() ?? false),
  ),
  ...aliases(
    'file is_file',
    on('It is a file of the controller.', (file) => stat(file)?.isFile() ?? false),
  ),
  ...aliases(
    'link is_link',
    on('It is a link of the controller.', (file) => linkStat(file)?.isSymbolicLink() ?? false),
  ),
  exists: on('There is such a path on the controller.', (file) => stat(file) !== undefined),
  link_exists: on('There is such a path or link on the controller.', (file) => linkStat(file) !== undefined),
  ...aliases(
    'abs is_abs',
    on('The path begins at the root.', (file) => file.startsWith('/')),
  ),
  ...aliases(
    'same_file is_same_file',
    test('other', 'Both paths are one file.', (value, [other]) => {
      const [a, b] = [path(value), path(other)].map((file) => stat(file) ?? missing(file));
      return a!.ino === b!.ino && a!.dev === b!.dev;
    }),
  ),
  ...aliases('mount is_mount', on('A file system is mounted there.', isMount)),
};

function stat(file: string): Stats | undefined {
  return quietly(() => statSync(file));
}

function linkStat(file: string): Stats | undefined {
  return quietly(() => lstatSync(file.replace(/(?<=.)\/+$/, '')));
}

/** A path that cannot be looked at is, for these tests, not there. */
function quietly(look: () => Stats): Stats | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

function missing(file: string): never {
  throw typeError(`No such file or directory: '${file}'`);
}

function isMount(file: string): boolean {
  const [own, parent] = [linkStat(file), linkStat(posix.join(file, '..'))];
  if (!own || !parent || own.isSymbolicLink()) return false;
  return own.dev !== parent.dev || own.ino === parent.ino;
}
