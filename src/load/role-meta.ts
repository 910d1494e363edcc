import type { Node } from '../core/node.ts';
import type { Role } from '../core/play.ts';
import type { Context } from './context.ts';
import { field, listed, wrongType } from './expect.ts';
import type { RoleCall } from './role-call.ts';
import { roleEntry } from './role-entry.ts';
import { roleFile } from './role-files.ts';

export interface RoleMeta {
  dependencies: readonly Node[];
  allowDuplicates: boolean;
  file: string;
}

/** What `meta/main.yml` says that matters here. */
export function metaOf(rolePath: string, context: Context): RoleMeta {
  const file = roleFile(rolePath, 'meta', undefined, { file: rolePath, line: 1, column: 1 }, context);
  if (!file) return { dependencies: [], allowDuplicates: false, file: rolePath };
  const node = context.loading.sources.yaml(file);
  if (node.value !== null && !node.entries) throw wrongType(node, 'meta', 'a mapping');
  const dependencies = field(node, 'dependencies');
  return {
    dependencies: dependencies ? listed(dependencies) : [],
    allowDuplicates: field(node, 'allow_duplicates')?.value === true,
    file,
  };
}

/** Its dependencies as calls, pulled in by `role`. */
export function dependencies(meta: RoleMeta, role: Role, context: Context): RoleCall[] {
  const chain = [...role.chain, role];
  return meta.dependencies.map((entry) => roleEntry(entry, chain, { ...context, file: meta.file }));
}
