import type { FactKey } from '../../core/facts.ts';
import type { WorldView } from '../../core/module.ts';
import { groupKey } from '../../world/group.ts';
import { idNameKey } from '../../world/id-name.ts';
import { userKey } from '../../world/user.ts';
import { groupIds, ownerIds } from './account.ts';
import type { ArchiveEntry, StoredAccount } from './archive/entry.ts';
import type { UnarchiveParams } from './unarchive-params.ts';

export interface Owners {
  uid?: number;
  owner?: string;
  gid?: number;
  group?: string;
}

/**
 * Who owns an entry once it is unpacked: as asked; else, tar being run by root, as the archive says: by name where the
 * host knows that name, else by number. Of a zip the files are root's; of others than root all is left open.
 */
export function ownersAfter(entry: ArchiveEntry, given: UnarchiveParams, root: boolean, world: WorldView): Owners {
  const owner = given.owner ?? (root ? ownerOf(entry, world) : undefined);
  const group = given.group ?? (root ? groupOf(entry, world) : undefined);
  return {
    ...(owner === undefined ? {} : ownerIds(world, owner)),
    ...(group === undefined ? {} : groupIds(world, group)),
  };
}

/** Questions about the owners that an archive names. */
export function storedOwnerKeys(entries: readonly ArchiveEntry[], given: UnarchiveParams): FactKey[] {
  return entries.flatMap(({ owner, group }) => [
    ...(owner && given.owner === undefined ? keysOf(owner, 'passwd', userKey(owner.name)) : []),
    ...(group && given.group === undefined ? keysOf(group, 'group', groupKey(group.name)) : []),
  ]);
}

function keysOf({ id, name }: StoredAccount, database: 'passwd' | 'group', named: FactKey): FactKey[] {
  if (name === 'root') return [];
  return [...(name === '' ? [] : [named]), ...(id === 0 ? [] : [idNameKey(database, id)])];
}

function ownerOf({ owner, kind }: ArchiveEntry, world: WorldView): string | undefined {
  if (!owner) return kind === 'directory' ? undefined : 'root';
  return isThere(world, 'user', owner.name) ? owner.name : String(owner.id);
}

function groupOf({ group, kind }: ArchiveEntry, world: WorldView): string | undefined {
  if (!group) return kind === 'directory' ? undefined : 'root';
  return isThere(world, 'group', group.name) ? group.name : String(group.id);
}

function isThere(world: WorldView, family: 'user' | 'group', name: string): boolean {
  if (name === '' || name === 'root') return name === 'root';
  const answer = world.read(family, name, {});
  return answer.state === 'known' && (answer.value as { exists: boolean }).exists;
}
