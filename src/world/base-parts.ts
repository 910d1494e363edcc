import type { Value } from '../jinja/values.ts';

/** The pieces of a base record: text by section, `lines` as NAME=VALUE, `has`/`tool` gathered. */
export interface BaseParts {
  section(name: string): string;
  line(name: string): string;
  has(path: string): boolean;
  tool(name: string): boolean;
}

/** A plain object as a dict, deeply not: its values are values already. */
export function dict(object: Readonly<Record<string, Value | undefined>>): Map<Value, Value> {
  return new Map(Object.entries(object).filter((entry): entry is [string, Value] => entry[1] !== undefined));
}

/** NAME=VALUE lines; the first of a name wins. */
export function pairs(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split('\n')) {
    const equals = line.indexOf('=');
    if (equals > 0 && !found.has(line.slice(0, equals))) found.set(line.slice(0, equals), line.slice(equals + 1));
  }
  return found;
}
