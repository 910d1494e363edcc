import { dirname } from 'node:path';
import { Unknown, type Value } from '../../jinja/index.ts';
import { askerAt, type Lookup, type LookupPlace, lookupError, term } from './place.ts';

/** Output of controller commands, without the white space at its end. */
export const pipe: Lookup = (terms, _kwargs, place) =>
  collected(terms, (each) => {
    const stdout = run(term(each), 'pipe', place);
    return stdout instanceof Unknown ? stdout : [stdout.trimEnd()];
  });

/** The same, line by line. */
export const lines: Lookup = (terms, _kwargs, place) =>
  collected(terms, (each) => {
    const stdout = run(term(each), 'lines', place);
    return stdout instanceof Unknown
      ? stdout
      : stdout
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => line.replace(/\r$/, ''));
  });

function collected(terms: readonly Value[], each: (term: Value) => string[] | Unknown): Value[] | Unknown {
  const all: Value[] = [];
  for (const value of terms) {
    const found = each(value);
    if (found instanceof Unknown) return found;
    all.push(...found);
  }
  return all;
}

function run(command: string, name: string, place: LookupPlace): string | Unknown {
  const { settings, point } = place;
  if (!settings.lookups?.run)
    throw lookupError(`the lookup ${name} runs a command, which is not allowed here: ${command}`);
  const result = settings.lookups.run(command, dirname(point.play.file), askerAt(place));
  if (result instanceof Unknown) return result;
  if (result.problem) throw lookupError(`the lookup ${name} could not run '${command}': ${result.problem}`);
  if (result.rc !== 0) throw lookupError(`lookup_plugin.${name}(${command}) returned ${result.rc}`);
  return result.stdout;
}
