import type { FactKey } from '../../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../../core/module.ts';
import { type Result, result, TaskFailure, type Tri } from '../../core/result.ts';
import { Unknown, type Value } from '../../jinja/values.ts';
import { aptLists, aptListsKey } from '../../world/apt-lists.ts';
import { debKey } from '../../world/deb.ts';
import { packageFact, packageKey } from '../../world/package.ts';
import { type AptParams, namesOf } from './apt-params.ts';
import { type AptWork, aptStep } from './apt-step.ts';
import { aptWork, isUrl } from './apt-work.ts';
import { parseSpec } from './package-spec.ts';

/** What the parameters alone say must be asked. */
export function aptKeys(params: AptParams): FactKey[] {
  const names = namesOf(params).map((text) => packageKey(parseSpec(text).name));
  const keys = names.length > 0 ? names : [packageKey('dpkg')];
  if (params.deb !== undefined && !isUrl(params.deb)) keys.push(debKey(params.deb));
  return [...keys, ...(mayUpdate(params) ? [aptListsKey] : [])];
}

/** Nothing where nothing is missing, else one step that loads indexes and runs apt-get for all of it. */
export function planApt(params: AptParams, world: WorldView, ctx: ModuleContext): Plan {
  check(params);
  requireDpkg(params, world);
  const lists = mayUpdate(params) ? aptLists(world) : undefined;
  const due = lists !== undefined && lists.updated + params.cache_valid_time < lists.now;
  const work = aptWork(params, world, ctx, due);
  const alone = namesOf(params).length === 0 && params.upgrade === 'no' && params.deb === undefined;
  const update = due && (work.runs.length > 0 || alone);
  const changed = changedOf(work, update && alone);
  const values = valuesOf(params, update, lists?.updated, ctx);
  if (work.runs.length === 0 && !update) return { steps: [], result: result(false, values) };
  return { steps: [aptStep(params, work, update, ctx)], result: withOutput(result(changed, values), ctx) };
}

function changedOf(work: AptWork, loadsOnly: boolean): Tri {
  if (work.open) return work.open;
  return work.runs.length > 0 || loadsOnly;
}

function mayUpdate(params: AptParams): boolean {
  return params.update_cache === true || params.cache_valid_time > 0;
}

function check(params: AptParams) {
  if (params.deb !== undefined && params.state !== 'present') throw new TaskFailure('deb only supports state=present');
  if (params.tries < 1) throw new TaskFailure(`tries is ${params.tries}: there must be at least one`);
  const all = (params.name ?? []).some((name) => name.trim() === '*');
  if (all && params.state === 'latest' && namesOf(params).length > 0)
    throw new TaskFailure('unable to install additional packages when upgrading all installed packages');
}

/** Any package fact tells what manages packages there. */
function requireDpkg(params: AptParams, world: WorldView) {
  const fact = packageFact(world, parseSpec(namesOf(params)[0] ?? 'dpkg').name);
  if (fact.manager === 'dpkg') return;
  const has = fact.manager === 'none' ? 'no package manager that kpush knows' : fact.manager;
  throw new TaskFailure(`apt needs a Debian host, this one has ${has}`, {}, "when: ansible_facts.pkg_mgr == 'apt'");
}

function valuesOf(
  params: AptParams,
  update: boolean,
  updated: number | undefined,
  ctx: ModuleContext,
): Record<string, Value> {
  if (!mayUpdate(params)) return { cache_updated: false };
  return { cache_updated: update, cache_update_time: update ? new Unknown(ctx.taskName) : (updated ?? 0) };
}

function withOutput(predicted: Result, ctx: ModuleContext): Result {
  const later = new Unknown(ctx.taskName);
  const output = { stdout: later, stderr: later, stdout_lines: later, stderr_lines: later };
  return { ...predicted, values: new Map([...predicted.values, ...Object.entries(output)]) };
}
