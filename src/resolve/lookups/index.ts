import type { LookupFunction } from '../../jinja/index.ts';
import { lines, pipe } from './commands.ts';
import { file, fileglob, firstFound, template } from './files.ts';
import { password } from './password.ts';
import type { Lookup, LookupPlace } from './place.ts';
import { csvfile, ini } from './tables.ts';
import { env, inventoryHostnames } from './variables.ts';

/** Lookups that need files, processes or the inventory; the engine has those that need only terms and variables. */
const lookups = {
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
} satisfies Record<string, Lookup>;

/** One line each for the reference pages. */
export const lookupDocs: Readonly<Record<keyof typeof lookups, { doc: string }>> = {
  csvfile: { doc: 'A column of the line of a CSV file whose first field is the term.' },
  env: { doc: 'Variables of the environment that kpush was started in.' },
  file: { doc: 'Texts of files of the controller.' },
  fileglob: { doc: 'Paths of files of the controller that match.' },
  first_found: { doc: 'The first of the files that is there.' },
  ini: { doc: 'An option of an INI file of the controller.' },
  inventory_hostnames: { doc: 'Hosts that match a pattern.' },
  lines: { doc: 'Lines that commands on the controller print.' },
  password: { doc: 'A random password, kept in a file of the controller.' },
  pipe: { doc: 'What commands on the controller print.' },
  template: { doc: 'Rendered templates of the controller.' },
};

export const lookupNames: readonly string[] = Object.keys(lookups);

/** The lookups of a scope, for the template engine, which marks what they give as unsafe. */
export function lookupsAt(place: LookupPlace): LookupFunction {
  return (name, terms, kwargs, { env }) => find(name)?.(terms, kwargs, { ...place, random: env.randomBytes });
}

function find(name: string): Lookup | undefined {
  const plain = name.replace(/^(?:ansible\.builtin|ansible\.legacy|community\.general)\./, '');
  return Object.hasOwn(lookups, plain) ? (lookups as Record<string, Lookup>)[plain] : undefined;
}
