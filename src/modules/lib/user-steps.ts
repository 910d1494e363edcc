import { createHash } from 'node:crypto';
import type { Effect } from '../../core/effects.ts';
import type { ModuleContext, WorldView } from '../../core/module.ts';
import { quote, quoteAll } from '../../core/quote.ts';
import type { Step } from '../../core/steps.ts';
import { group, groupKey } from '../../world/group.ts';
import { type PresentUser, type Shadow, userKey } from '../../world/user.ts';
import { tellEntry } from './told.ts';
import type { UserChange, UserParams } from './user-plan.ts';

/** useradd, then what it cannot do itself. The password's hash goes in by stdin: arguments are seen by everyone. */
export function addStep(params: UserParams, change: UserChange, world: WorldView, ctx: ModuleContext): Step {
  const { name } = params;
  const own = params.group === undefined && !group(world, name).exists;
  const argv = [
    'useradd',
    ...optionsOf(params, change.set),
    ...(params.group === undefined ? [own ? '-U' : '-N'] : []),
    ...(params.system ? ['-r'] : []),
    ...(params.create_home ? ['-m', ...(params.skeleton === undefined ? [] : ['-k', params.skeleton])] : ['-M']),
    ...(params.umask === undefined ? [] : ['-K', `UMASK=${params.umask}`]),
    ...expireOption(change),
    name,
  ];
  return {
    title: `add user ${name}`,
    run: {
      kind: 'sh',
      script: script([quoteAll(argv), ...after(params, change), tellEntry('passwd', name)]),
      ...stdin(change, name),
    },
    effects: addEffects(params, change, own, ctx),
    proof: [userKey(name), ...(own ? [groupKey(name)] : [])],
    diff: [{ kind: 'fields', subject: `user ${name}`, fields: [stateField('absent', 'present'), ...shown(change)] }],
  };
}

/** usermod for what differs; nothing where nothing does. */
export function changeSteps(params: UserParams, fact: PresentUser, change: UserChange): Step[] {
  if (change.fields.length === 0) return [];
  const { name } = params;
  const options = optionsOf(params, change.set);
  const moved = change.set.home !== undefined && params.move_home ? ['-m'] : [];
  const usermod = ['usermod', ...options, ...moved, ...expireOption(change), name];
  const first = usermod.length > 2 ? [quoteAll(usermod)] : [];
  const home = change.set.home !== undefined && params.move_home;
  return [
    {
      title: `change user ${name}`,
      run: {
        kind: 'sh',
        script: script([...first, ...after(params, change), tellEntry('passwd', name)]),
        ...stdin(change, name),
      },
      effects: [
        {
          type: 'user.set',
          name,
          set: { ...change.set, ...(fact.shadow ? { shadow: shadowAfter(change, fact.shadow) } : {}) },
        },
        ...(home && fact.home
          ? [{ type: 'file.unknown' as const, path: fact.home, why: `the home of ${name} moved` }]
          : []),
        ...(home ? [{ type: 'file.unknown' as const, path: change.set.home!, why: `the home of ${name} moved` }] : []),
      ],
      proof: [userKey(name)],
      diff: [{ kind: 'fields', subject: `user ${name}`, fields: shown(change) }],
    },
  ];
}

export function removeStep(params: UserParams, fact: PresentUser): Step {
  const { name } = params;
  const argv = ['userdel', ...(params.force ? ['-f'] : []), ...(params.remove ? ['-r'] : []), name];
  const busybox = ['deluser', ...(params.remove ? ['--remove-home'] : []), name];
  const home: Effect[] = params.remove && fact.home ? [{ type: 'file.remove', path: fact.home }] : [];
  const own: Effect[] =
    fact.group === name ? [{ type: 'fact.unknown', family: 'group', id: name, why: `user ${name} is removed` }] : [];
  return {
    title: `remove user ${name}`,
    run: {
      kind: 'sh',
      script: `if command -v userdel >/dev/null 2>&1; then exec ${quoteAll(argv)}; else exec ${quoteAll(busybox)}; fi`,
    },
    effects: [{ type: 'user.remove', name }, ...own, ...home],
    proof: [userKey(name)],
    diff: [{ kind: 'fields', subject: `user ${name}`, fields: [stateField('present', 'absent')] }],
  };
}

