import type { FilePut } from '../../core/effects.ts';
import type { ModuleContext, WorldView } from '../../core/module.ts';
import { type AbsentFile, type FileFact, file, type PresentFile } from '../../world/file.ts';
import { UnknownRead } from '../../world/read.ts';
import type { SelfFact } from '../../world/self.ts';
import { account, groupIds, ownerIds } from './account.ts';
import type { Wanted } from './attributes.ts';
import { dirname } from './paths.ts';

/** Whom a new inode shall be given to, and whose it will then be as far as that is predictable. */
export interface Ownership {
  give: { owner?: string; group?: string };
  effect: Pick<FilePut, 'owner' | 'uid' | 'group' | 'gid'>;
}

/**
 * A new inode belongs to who makes it (its group may come from a setgid directory), so what stood there before is
 * given its owner and group again, as far as the account may: root may all, others only groups they are in.
 */
export function ownership(path: string, fact: FileFact, wanted: Wanted, world: WorldView, ctx: ModuleContext) {
  const me = account(world, ctx);
  const before = fact.exists && fact.kind !== 'link' ? fact : undefined;
  const owner = ownerOf(path, before, wanted, me, world);
  const group = groupOf(path, fact, before, wanted, me, world);
  const give = { ...(owner.give ? { owner: owner.give } : {}), ...(group.give ? { group: group.give } : {}) };
  return { give, effect: { ...owner.effect, ...group.effect } } satisfies Ownership;
}

function ownerOf(path: string, before: PresentFile | undefined, wanted: Wanted, me: SelfFact, world: WorldView) {
  if (wanted.owner !== undefined) return { give: wanted.owner, effect: ownerIds(world, wanted.owner) };
  if (before && me.uid === 0 && before.uid !== 0)
    return { give: idOf(path, before.uid, before.owner), effect: { uid: before.uid, owner: before.owner } };
  return { effect: { uid: me.uid, owner: me.user } };
}

function groupOf(
  path: string,
  fact: FileFact,
  before: PresentFile | undefined,
  wanted: Wanted,
  me: SelfFact,
  world: WorldView,
) {
  if (wanted.group !== undefined) return { give: wanted.group, effect: groupIds(world, wanted.group) };
  if (before && mayKeepGroup(before, me))
    return { give: idOf(path, before.gid, before.group), effect: { gid: before.gid, group: before.group } };
  return { effect: inherited(path, fact, me, world) };
}

function mayKeepGroup(before: PresentFile, me: SelfFact): boolean {
  return me.uid === 0 || (before.uid === me.uid && before.gid !== undefined && me.groups.includes(before.gid));
}

/** The group of a new inode: the account's, or that of a setgid directory. */
function inherited(path: string, fact: FileFact, me: SelfFact, world: WorldView): Ownership['effect'] {
  if (!fact.exists && fact.setgid === false) return { gid: me.gid, group: me.group };
  const above = file(world, fact.exists ? dirname(path) : existingAbove(fact));
  if (!above.exists || above.kind !== 'directory' || above.mode === undefined) return {};
  return above.mode & 0o2000 ? { gid: above.gid, group: above.group } : { gid: me.gid, group: me.group };
}

/** The deepest directory above a missing path that is there. */
function existingAbove({ canonical, missing }: AbsentFile): string {
  return canonical.split('/').slice(0, -missing).join('/') || '/';
}

function idOf(path: string, id: number | undefined, name: string | undefined): string {
  if (id !== undefined) return String(id);
  if (name !== undefined) return name;
  throw new UnknownRead(`whose ${path} is, is known after an earlier task`);
}
