import type { LookupFunction, Value } from '../../jinja/index.ts';
import { Unknown, Unsafe } from '../../jinja/index.ts';
import { lines, pipe } from './commands.ts';
import { file, fileglob, firstFound, template } from './files.ts';
import { listLookups } from './lists.ts';
import { password } from './password.ts';
import type { Kwargs, Lookup, LookupPlace } from './place.ts';
import { csvfile, ini } from './tables.ts';
import { env, inventoryHostnames, varnames, vars } from './variables.ts';

/** What comes from outside the playbook: its text is data for ever. */
const outside: Readonly<Record<string, Lookup>> = {
  file,
  fileglob,
  env,
  pipe,
  lines,
  password,
  ini,
  csvfile,
  template,
};
const inside: Readonly<Record<string, Lookup>> = {
  ...listLookups,
  first_found: firstFound,
  vars,
  varnames,
  inventory_hostnames: inventoryHostnames,
};

/** Every lookup there is. */
export const lookupNames: readonly string[] = [...Object.keys(inside), ...Object.keys(outside)].sort();

/** The lookups of a scope, for the template engine, which marks what they give as unsafe. */
export function lookupsAt(place: LookupPlace): LookupFunction {
  return (name, terms, kwargs, context) => find(name)?.(terms, kwargs, place, context);
}

/** A lookup by name as `with_X` uses it; undefined: there is none. Text from outside the playbook is marked unsafe. */
export function runLookup(
  name: string,
  terms: readonly Value[],
  kwargs: Kwargs,
  place: LookupPlace,
): Value[] | Unknown | undefined {
  const found = find(name)?.(terms, kwargs, place);
  if (!found || found instanceof Unknown || !Object.hasOwn(outside, plainName(name))) return found;
  return found.map((value) => (typeof value === 'string' ? new Unsafe(value) : value));
}

function find(name: string): Lookup | undefined {
  const plain = plainName(name);
  if (Object.hasOwn(inside, plain)) return inside[plain];
  return Object.hasOwn(outside, plain) ? outside[plain] : undefined;
}

function plainName(name: string): string {
  return name.replace(/^(?:ansible\.builtin|ansible\.legacy|community\.general)\./, '');
}
