import type { Effect } from '../core/effects.ts';
import type { PlannedStep } from '../core/steps.ts';
import type { Unknown } from '../jinja/values.ts';
import type { Instanced } from './instance.ts';
import type { ModuleCall } from './module-task.ts';
import { unknownOutcome } from './outcome.ts';

/** A task that cannot be planned now: everything it looks at may come out differently. */
export function doubtful(call: ModuleCall, unknown: Unknown): Instanced {
  const effects: Effect[] = call.module
    .facts(call.params, call.context)
    .map(({ family, id }) =>
      family === 'file' || family === 'content'
        ? { type: 'file.unknown', path: id, why: whyAfter(call) }
        : { type: 'fact.unknown', family, id, why: whyAfter(call) },
    );
  return inDoubt(call, unknown, effects, []);
}

/** Steps that are taken only if an unknown condition holds. */
export function doubtfulSteps(call: ModuleCall, steps: PlannedStep[], unknown: Unknown): Instanced {
  return inDoubt(call, unknown, doubtedEffects(call, steps), steps);
}

/** What steps bring about that may have been taken or not. */
export function doubtedEffects(call: ModuleCall, steps: readonly PlannedStep[]): Effect[] {
  return steps.flatMap((step) => step.effects).map((effect) => doubted(effect, whyAfter(call)));
}

function inDoubt(call: ModuleCall, unknown: Unknown, effects: Effect[], steps: PlannedStep[]): Instanced {
  const { state, env } = call.instance;
  const outcome = unknownOutcome(unknown, steps, call.module.doc.returns);
  if (env.scout) return { state, outcome };
  const all: Effect[] = call.module.opaque ? [...effects, { type: 'opaque', why: whyAfter(call) }] : effects;
  const world = call.on === env.host ? state.world.after(all).predicted() : state.world;
  return { state: { ...state, world }, outcome };
}

function doubted(effect: Effect, why: string): Effect {
  switch (effect.type) {
    case 'file.put':
    case 'file.remove':
    case 'file.unknown':
      return { type: 'file.unknown', path: effect.path, why };
    case 'unit.set':
      return { type: 'fact.unknown', family: 'unit', id: effect.unit, why };
    case 'package.set':
      return { type: 'fact.unknown', family: 'package', id: effect.name, why };
    case 'user.set':
    case 'user.remove':
      return { type: 'fact.unknown', family: 'user', id: effect.name, why };
    case 'group.set':
    case 'group.remove':
      return { type: 'fact.unknown', family: 'group', id: effect.name, why };
    case 'sysctl.set':
      return { type: 'fact.unknown', family: 'sysctl', id: effect.name, why };
    case 'kmod.set':
      return { type: 'fact.unknown', family: 'kmod', id: effect.name, why };
    case 'fact.set':
      return { type: 'fact.unknown', family: effect.family, id: effect.id, why };
    default:
      return effect;
  }
}

function whyAfter(call: ModuleCall): string {
  return call.context.taskName;
}
