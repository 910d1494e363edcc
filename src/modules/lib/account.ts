import type { FactKey } from '../../core/facts.ts';
import type { ModuleContext, WorldView } from '../../core/module.ts';
import { TaskFailure } from '../../core/result.ts';
import { type GroupFact, groupKey } from '../../world/group.ts';
import { idName, idNameKey } from '../../world/id-name.ts';
import { type SelfFact, self, selfKey } from '../../world/self.ts';
import { type UserFact, userKey } from '../../world/user.ts';

const root: SelfFact = { uid: 0, gid: 0, user: 'root', group: 'root', groups: [0] };

/** Who acts on the host; of root all is known without asking. */
export function account(world: WorldView, ctx: ModuleContext): SelfFact {
  return ctx.remoteUser === 'root' ? root : self(world);
}

/** Questions about who acts, and about owners other than root. */
export function accountKeys(
  ctx: ModuleContext,
  wanted: { owner?: string | undefined; group?: string | undefined } = {},
) {
  const keys: FactKey[] = ctx.remoteUser === 'root' ? [] : [selfKey];
  if (wanted.owner !== undefined && !isRoot(wanted.owner)) keys.push(ownerKey(wanted.owner));
  if (wanted.group !== undefined && !isRoot(wanted.group)) keys.push(groupOfKey(wanted.group));
  return keys;
}

/** An owner's number and name as far as they are known: one that does not exist fails the task. */
export function ownerIds(world: WorldView, owner: string): { uid?: number; owner?: string } {
  if (isRoot(owner)) return { uid: 0, owner: 'root' };
  if (isNumber(owner)) return named('owner', { uid: Number(owner) }, idName(world, 'passwd', Number(owner)));
  const answer = world.read('user', owner, {});
  const fact = answer.state === 'known' ? (answer.value as UserFact) : undefined;
  if (fact && !fact.exists) throw new TaskFailure(`chown failed: failed to look up user ${owner}`);
  return { owner, ...(fact?.exists && fact.uid !== undefined ? { uid: fact.uid } : {}) };
}

export function groupIds(world: WorldView, group: string): { gid?: number; group?: string } {
  if (isRoot(group)) return { gid: 0, group: 'root' };
  if (isNumber(group)) return named('group', { gid: Number(group) }, idName(world, 'group', Number(group)));
  const answer = world.read('group', group);
  const fact = answer.state === 'known' ? (answer.value as GroupFact) : undefined;
  if (fact && !fact.exists) throw new TaskFailure(`chgrp failed: failed to look up group ${group}`);
  return { group, ...(fact?.exists && fact.gid !== undefined ? { gid: fact.gid } : {}) };
}

function named<T extends object>(field: string, ids: T, name: string | undefined): T {
  return name === undefined ? ids : { ...ids, [field]: name };
}

function ownerKey(owner: string): FactKey {
  return isNumber(owner) ? idNameKey('passwd', Number(owner)) : userKey(owner);
}

function groupOfKey(group: string): FactKey {
  return isNumber(group) ? idNameKey('group', Number(group)) : groupKey(group);
}

function isRoot(name: string): boolean {
  return name === 'root' || /^0+$/.test(name);
}

function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}
