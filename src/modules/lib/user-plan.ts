import type { FactKey } from '../../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../../core/module.ts';
import { result, TaskFailure } from '../../core/result.ts';
import { Unknown, type Value } from '../../jinja/values.ts';
import { group, groupKey } from '../../world/group.ts';
import { type PresentUser, type UserFact, user, userKey } from '../../world/user.ts';
import { addStep, changeSteps, digestOf, removeStep } from './user-steps.ts';

/** Parameters of user after coercion. */
export interface UserParams {
  name: string;
  state: 'present' | 'absent';
  uid?: number | undefined;
  group?: string | undefined;
  groups?: string[] | undefined;
  append: boolean;
  comment?: string | undefined;
  shell?: string | undefined;
  home?: string | undefined;
  create_home: boolean;
  move_home: boolean;
  system: boolean;
  skeleton?: string | undefined;
  umask?: string | undefined;
  password?: string | undefined;
  update_password: 'always' | 'on_create';
  password_lock?: boolean | undefined;
  password_expire_max?: number | undefined;
  password_expire_min?: number | undefined;
  expires?: number | undefined;
  non_unique: boolean;
  force: boolean;
  remove: boolean;
  local: boolean;
}

/** What differs, in the fields of the user fact and of its shadow entry. */
export interface UserChange {
  set: Partial<PresentUser>;
  password?: string;
  lock?: boolean;
  expire?: { min?: number; max?: number };
  /** Days since the epoch; negative: never. */
  expires?: number;
  fields: { name: string; before: string | null; after: string | null; secret?: boolean }[];
}

export function userKeys(params: UserParams): FactKey[] {
  const groups = [params.group, ...(params.groups ?? [])].filter((name) => name !== undefined && !/^\d*$/.test(name));
  return [userKey(params.name, wantsOf(params)), ...groups.map((name) => groupKey(name!))];
}

export function planUser(params: UserParams, world: WorldView, ctx: ModuleContext): Plan {
  const fact = user(world, params.name, wantsOf(params));
  if (params.state === 'absent') return absent(params, fact);
  requireGroups(params, world);
  const change = changeOf(params, fact, world);
  const steps = fact.exists ? changeSteps(params, fact, change) : [addStep(params, change, world, ctx)];
  return { steps, result: result(steps.length > 0, present(params, fact, change, ctx)) };
}

function absent(params: UserParams, fact: UserFact): Plan {
  const base = { name: params.name, state: 'absent' };
  if (!fact.exists) return { steps: [], result: result(false, base) };
  return {
    steps: [removeStep(params, fact)],
    result: result(true, { ...base, force: params.force, remove: params.remove }),
  };
}

function wantsOf(params: UserParams): { shadow?: boolean } {
  const { password, password_lock, expires, password_expire_max: max, password_expire_min: min } = params;
  const asked = [password, password_lock, expires, max, min].some((given) => given !== undefined);
  return asked ? { shadow: true } : {};
}

function requireGroups(params: UserParams, world: WorldView) {
  if (params.group !== undefined && !exists(params.group, world))
    throw new TaskFailure(`Group ${params.group} does not exist`);
  for (const name of params.groups ?? [])
    if (name !== '' && !exists(name, world)) throw new TaskFailure(`Group ${name} does not exist`);
}

/** A number stands for itself: it may be a group without a name. */
function exists(name: string, world: WorldView): boolean {
  return /^\d+$/.test(name) || group(world, name).exists;
}

/** Ansible changes only what is given. */
function changeOf(params: UserParams, fact: UserFact, world: WorldView): UserChange {
  const now: Partial<PresentUser> = fact.exists ? fact : {};
  const change: UserChange = { set: {}, fields: [] };
  const differs = (name: 'uid' | 'comment' | 'shell' | 'home', after: number | string | undefined) => {
    if (after === undefined || after === now[name]) return;
    Object.assign(change.set, { [name]: after });
    change.fields.push({ name, before: now[name] === undefined ? null : String(now[name]), after: String(after) });
  };
  differs('uid', params.uid);
  differs('comment', params.comment);
  differs('shell', params.shell);
  if (!fact.exists || params.move_home || params.home !== now.home) differs('home', params.home);
  primaryGroup(params, now, world, change);
  supplementary(params, now, change);
  shadow(params, fact, change);
  return change;
}

