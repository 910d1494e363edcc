export * from './api.ts';
export * from './environment.ts';
export * from './errors.ts';
export { Dict, mappingGet } from './python/dict.ts';
export type { Template } from './syntax/ast.ts';
export * from './values.ts';
