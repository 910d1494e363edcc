import type { Plan, WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import type { Diff, Step } from '../core/steps.ts';
import { file, fileKey, type PresentFile } from '../world/file.ts';
import { fullName, type UnitFact, unit, unitKey } from '../world/unit.ts';
import { defineModule } from './define.ts';
import { completeUnit, planUnit } from './lib/unit-change.ts';

export const freshServiceModule = defineModule({
  name: 'fresh_service',
  doc: {
    summary: 'A service runs, and with what its files say now',
    notes: [
      'It is started when it does not run, and restarted when one of `files` is newer than its start. Unlike a notified handler this also holds after a run that was cut off between the change and the restart.',
      'systemd notes a start in /run/systemd/units (since 236); where that is missing a running service is left alone.',
      'What failed before is reset first, so that a start limit does not stand in the way.',
    ],
    examples: `- fresh_service:
    name: kubelet.service
    enabled: true
    files: [/etc/systemd/system/kubelet.service, /usr/local/bin/kubelet, /etc/kubernetes/kubelet.yaml]
`,
    returns: { name: 'the unit', state: 'started', newer: 'files that are newer than its start' },
  },
  params: {
    name: { type: 'str', doc: 'The unit', required: true },
    files: { type: 'list', elements: 'path', doc: 'What it must have been started after', default: [] },
    enabled: { type: 'bool', doc: 'Whether it starts at boot' },
    creates: {
      type: 'list',
      elements: 'path',
      doc: 'Files that its start makes: a plan does not take them for missing',
      default: [],
    },
    no_block: { type: 'bool', doc: 'Do not wait for the job', default: false },
  },
  facts: (params) => [unitKey(params.name), ...[startedPath(params.name), ...params.files].map(fileKey)],
  plan(params, world, ctx) {
    const fact = unit(world, params.name);
    const newer = runs(fact) ? newerThanStart(params.name, params.files, world) : [];
    const state = newer.length > 0 ? 'restarted' : 'started';
    const { name, enabled, no_block: noBlock } = params;
    const plan = planUnit({ name, scope: 'system', state, enabled, noBlock }, world, ctx);
    return withReason(creating(params, resetFirst(params.name, fact, plan)), newer);
  },
  complete: (params, predicted, outcomes) => completeUnit(params.name, predicted, outcomes),
});

/** A link that systemd makes anew at each start; its time has nanoseconds, the properties of a unit only seconds. */
function startedPath(name: string): string {
  return `/run/systemd/units/invocation:${fullName(name)}`;
}

function runs(fact: UnitFact): boolean {
  return fact.active === 'active' || fact.active === 'activating' || fact.active === 'reloading';
}

/** A file this run has changed has no time yet: it is newer by any measure. */
function newerThanStart(name: string, paths: readonly string[], world: WorldView): string[] {
  const link = file(world, startedPath(name));
  if (!link.exists || link.mtime === undefined) return [];
  return paths.filter((path) => {
    const fact = file(world, path);
    return fact.exists && isLater(fact, link.mtime!);
  });
}

function isLater(fact: PresentFile, start: string): boolean {
  if (fact.mtime === undefined) return true;
  const [seconds, nanos] = fact.mtime.split('.') as [string, string];
  const [startSeconds, startNanos] = start.split('.') as [string, string];
  return Number(seconds) === Number(startSeconds) ? nanos > startNanos : Number(seconds) > Number(startSeconds);
}

function resetFirst(name: string, fact: UnitFact, plan: Plan): Plan {
  if (fact.active !== 'failed' || plan.steps.length === 0) return plan;
  const unitName = fullName(name);
  const reset: Step = {
    title: `forget that ${unitName} failed`,
    run: { kind: 'sh', script: `systemctl reset-failed -- ${quote(unitName)}` },
    effects: [{ type: 'unit.set', unit: unitKey(name).id, set: { active: 'inactive' } }],
  };
  return { ...plan, steps: [reset, ...plan.steps] };
}

function creating({ name, creates }: { name: string; creates: string[] }, plan: Plan): Plan {
  const last = plan.steps.at(-1);
  if (!last || creates.length === 0) return plan;
  const made = creates.map((path) => ({ type: 'file.unknown' as const, path, why: `${name} is started` }));
  return { ...plan, steps: [...plan.steps.slice(0, -1), { ...last, effects: [...last.effects, ...made] }] };
}

/** A plan shows the changes of a step, not its title. */
function withCause(diff: Diff, newer: string[]): Diff {
  if (diff.kind !== 'fields') return diff;
  return { ...diff, fields: [...diff.fields, { name: 'newer than its start', before: null, after: newer.join(', ') }] };
}

function withReason(plan: Plan, newer: string[]): Plan {
  const result = { ...plan.result, values: new Map([...plan.result.values, ['newer', newer]]) };
  if (newer.length === 0) return { ...plan, result };
  const steps = plan.steps.map((step) => ({
    ...step,
    title: `${step.title}: newer ${newer.join(', ')}`,
    diff: step.diff?.map((diff) => withCause(diff, newer)),
  }));
  return { ...plan, steps, result };
}
