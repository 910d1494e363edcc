import { TemplateError, Undefined, type Value } from '../../jinja/index.ts';
import { selectHosts } from '../patterns.ts';
import { type Lookup, lookupError, option, term } from './place.ts';

/** Values of variables by name. */
export const vars: Lookup = (terms, kwargs, { scope }) =>
  terms.map((each) => {
    const name = term(each);
    const value = scope.get(name);
    if (value !== undefined && !(value instanceof Undefined)) return value;
    const fallback = option(kwargs, 'default');
    if (fallback !== undefined) return fallback;
    throw new TemplateError(
      'undefined',
      value instanceof Undefined ? value.hint : `No variable found with this name: ${name}`,
      { undefinedName: name },
    );
  });

/** Names of variables that match regular expressions. */
export const varnames: Lookup = (terms, _kwargs, { scope }) => {
  const patterns = terms.map((each) => regex(term(each)));
  return patterns.flatMap((pattern): Value[] => [...scope.names()].filter((name) => pattern.test(name)));
};

function regex(source: string): RegExp {
  try {
    return new RegExp(source);
  } catch (error) {
    throw lookupError(`Unable to use "${source}" as a search parameter: ${(error as Error).message}`);
  }
}

/** Hosts that a pattern selects. */
export const inventoryHostnames: Lookup = (terms, _kwargs, { settings }) => {
  const patterns = terms.map(term);
  return selectHosts(patterns, settings.inventory, { what: 'the host pattern', warn: () => undefined });
};

/** Variables of the controller's environment. */
export const env: Lookup = (terms, kwargs, { settings }) =>
  terms.map((each) => settings.lookups?.env?.[term(each)] ?? option(kwargs, 'default') ?? '');
