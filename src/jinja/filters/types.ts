/** What most filters need, in one import. */
export { type FilterTable, filter, openFilter } from '../definitions.ts';
export type { Context } from '../environment.ts';
export { typeError } from '../errors.ts';
export * from '../values.ts';
