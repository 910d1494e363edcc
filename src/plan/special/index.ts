import type { Instance, Instanced } from '../instance.ts';
import { assertThat } from './assert.ts';
import { debug } from './debug.ts';
import { includeRole, includeTasks } from './include.ts';
import { includeVars } from './include-vars.ts';
import { meta } from './meta.ts';
import { setFact } from './set-fact.ts';

/** Tasks about the run itself, not about the host: planned here, with no facts and no steps. */
export const specials: ReadonlyMap<string, (instance: Instance) => Instanced> = new Map([
  ['assert', assertThat],
  ['debug', debug],
  ['include_role', includeRole],
  ['include_tasks', includeTasks],
  ['include_vars', includeVars],
  ['meta', meta],
  ['set_fact', setFact],
]);
