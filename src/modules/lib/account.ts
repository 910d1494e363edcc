import type { FactKey } from '../../core/facts.ts';
import type { ModuleContext, WorldView } from '../../core/module.ts';
import { TaskFailure } from '../../core/result.ts';
import { type GroupFact, groupKey } from '../../world/group.ts';
import { type SelfFact, self, selfKey } from '../../world/self.ts';
import { type UserFact, userKey } from '../../world/user.ts';

const root: SelfFact = { uid: 0, gid: 0, user: 'root', group: 'root', groups: [0] };

/** Who acts on the host; of root all is known without asking. */
export function account(world: WorldView, ctx: ModuleContext): SelfFact {
  return ctx.remoteUser === 'root' ? root : self(world);
}

/** Questions about who acts, and about owners other than root who are given by name. */
export function accountKeys(
  ctx: ModuleContext,
  wanted: { owner?: string | undefined; group?: string | undefined } = {},
) {
  const keys: FactKey[] = ctx.remoteUser === 'root' ? [] : [selfKey];
  if (isForeign(wanted.owner)) keys.push(userKey(wanted.owner));
  if (isForeign(wanted.group)) keys.push(groupKey(wanted.group));
  return keys;
}

/** An owner's number and name as far as they are known: one that does not exist fails the task. */
export function ownerIds(world: WorldView, owner: string): { uid?: number; owner?: string } {
  if (/^\d+$/.test(owner)) return { uid: Number(owner), ...(Number(owner) === 0 ? { owner: 'root' } : {}) };
  if (owner === 'root') return { uid: 0, owner };
  const answer = world.read('user', owner, {});
  const fact = answer.state === 'known' ? (answer.value as UserFact) : undefined;
  if (fact && !fact.exists) throw new TaskFailure(`chown failed: failed to look up user ${owner}`);
  return { owner, ...(fact?.exists && fact.uid !== undefined ? { uid: fact.uid } : {}) };
}

export function groupIds(world: WorldView, group: string): { gid?: number; group?: string } {
  if (/^\d+$/.test(group)) return { gid: Number(group), ...(Number(group) === 0 ? { group: 'root' } : {}) };
  if (group === 'root') return { gid: 0, group };
  const answer = world.read('group', group);
  const fact = answer.state === 'known' ? (answer.value as GroupFact) : undefined;
  if (fact && !fact.exists) throw new TaskFailure(`chgrp failed: failed to look up group ${group}`);
  return { group, ...(fact?.exists && fact.gid !== undefined ? { gid: fact.gid } : {}) };
}

function isForeign(name: string | undefined): name is string {
  return name !== undefined && name !== 'root' && !/^\d+$/.test(name);
}
