import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What may hold tasks or templates below a folder, absolute paths in order. */
export interface Tree {
  roles: string[];
  /** YAML files outside of roles: playbooks, files of tasks, inventories, anything. */
  files: string[];
}

const never = new Set(['node_modules', 'molecule', 'group_vars', 'host_vars', 'vars', 'defaults', 'files', 'meta']);

/** Roles and loose YAML files. Links are not followed. */
export function readTree(folder: string): Tree {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const tree: Tree = { roles: [], files: [] };
  for (const entry of entries.filter(({ name }) => !name.startsWith('.'))) {
    const path = join(folder, entry.name);
    if (entry.isFile() && /\.ya?ml$/.test(entry.name)) tree.files.push(path);
    if (!entry.isDirectory() || never.has(entry.name)) continue;
    if (isRole(path)) tree.roles.push(path);
    else merge(tree, readTree(path));
  }
  return tree;
}

/** Regular files below a folder of a role whose names match; none where there is no such folder. */
export function filesBelow(folder: string, names: RegExp): string[] {
  return readdirOrNone(folder)
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Playbooks may have a folder `tasks` beside them, too. */
function isRole(path: string): boolean {
  const tasks = filesBelow(join(path, 'tasks'), /\.ya?ml$/);
  return (
    tasks.some((file) => basename(file).startsWith('main.')) ||
    (tasks.length > 0 && basename(dirname(path)) === 'roles')
  );
}

function readdirOrNone(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

function merge(tree: Tree, other: Tree): void {
  tree.roles.push(...other.roles);
  tree.files.push(...other.files);
}
