import type { FactKey } from '../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import { result, TaskFailure } from '../core/result.ts';
import type { Step } from '../core/steps.ts';
import { type Depth, manager, managerKey } from '../world/manager.ts';
import { unitKey } from '../world/unit.ts';
import { defineModule } from './define.ts';
import { completeUnit, planUnit } from './lib/unit-change.ts';

const states = ['reloaded', 'restarted', 'started', 'stopped'] as const;
const scopes = ['system', 'user', 'global'] as const;

interface SystemdParams {
  name?: string | undefined;
  state?: (typeof states)[number] | undefined;
  enabled?: boolean | undefined;
  masked?: boolean | undefined;
  daemon_reload: boolean;
  daemon_reexec: boolean;
  scope: (typeof scopes)[number];
  no_block: boolean;
}

export const systemdModule = defineModule({
  name: 'systemd',
  aliases: ['systemd_service'],
  doc: {
    summary: 'Starts, stops, enables and masks units',
    notes: [
      'What the unit will be once started is predicted from its Type and RemainAfterExit, and proved after it ran.',
      'The manager is reloaded when `daemon_reload` asks for it and anything on disk is newer than what is loaded, and in any case before a unit is started whose file changed. A reload counts as no change.',
      'When [Install] of an enabled unit changed, it is enabled anew, so that links of the old text go.',
    ],
    examples: '- systemd: {name: kubelet, state: started, enabled: true, daemon_reload: true}\n',
    returns: {
      name: 'the unit as given',
      state: 'as asked',
      enabled: 'as asked',
      status: 'properties before the change',
    },
  },
  params: {
    name: { type: 'str', doc: 'The unit; `.service` where no type is given', aliases: ['service', 'unit'] },
    state: { type: 'str', doc: 'What it shall be', choices: states },
    enabled: { type: 'bool', doc: 'Whether it starts at boot' },
    force: { type: 'bool', doc: 'Replace links that are in the way' },
    masked: { type: 'bool', doc: 'Whether it cannot be started at all' },
    daemon_reload: { type: 'bool', doc: 'Load what changed on disk', default: false, aliases: ['daemon-reload'] },
    daemon_reexec: { type: 'bool', doc: 'Execute the manager anew', default: false, aliases: ['daemon-reexec'] },
    scope: { type: 'str', doc: 'Whose manager', choices: scopes, default: 'system' },
    no_block: { type: 'bool', doc: 'Do not wait for the job', default: false },
  },
  rules: {
    oneOf: [['state', 'enabled', 'masked', 'daemon_reload', 'daemon_reexec']],
  },
  facts: (params) => keysOf(params as SystemdParams),
  plan: (params, world, ctx) => planOf(params as SystemdParams, world, ctx),
  complete: (params, predicted, outcomes) => completeUnit(params.name, predicted, outcomes),
});

function keysOf(params: SystemdParams): FactKey[] {
  const reload = params.daemon_reload && params.scope !== 'global' ? [managerKey(params.scope, depthOf(params))] : [];
  return params.name === undefined ? reload : [...reload, unitKey(params.name, params.scope)];
}

function planOf(params: SystemdParams, world: WorldView, ctx: ModuleContext): Plan {
  const reload =
    params.daemon_reload && params.scope !== 'global' && manager(world, params.scope, depthOf(params)).stale;
  if (params.name === undefined) return managerOnly(params, reload);
  refusePattern(params.name);
  const { name, scope, state, enabled, masked } = params;
  const wanted = {
    name,
    scope,
    state,
    enabled,
    masked,
    reload,
    ownReload: params.daemon_reload,
    reexec: params.daemon_reexec,
    noBlock: params.no_block,
  };
  return planUnit(wanted, world, ctx);
}

function depthOf(params: SystemdParams): Depth {
  return params.name === undefined ? 'all' : 'written';
}

function managerOnly(params: SystemdParams, reload: boolean): Plan {
  const needs = (['state', 'enabled', 'masked'] as const).find((name) => params[name] !== undefined);
  if (needs) throw new TaskFailure(`missing parameter(s) required by '${needs}': name`);
  const ops: Extract<Step['run'], { kind: 'systemd' }>['ops'] = [
    ...(params.daemon_reexec ? [{ op: 'daemon-reexec' as const }] : []),
    ...(reload ? [{ op: 'daemon-reload' as const }] : []),
  ];
  const answer = result(false, { name: null, status: new Map() });
  if (ops.length === 0) return { steps: [], result: answer };
  const title = ops.map(({ op }) => op).join(', ');
  const run = { kind: 'systemd' as const, ops, scope: params.scope };
  return { steps: [{ title, run, effects: [{ type: 'systemd.reload' }], always: true }], result: answer };
}

function refusePattern(name: string) {
  const found = /[*?[]/.exec(name);
  if (found)
    throw new TaskFailure(
      `This module does not currently support using glob patterns, found '${found[0]}' in service name: ${name}`,
    );
}