function primaryGroup(params: UserParams, now: Partial<PresentUser>, world: WorldView, change: UserChange) {
  if (params.group === undefined) return;
  const number = /^\d+$/.test(params.group);
  const fact = number ? undefined : group(world, params.group);
  const gid = number ? Number(params.group) : fact?.exists ? fact.gid : undefined;
  if (gid === undefined ? params.group === now.group : gid === now.gid) return;
  change.set.gid = gid;
  if (!number) change.set.group = params.group;
  change.fields.push({ name: 'group', before: now.group ?? null, after: params.group });
}

/** Without `append` the list is the whole truth, and an empty one means no groups at all. */
function supplementary(params: UserParams, now: Partial<PresentUser>, change: UserChange) {
  if (params.groups === undefined) return;
  const wanted = params.groups.filter((name) => name !== '' && name !== (params.group ?? now.group));
  const there = now.groups ?? [];
  const after = params.append ? [...there, ...wanted.filter((name) => !there.includes(name))] : [...new Set(wanted)];
  if (after.length === there.length && after.every((name) => there.includes(name))) return;
  change.set.groups = after;
  change.fields.push({ name: 'groups', before: there.join(',') || null, after: after.join(',') || null });
}

function shadow(params: UserParams, fact: UserFact, change: UserChange) {
  const known = fact.exists ? fact.shadow : undefined;
  if (fact.exists && known === undefined && wantsOf(params).shadow)
    throw new TaskFailure('/etc/shadow cannot be read', {}, 'this task needs become: true');
  password(params, fact, change);
  if (params.password_lock !== undefined && params.password_lock !== (known?.locked ?? false)) {
    change.lock = params.password_lock;
    change.fields.push({
      name: 'locked',
      before: known ? String(known.locked) : null,
      after: String(params.password_lock),
    });
  }
  const [max, min] = [params.password_expire_max, params.password_expire_min];
  const expire = {
    ...(max !== undefined && max !== known?.maximum ? { max } : {}),
    ...(min !== undefined && min !== known?.minimum ? { min } : {}),
  };
  if (Object.keys(expire).length > 0) {
    change.expire = expire;
    change.fields.push({ name: 'password ages', before: null, after: Object.entries(expire).flat().join(' ') });
  }
  expiry(params, known?.expires, change);
}

/** Only the digest of the field is known here; a `!` before it says locked and is no part of the password. */
function password(params: UserParams, fact: UserFact, change: UserChange) {
  if (params.password === undefined || (fact.exists && params.update_password === 'on_create')) return;
  if (fact.exists && fact.shadow?.digest === digestOf(params.password)) return;
  change.password = params.password;
  change.fields.push({ name: 'password', before: fact.exists ? '(old)' : null, after: '(new)', secret: true });
}

function expiry(params: UserParams, before: number | undefined, change: UserChange) {
  if (params.expires === undefined) return;
  const days = params.expires < 0 ? -1 : Math.floor(params.expires / 86_400);
  if (days === (before ?? -1)) return;
  change.expires = days;
  change.fields.push({ name: 'expires', before: dateOf(before), after: dateOf(days) });
}

function dateOf(days: number | undefined): string | null {
  return days === undefined || days < 0 ? 'never' : new Date(days * 86_400_000).toISOString().slice(0, 10);
}

function present(params: UserParams, fact: UserFact, change: UserChange, ctx: ModuleContext): Record<string, Value> {
  const after: Partial<PresentUser> = { ...(fact.exists ? fact : {}), ...change.set };
  const later = new Unknown(ctx.taskName);
  return {
    name: params.name,
    state: 'present',
    uid: after.uid ?? later,
    group: after.gid ?? later,
    comment: after.comment ?? (fact.exists ? '' : later),
    home: after.home ?? later,
    shell: after.shell ?? later,
    ...(fact.exists
      ? { append: params.append, move_home: params.move_home }
      : { create_home: params.create_home, system: params.system }),
    ...(params.groups === undefined ? {} : { groups: params.groups.join(',') }),
    ...(params.password === undefined ? {} : { password: 'NOT_LOGGING_PASSWORD' }),
  };
}
