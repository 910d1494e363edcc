import { dirname, join, resolve } from 'node:path';
import { inputError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { Origin } from '../core/origin.ts';
import type { Context } from './context.ts';
import { expandHome } from './search.ts';

/**
 * The folder of a role, searched as Ansible does: `roles/` next to the playbook, the configured paths, the folder of the
 * role that names it, the playbook's folder, and the name as a path. Throws an input error that lists them.
 */
export function findRole(name: string, origin: Origin, context: Context): string {
  const { sources } = context.loading;
  const folders = roleFolders(name, context);
  const found = folders.map((folder) => resolve(folder, shortOf(name))).find((path) => sources.isDirectory(path));
  if (found) return found;
  const asPath = resolve(dirname(context.file), expandHome(name));
  if (name.includes('/') && sources.isDirectory(asPath)) return asPath;
  const close = nearest(
    name,
    folders.flatMap((folder) => sources.files.list(folder)),
  );
  throw inputError(`there is no role '${name}'`, {
    missing: true,
    origin,
    expected: `a folder of that name in ${folders.map((folder) => sources.show(folder)).join(', ')}`,
    ...(close ? { nearest: close } : {}),
  });
}

function roleFolders(name: string, context: Context): string[] {
  const base = dirname(context.playFile);
  if (isCollectionRole(name)) return collectionFolders(name, base);
  const { rolesPath } = context.loading;
  const beside = context.role ? [dirname(context.role.path)] : [];
  return [...new Set([join(base, 'roles'), ...rolesPath, ...beside, base])];
}

function isCollectionRole(name: string): boolean {
  return /^[a-z_][a-z0-9_]*\.[a-z_][a-z0-9_]*\.[A-Za-z0-9_]+$/.test(name);
}

/** `namespace.collection.role` lies in collections/ansible_collections, or is found by its full name in roles/. */
function collectionFolders(name: string, base: string): string[] {
  const [namespace = '', collection = ''] = name.split('.');
  const home = process.env.HOME ?? '/';
  const roots = [join(base, 'collections'), join(home, '.ansible/collections'), '/usr/share/ansible/collections'];
  return roots.map((root) => join(root, 'ansible_collections', namespace, collection, 'roles'));
}

function shortOf(name: string): string {
  return isCollectionRole(name) ? (name.split('.')[2] ?? name) : expandHome(name);
}
