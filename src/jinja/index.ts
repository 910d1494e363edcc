export * from './api.ts';
export type { Expression, Template } from './ast.ts';
export * from './environment.ts';
export * from './errors.ts';
export * from './values.ts';
