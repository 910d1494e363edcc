import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import { quoteAll } from '../core/quote.ts';
import { result } from '../core/result.ts';
import type { Step } from '../core/steps.ts';
import { Unknown, type Value } from '../jinja/values.ts';
import { type GroupFact, group, groupKey } from '../world/group.ts';
import { defineModule } from './define.ts';
import { tellEntry, withEntry } from './lib/told.ts';

interface GroupParams {
  name: string;
  state: 'present' | 'absent';
  gid?: number | undefined;
  system: boolean;
  non_unique: boolean;
  local: boolean;
  force: boolean;
}

export const groupModule = defineModule({
  name: 'group',
  doc: {
    summary: 'Makes, changes and removes groups',
    examples: '- group: {name: kube, system: true}\n- group: {name: deploy, gid: 1100}\n',
    returns: { name: 'the group', gid: 'its number', state: 'present or absent', system: 'as asked' },
  },
  params: {
    name: { type: 'str', operand: true, doc: 'The group', required: true },
    state: { type: 'str', doc: 'Whether it shall be there', choices: ['absent', 'present'], default: 'present' },
    gid: { type: 'int', doc: 'Its number' },
    system: { type: 'bool', doc: 'Take a number from the system range', default: false },
    non_unique: { type: 'bool', doc: 'Allow a number that is in use', default: false },
    local: { type: 'bool', doc: 'Use the commands that only look at local files', default: false },
    force: { type: 'bool', doc: "Remove it even when it is a user's primary group", default: false },
  },
  rules: { requiredIf: [{ param: 'non_unique', value: true, needs: ['gid'] }] },
  facts: (params) => [groupKey(params.name)],
  plan: (params, world, ctx) => planGroup(params as GroupParams, world, ctx),
  complete: (_params, predicted, outcomes) => withEntry(predicted, outcomes, ([, , gid]) => ({ gid: Number(gid) })),
});

function planGroup(params: GroupParams, world: WorldView, ctx: ModuleContext): Plan {
  const { name, state } = params;
  const fact = group(world, name);
  const step = stepOf(params, fact);
  const gid = params.gid ?? (fact.exists ? fact.gid : undefined) ?? new Unknown(ctx.taskName);
  const fields: Record<string, Value> = state === 'present' ? { system: params.system, gid } : {};
  return { steps: step ? [step] : [], result: result(step !== undefined, { name, state, ...fields }) };
}

function stepOf(params: GroupParams, fact: GroupFact): Step | undefined {
  if (params.state === 'absent') return fact.exists ? remove(params) : undefined;
  if (!fact.exists) return add(params);
  return params.gid !== undefined && params.gid !== fact.gid ? renumber(params, fact.gid) : undefined;
}

function add(params: GroupParams): Step {
  const { name, gid, local } = params;
  const argv = [
    local ? 'lgroupadd' : 'groupadd',
    ...(gid === undefined ? [] : ['-g', String(gid)]),
    ...(params.non_unique && !local ? ['-o'] : []),
    ...(params.system ? ['-r'] : []),
    name,
  ];
  return {
    title: `add group ${name}`,
    run: {
      kind: 'sh',
      script: `${withBusybox(argv, [
        'addgroup',
        ...(gid === undefined ? [] : ['-g', String(gid)]),
        ...(params.system ? ['-S'] : []),
        name,
      ])}\n${tellEntry('group', name)}`,
    },
    effects: [{ type: 'group.set', name, set: gid === undefined ? { members: [] } : { gid, members: [] } }],
    proof: [groupKey(name)],
    diff: fields(name, [
      { name: 'state', before: 'absent', after: 'present' },
      ...(gid === undefined ? [] : [{ name: 'gid', before: null, after: String(gid) }]),
    ]),
  };
}

function renumber(params: GroupParams, before: number | undefined): Step {
  const { name, gid, local } = params;
  const argv = [
    local ? 'lgroupmod' : 'groupmod',
    '-g',
    String(gid),
    ...(params.non_unique && !local ? ['-o'] : []),
    name,
  ];
  return {
    title: `change the number of group ${name} to ${gid}`,
    run: { kind: 'argv', argv },
    effects: [{ type: 'group.set', name, set: { gid } }],
    proof: [groupKey(name)],
    diff: fields(name, [{ name: 'gid', before: before === undefined ? null : String(before), after: String(gid) }]),
  };
}

function remove(params: GroupParams): Step {
  const { name, local } = params;
  const argv = [local ? 'lgroupdel' : 'groupdel', ...(params.force && !local ? ['-f'] : []), name];
  return {
    title: `remove group ${name}`,
    run: { kind: 'sh', script: withBusybox(argv, ['delgroup', name]) },
    effects: [{ type: 'group.remove', name }],
    proof: [groupKey(name)],
    diff: fields(name, [{ name: 'state', before: 'present', after: 'absent' }]),
  };
}

/** busybox has no shadow tools. */
function withBusybox(argv: string[], busybox: string[]): string {
  return `PATH=$PATH:/usr/sbin:/sbin
if command -v ${argv[0]} >/dev/null 2>&1; then ${quoteAll(argv)}; else ${quoteAll(busybox)}; fi || exit $?`;
}

function fields(name: string, changed: { name: string; before: string | null; after: string | null }[]): Step['diff'] {
  return [{ kind: 'fields', subject: `group ${name}`, fields: changed }];
}