function script(lines: string[]): string {
  return ['case :$PATH: in *:/usr/sbin:*) ;; *) PATH=$PATH:/usr/sbin:/sbin;; esac', 'set -e', ...lines].join('\n');
}

function optionsOf(params: UserParams, set: Partial<PresentUser>): string[] {
  const groups = set.groups === undefined ? [] : ['-G', set.groups.join(',')];
  return [
    ...(set.uid === undefined ? [] : ['-u', String(set.uid), ...(params.non_unique ? ['-o'] : [])]),
    ...(set.gid === undefined && set.group === undefined ? [] : ['-g', params.group!]),
    ...(set.comment === undefined ? [] : ['-c', set.comment]),
    ...(set.home === undefined ? [] : ['-d', set.home]),
    ...(set.shell === undefined ? [] : ['-s', set.shell]),
    ...groups,
  ];
}

function expireOption(change: UserChange): string[] {
  if (change.expires === undefined) return [];
  return ['-e', change.expires < 0 ? '' : new Date(change.expires * 86_400_000).toISOString().slice(0, 10)];
}

/** Lines that follow: the password (`chpasswd -e` takes a hash), its lock, its ages. */
function after(params: UserParams, change: UserChange): string[] {
  const name = quote(params.name);
  const { max, min } = change.expire ?? {};
  return [
    ...(change.password === undefined ? [] : ['chpasswd -e']),
    ...(change.lock === undefined ? [] : [`usermod ${change.lock ? '-L' : '-U'} ${name}`]),
    ...(change.expire === undefined
      ? []
      : [`chage${max === undefined ? '' : ` -M ${max}`}${min === undefined ? '' : ` -m ${min}`} ${name}`]),
  ];
}

function stdin(change: UserChange, name: string): { stdin?: string } {
  return change.password === undefined ? {} : { stdin: `${name}:${change.password}\n` };
}

function shadowAfter(change: UserChange, before: Shadow): Shadow {
  const { min, max } = change.expire ?? {};
  const password = change.password;
  return {
    ...before,
    ...(password === undefined ? {} : { digest: digestOf(password), locked: password.startsWith('!') }),
    ...(change.lock === undefined ? {} : { locked: change.lock }),
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(change.expires === undefined ? {} : { expires: change.expires < 0 ? undefined : change.expires }),
  };
}

/** What the host tells of a password field: see the user family. */
export function digestOf(password: string): string {
  const bare = password.replace(/^!/, '');
  return bare === '' || bare === '*' ? '' : createHash('sha256').update(bare).digest('hex');
}

/** What useradd decides by itself (uid, home, shell of a default) is not predicted. */
function addEffects(params: UserParams, change: UserChange, own: boolean, ctx: ModuleContext): Effect[] {
  const { name } = params;
  // Without a password the field is `!`.
  const shadow = shadowAfter(change, { digest: '', locked: true });
  const home = params.home ?? (params.system ? undefined : `/home/${name}`);
  const made: Effect[] = params.create_home && home ? [{ type: 'file.unknown', path: home, why: ctx.taskName }] : [];
  const private_: Effect[] = own ? [{ type: 'group.set', name, set: { members: [] } }] : [];
  return [
    { type: 'user.set', name, set: { groups: [], ...change.set, ...(own ? { group: name } : {}), shadow } },
    ...private_,
    ...made,
  ];
}

function stateField(before: string, after: string) {
  return { name: 'state', before, after };
}

function shown(change: UserChange) {
  return change.fields.map(({ name, before, after, secret }) =>
    secret ? { name, before: before && '***', after: '***' } : { name, before, after },
  );
}
