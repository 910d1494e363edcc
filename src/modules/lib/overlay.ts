import type { Effect } from '../../core/effects.ts';
import type { Answer, FactKey, Wants } from '../../core/facts.ts';
import { loginIdentity } from '../../core/identity.ts';
import type { WorldView } from '../../core/module.ts';
import { World } from '../../world/world.ts';

/** The World as it is after a task's own first effects, for the facts named: what later steps of it rest on. */
export function afterEffects(world: WorldView, keys: readonly FactKey[], effects: readonly Effect[]): WorldView {
  const answers = keys.map((key) => ({
    identity: loginIdentity,
    key,
    answer: world.read(key.family, key.id, key.wants),
  }));
  const later = new World().withAnswers(answers).after(effects);
  return {
    read(family: string, id: string, wants?: Wants): Answer {
      const key = { family, id };
      return keys.some((one) => one.family === family && one.id === id)
        ? (later.find(loginIdentity, key) ?? world.read(family, id, wants))
        : world.read(family, id, wants);
    },
  };
}
