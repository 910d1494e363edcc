import { randomBytes } from 'node:crypto';
import { defaultLimits } from './budget.ts';
import type { Environment, Filter, Test } from './environment.ts';
import { standardFilters } from './filters/index.ts';
import { environmentFunctions } from './globals/calls.ts';
import { functions } from './globals/functions.ts';
import { standardTests } from './tests/index.ts';
import type { Value } from './values.ts';

/** A new environment with all filters, tests and globals; `options` replace parts of it. */
export function standardEnvironment(options: Partial<Environment> = {}): Environment {
  return {
    filters: new Map<string, Filter>(Object.entries(standardFilters)),
    tests: new Map<string, Test>(Object.entries(standardTests)),
    globals: new Map<string, Value>([...functions, ...environmentFunctions]),
    limits: defaultLimits,
    now: () => new Date(),
    randomBytes: (count) => randomBytes(count),
    ...options,
  };
}
