import type { Module } from '../core/module.ts';
import type { ParamSpecs } from '../core/params.ts';

/** A module whose `facts` and `plan` get their parameters with the types that the specification says. */
export function defineModule<const S extends ParamSpecs>(module: Module<S>): Module<S> {
  return module;
}
