import { selectHosts } from '../patterns.ts';
import { type Lookup, option, term } from './place.ts';

/** Hosts that a pattern selects. */
export const inventoryHostnames: Lookup = (terms, _kwargs, { settings }) => {
  const patterns = terms.map(term);
  return selectHosts(patterns, settings.inventory, { what: 'the host pattern', warn: () => undefined });
};

/** Variables of the controller's environment. */
export const env: Lookup = (terms, kwargs, { settings }) =>
  terms.map((each) => settings.lookups?.env?.[term(each)] ?? option(kwargs, 'default') ?? '');
