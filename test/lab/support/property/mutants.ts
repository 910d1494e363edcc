import type { Effect, FilePut } from '../../../../src/core/effects.ts';
import type { Module, Plan } from '../../../../src/core/module.ts';
import type { Step } from '../../../../src/core/steps.ts';
import { probeKey } from '../../../../src/world/probe.ts';

/** A planted fault: the module that stands in for the real one of that name. */
export interface Mutant {
  name: string;
  replace(module: Module): Module;
}

/** Faults that the property must find. */
export const mutants: Mutant[] = [
  {
    name: 'a module that writes and says that nothing changed',
    replace: planned('copy', (plan) => ({ ...plan, result: { ...plan.result, changed: false } })),
  },
  {
    name: 'a module that leaves the mode out of its diff',
    replace: planned('file', (plan) => ({ ...plan, steps: plan.steps.map(withoutMode) })),
  },
  {
    name: 'a module whose effect drops the mode',
    replace: planned('copy', (plan) => withEffects(plan, (effect) => without(effect, 'mode'))),
  },
  {
    name: 'a module whose effects drop the key of what it made',
    replace: planned('file', (plan) => ({ ...plan, steps: plan.steps.map((step) => ({ ...step, effects: [] })) })),
  },
  {
    name: 'a module whose effect keeps the old text',
    replace: planned('lineinfile', (plan) => withEffects(plan, (effect) => without(effect, 'text', 'sha256'))),
  },
  {
    name: 'a module that writes while planning',
    replace: (module) => (module.name === 'stat' ? writing(module) : module),
  },
];

function planned(name: string, change: (plan: Plan) => Plan): Mutant['replace'] {
  return (module) =>
    module.name === name
      ? { ...module, plan: (params, world, ctx) => change(module.plan(params, world, ctx)) }
      : module;
}

function withEffects(plan: Plan, change: (effect: FilePut) => Effect): Plan {
  const changed = (effect: Effect) => (effect.type === 'file.put' ? change(effect) : effect);
  return { ...plan, steps: plan.steps.map((step) => ({ ...step, effects: step.effects.map(changed) })) };
}

function without(effect: FilePut, ...names: string[]): FilePut {
  return Object.fromEntries(Object.entries(effect).filter(([name]) => !names.includes(name))) as unknown as FilePut;
}

function withoutMode(step: Step): Step {
  const diff = step.diff?.map((one) =>
    one.kind === 'fields' ? { ...one, fields: one.fields.filter(({ name }) => name !== 'mode') } : one,
  );
  return { ...step, ...(diff ? { diff } : {}) };
}

/** Its question is no question: a command that leaves a file beside what it looks at. */
function writing(module: Module): Module {
  return {
    ...module,
    facts: (params, ctx) => {
      const { path } = params as unknown as { path: string };
      const command = `d=$(dirname '${path}'); [ ! -d "$d" ] || : >"$d/written"`;
      return [...module.facts(params, ctx), probeKey({ command })];
    },
  };
}
