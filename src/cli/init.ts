import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { inputError } from '../core/errors.ts';
import { inventoryStart, playbookStart } from './init.data.ts';
import { schemaText } from './schema.ts';
import { makeFolders, writeGiven } from './write-file.ts';

/** Writes the files of a new project below `dir`; resolves to their names. Throws if one of them is there already. */
export function init(dir: string, cwd: string): string[] {
  const files: Record<string, string> = {
    'inventory.yaml': inventoryStart,
    'site.yml': playbookStart,
    'schemas/playbook.schema.json': schemaText('playbook'),
    'schemas/inventory.schema.json': schemaText('inventory'),
  };
  const paths = Object.entries(files).map(([name, text]) => ({ path: join(resolve(cwd, dir), name), text }));
  const there = paths.find(({ path }) => existsSync(path));
  if (there)
    throw inputError(`${relative(cwd, there.path)} is already there`, { hint: 'name an empty folder: kpush init DIR' });
  for (const { path, text } of paths) {
    makeFolders(dirname(path));
    writeGiven(path, text, { flag: 'wx' });
  }
  return paths.map(({ path }) => relative(cwd, path));
}
