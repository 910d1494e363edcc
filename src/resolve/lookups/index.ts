import type { LookupFunction } from '../../jinja/index.ts';
import { lines, pipe } from './commands.ts';
import { file, fileglob, firstFound, template } from './files.ts';
import { password } from './password.ts';
import type { Lookup, LookupPlace } from './place.ts';
import { csvfile, ini } from './tables.ts';
import { env, inventoryHostnames } from './variables.ts';

/** Lookups that need files, processes or the inventory; the engine has those that need only terms and variables. */
const lookups: Readonly<Record<string, Lookup>> = {
  csvfile,
  env,
  file,
  fileglob,
  first_found: firstFound,
  ini,
  inventory_hostnames: inventoryHostnames,
  lines,
  password,
  pipe,
  template,
};

export const lookupNames: readonly string[] = Object.keys(lookups);

/** The lookups of a scope, for the template engine, which marks what they give as unsafe. */
export function lookupsAt(place: LookupPlace): LookupFunction {
  return (name, terms, kwargs, { env }) => find(name)?.(terms, kwargs, { ...place, random: env.randomBytes });
}

function find(name: string): Lookup | undefined {
  const plain = name.replace(/^(?:ansible\.builtin|ansible\.legacy|community\.general)\./, '');
  return Object.hasOwn(lookups, plain) ? lookups[plain] : undefined;
}
