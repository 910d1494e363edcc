import { coerceParams } from '../core/coerce.ts';

import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { TaskFailure } from '../core/result.ts';
import { packageFact } from '../world/package.ts';
import { aptModule } from './apt.ts';
import { defineModule } from './define.ts';
import type { AptParams } from './lib/apt-params.ts';
import { aptKeys, planApt } from './lib/apt-plan.ts';
import { completeApt } from './lib/apt-result.ts';
import { completeRpm, planRpm, type RpmParams, rpmKeys, rpmParams } from './lib/rpm-plan.ts';

const { list: _list, state: _state, ...rpmOnly } = rpmParams;

const params = {
  ...rpmOnly,
  ...aptModule.params,
  state: { type: 'str', doc: 'present, absent or latest', default: 'present' },
  use: { type: 'str', doc: 'Package manager: apt or dnf; auto: what the host has', default: 'auto' },
} as const satisfies ParamSpecs;

type PackageParams = Params<typeof params>;

export const packageModule = defineModule({
  name: 'package',
  doc: {
    summary: 'Installs and removes packages with whatever the host has',
    notes: ['What apt does on Debian, and dnf on hosts with RPM packages. Parameters are handed on to it.'],
    examples: '- package: {name: [socat, conntrack], state: present}\n',
  },
  params,
  facts: (given) => [...aptKeys(aptParams(given)), ...(given.use === 'auto' ? [] : managerKeys(given))],
  plan: (given, world, ctx) => planPackage(given, world, ctx),
  complete: (_given, predicted, outcomes) =>
    predicted.values.has('results') ? completeRpm(predicted, outcomes) : completeApt(predicted, outcomes),
});

function planPackage(given: PackageParams, world: WorldView, ctx: ModuleContext): Plan {
  const manager = managerOf(given, world);
  refuseForeign(given, manager);
  return manager === 'apt' ? planApt(aptParams(given), world, ctx) : planRpm(rpmParamsOf(given), world, ctx);
}

function managerKeys(given: PackageParams) {
  return given.use === 'apt' ? [] : rpmKeys(rpmParamsOf(given));
}

function managerOf(given: PackageParams, world: WorldView): 'apt' | 'dnf' {
  if (given.use === 'apt') return 'apt';
  if (given.use === 'dnf' || given.use === 'yum') return 'dnf';
  if (given.use !== 'auto') throw new TaskFailure(`kpush has no package manager ${given.use}`, {}, 'use: apt or dnf');
  const { manager } = packageFact(world, (given.name?.[0] ?? 'dpkg').split(/[=<>/]/)[0]!);
  return manager === 'rpm' ? 'dnf' : 'apt';
}

/** As the manager's own module refuses what only another knows. */
function refuseForeign(given: PackageParams, manager: 'apt' | 'dnf'): void {
  const own: ParamSpecs = manager === 'apt' ? aptModule.params : rpmParams;
  const foreign = Object.entries(params as ParamSpecs).find(
    ([name, spec]) => !(name in own) && name !== 'use' && isSet((given as Record<string, unknown>)[name], spec.default),
  );
  if (foreign) throw new TaskFailure(`Unsupported parameters for (${manager}) module: ${foreign[0]}`);
}

function isSet(value: unknown, fallback: unknown): boolean {
  return value !== undefined && JSON.stringify(value) !== JSON.stringify(fallback);
}

const states: Record<string, 'present' | 'absent' | 'latest'> = {
  present: 'present',
  installed: 'present',
  absent: 'absent',
  removed: 'absent',
  latest: 'latest',
};

function aptParams(given: PackageParams): AptParams {
  return { ...(given as unknown as AptParams), state: stateOf(given) };
}

/** What apt's parameters have a meaning of their own for falls back to dnf's. */
function rpmParamsOf(given: PackageParams): RpmParams {
  const same = Object.keys(rpmParams).filter((name) => name !== 'state' && name in given);
  const values = Object.fromEntries(same.map((name) => [name, (given as Record<string, unknown>)[name]]));
  const set = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  const { params: coerced } = coerceParams(rpmParams, { ...set, state: stateOf(given) }, { module: 'dnf' });
  return coerced as RpmParams;
}

function stateOf({ state }: PackageParams): 'present' | 'absent' | 'latest' {
  const known = states[state];
  if (!known) throw new TaskFailure(`value of state must be one of: ${Object.keys(states).join(', ')}, got: ${state}`);
  return known;
}
