import type { EvalPoint } from '../core/evaluator.ts';
import type { Origin } from '../core/origin.ts';
import { TemplateError, Undefined, type Value } from '../jinja/index.ts';
import type { Scopes } from './scopes.ts';

/** One definition of a variable, as `kpush explain` shows it. */
export interface Explanation {
  name: string;
  /** Where in the order of precedence it stands, in words. */
  layer: string;
  origin?: Origin;
  /** As written. */
  written?: Value;
  /** What it renders to; only for the one that wins. `problem` where it cannot be rendered. */
  value?: Value;
  problem?: string;
  wins: boolean;
}

/** All definitions of a variable at a point, the winning one first. */
export function explain(name: string, point: EvalPoint, scopes: Scopes): Explanation[] {
  const scope = scopes.at(point);
  return scope.definitions(name).map((definition, i) => ({
    name,
    layer: definition.layer,
    ...(definition.origin ? { origin: definition.origin } : {}),
    ...(definition.node ? { written: definition.node.value } : { written: definition.value }),
    wins: i === 0,
    ...(i === 0 ? rendered(() => scope.get(name)) : {}),
  }));
}

/** Every variable name a point sees, sorted. */
export function variableNames(point: EvalPoint, scopes: Scopes): string[] {
  return [...scopes.at(point).names()].sort();
}

function rendered(get: () => Value | undefined): Pick<Explanation, 'value' | 'problem'> {
  try {
    const value = get();
    return value instanceof Undefined ? { problem: value.hint } : { value };
  } catch (error) {
    if (error instanceof TemplateError) return { problem: error.message };
    throw error;
  }
}
