import { dirname } from 'node:path';
import type { EvalPoint, VarState } from '../core/evaluator.ts';
import type { Node } from '../core/node.ts';
import type { Play, Role } from '../core/play.ts';
import type { Value } from '../jinja/values.ts';
import type { HostLayers } from './host-layers.ts';
import type { Host } from './inventory.ts';
import { entriesLayer, type Layer, nodeLayers, valuesLayer } from './layer.ts';
import { roleOf } from './magic.ts';
import { connectionVars, factName } from './names.ts';
import {
  ownRoleDefaults,
  ownRoleParams,
  ownRoleVars,
  roleDefaults,
  roleVars,
  sharedRoleDefaults,
  sharedRoleVars,
} from './role-layers.ts';
import type { ResolveSettings } from './settings.ts';

export interface LayerTools {
  settings: ResolveSettings;
  hosts: HostLayers;
  /** Variables of the play's vars_files for this host, weakest first. */
  varsFiles(point: EvalPoint, host: Host): readonly Node[];
}

/** Ansible's order of precedence at a point, strongest first; magic variables stand above and are not in it. */
export function pointLayers(point: EvalPoint, host: Host, tools: LayerTools): Layer[] {
  const { settings } = tools;
  const role = roleOf(point);
  return present([
    entriesLayer('-e', settings.extraVars?.entries),
    valuesLayer('a variable of the loop or rescue', point.locals),
    ...nodeLayers('the vars of an include', point.includeParams),
    ownRoleParams(role),
    valuesLayer('set_fact or register', point.state.set),
    valuesLayer('include_vars', point.state.included, true),
    ...nodeLayers('the vars of the task', [point.task?.keywords.vars]),
    ...nodeLayers('the vars of a block', point.blockVars),
    ownRoleVars(role),
    ...exposedRoles(point).map(roleVars),
    sharedRoleVars(point.play),
    deferred(() => nodeLayers('vars_files', tools.varsFiles(point, host))),
    valuesLayer('vars_prompt', settings.prompted?.get(point.play.id) ?? new Map()),
    ...nodeLayers('the vars of the play', [point.play.keywords.vars]),
    ...weakLayers(point.state, host, dirname(point.play.file), tools),
    ownRoleDefaults(role),
    ...exposedRoles(point).map(roleDefaults),
    sharedRoleDefaults(point.play),
  ]);
}

/** Roles that this host has included with `public: true` in this play, the last one first. */
function exposedRoles({ state, play }: EvalPoint): Role[] {
  const mine = (state.exposed ?? []).filter((each) => each.play === play.id).map(({ role }) => role);
  return [...new Set(mine.reverse())];
}

/** What a play's vars_files may use: all that is weaker, and `-e`. */
export function belowVarsFiles(point: EvalPoint, host: Host, tools: LayerTools): Layer[] {
  return present([
    entriesLayer('-e', tools.settings.extraVars?.entries),
    ...nodeLayers('the vars of the play', [point.play.keywords.vars]),
    ...weakLayers(point.state, host, dirname(point.play.file), tools),
    sharedRoleDefaults(point.play),
  ]);
}

/** What hostvars shows of a host: nothing of any play. */
export function hostLayers(state: () => VarState, host: Host, play: Play, tools: LayerTools): Layer[] {
  const { settings } = tools;
  const produced = (name: string) => settings.produced?.(name) !== false;
  return present([
    entriesLayer('-e', settings.extraVars?.entries),
    lazily(produced, () => valuesLayer('set_fact or register', state().set)),
    lazily(produced, () => valuesLayer('include_vars', state().included, true)),
    lazily(mayBeFact, () => factsLayer(state().facts)),
    ...tools.hosts.of(host, dirname(play.file)),
  ]);
}

/** Connection variables have the prefix of facts but are none. */
function mayBeFact(name: string): boolean {
  return name === 'ansible_facts' || (factName(name) !== undefined && !connectionVars.has(name));
}

function weakLayers(state: VarState, host: Host, playDir: string, tools: LayerTools): Layer[] {
  return [factsLayer(state.facts), ...tools.hosts.of(host, playDir)];
}

/** Facts under `ansible_facts` and by their own prefixed names. */
function factsLayer(facts: ReadonlyMap<string, Value>): Layer {
  const layer = 'a fact';
  return {
    find(name) {
      if (name === 'ansible_facts') return { layer, value: facts as Map<string, Value> as Map<Value, Value> };
      const fact = factName(name);
      const value = fact === undefined ? undefined : facts.get(fact);
      return value === undefined ? undefined : { layer, value };
    },
    *names() {
      yield 'ansible_facts';
      for (const name of facts.keys()) yield factName(name) === name ? name : `ansible_${name}`;
    },
  };
}

/** A layer of another host: its state is asked for only when the name can be in it, since asking may mean waiting. */
function lazily(may: (name: string) => boolean, make: () => Layer | undefined): Layer {
  return {
    find: (name) => (may(name) ? make()?.find(name) : undefined),
    names: () => make()?.names() ?? [],
  };
}

/** Layers made when the first name comes as far as them. */
function deferred(make: () => Layer[]): Layer {
  let made: Layer[] | undefined;
  const layers = () => {
    made ??= make();
    return made;
  };
  return {
    find(name) {
      for (const layer of layers()) {
        const found = layer.find(name);
        if (found) return found;
      }
      return undefined;
    },
    findAll: (name) => layers().flatMap((layer) => layer.findAll?.(name) ?? layer.find(name) ?? []),
    *names() {
      for (const layer of layers()) yield* layer.names();
    },
  };
}

function present(layers: (Layer | undefined)[]): Layer[] {
  return layers.filter((layer) => layer !== undefined);
}
