import type { Effect } from '../core/effects.ts';
import type { PresentFile } from './file.ts';

/**
 * Files keep the number of their owner and group when an account comes or goes; the names that stat tells for them
 * change. Undefined: the effect has nothing to do with this file.
 */
export function renamedBy(effect: Effect, fact: PresentFile): Partial<PresentFile> | undefined {
  if (effect.type === 'user.remove') return without(effect.name, fact, ['owner', 'group']);
  if (effect.type === 'group.remove') return without(effect.name, fact, ['group']);
  if (effect.type === 'user.set') return without(nobody, fact, ['owner', 'group']);
  if (effect.type === 'group.set') return without(nobody, fact, ['group']);
  return undefined;
}

/** The name that may not be true any more. Undefined: the effect has nothing to do with names. */
export function staleName(effect: Effect): string | undefined {
  if (effect.type === 'user.remove' || effect.type === 'group.remove') return effect.name;
  return effect.type === 'user.set' || effect.type === 'group.set' ? nobody : undefined;
}

/** What stat says for a number without an account. */
const nobody = 'UNKNOWN';

/** A user's own group may go with it, and a new account may take an old number: those names are not predicted. */
function without(name: string, fact: PresentFile, fields: readonly ('owner' | 'group')[]) {
  const stale = fields.filter((field) => fact[field] === name);
  return stale.length === 0 ? undefined : Object.fromEntries(stale.map((field) => [field, undefined]));
}
