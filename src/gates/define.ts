import type { Gate } from '../core/gate.ts';
import type { ParamSpecs } from '../core/params.ts';

/** A gate whose `facts` and `judge` get their parameters with the types that the specification says. */
export function defineGate<const S extends ParamSpecs>(gate: Gate<S>): Gate<S> {
  return gate;
}
