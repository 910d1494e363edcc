import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { nearest } from '../core/nearest.ts';
import type { Role } from '../core/play.ts';
import type { Sources } from './sources.ts';

/** Where a name in a task is searched: what load, include_tasks and the file lookups have in common. */
export interface SearchBase {
  /** Absolute path of the file the task stands in, and of its playbook. */
  file: string;
  playFile: string;
  role?: Role;
}

/**
 * Folders that a `files`, `templates`, `vars` or `tasks` name is searched in, in Ansible's order: the role (and the roles
 * it was pulled in by), the task file's folder, the playbook's folder; in each the `kind` folder first.
 */
export function searchFolders(base: SearchBase, kind: string): string[] {
  const roles = base.role ? [base.role, ...[...base.role.chain].reverse()] : [];
  const folders = [
    ...roles.flatMap((role) => [join(role.path, kind), role.path]),
    ...(base.role ? [join(base.role.path, 'tasks', kind), join(base.role.path, 'tasks')] : []),
    ...around(dirname(base.file), kind),
    ...around(dirname(base.playFile), kind),
  ];
  return [...new Set(folders)];
}

function around(folder: string, kind: string): string[] {
  return [join(folder, kind), folder];
}

/** The first existing file or folder of that name; undefined: none, and `searchFolders` says where it was looked for. */
export function findIn(sources: Sources, folders: readonly string[], name: string): string | undefined {
  if (isAbsolute(name) || name.startsWith('~')) {
    const path = expandHome(name);
    return sources.files.kind(path) ? path : undefined;
  }
  return folders.map((folder) => resolve(folder, name)).find((path) => sources.files.kind(path) !== undefined);
}

/** A file whose name is most like a missing one's: in the same folder below any of the search folders. */
export function nearestFile(sources: Sources, folders: readonly string[], name: string): string | undefined {
  const inner = dirname(name);
  const names = folders.flatMap((folder) => sources.files.list(resolve(folder, inner)));
  const close = nearest(basename(name), names);
  return close && (inner === '.' ? close : join(inner, close));
}

export function expandHome(name: string): string {
  return name === '~' || name.startsWith('~/') ? join(process.env.HOME ?? '/', name.slice(1)) : name;
}
