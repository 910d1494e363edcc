import type { ParamProblem } from './coerce.ts';
import type { ParamSpecs } from './params.ts';

/** How parameters depend on each other, in the terms of Ansible's argument specifications. */
export interface ParamRules {
  /** At most one of each group. */
  exclusive?: readonly (readonly string[])[];
  /** At least one of each group. */
  oneOf?: readonly (readonly string[])[];
  /** All of a group or none. */
  together?: readonly (readonly string[])[];
  /** When `param` is `value`, all of `needs` (or, with `any`, one of them) must be given. */
  requiredIf?: readonly {
    param: string;
    value: string | boolean | number;
    needs: readonly string[];
    any?: boolean;
  }[];
}

/**
 * Broken rules and missing required parameters. `values` decides `requiredIf`, by coerced values or defaults. `certain`:
 * those of `present` that cannot turn out to be omitted.
 */
export function checkRules(
  specs: ParamSpecs,
  present: ReadonlySet<string>,
  rules: ParamRules = {},
  values: Readonly<Record<string, unknown>> = {},
  certain: ReadonlySet<string> = present,
): ParamProblem[] {
  const has = (name: string) => present.has(name);
  const surely = (name: string) => certain.has(name);
  return [
    ...required(specs, has),
    ...(rules.exclusive ?? []).filter((group) => group.filter(surely).length > 1).map(exclusive),
    ...(rules.oneOf ?? []).filter((group) => !group.some(has)).map(oneOf),
    ...(rules.together ?? []).filter((group) => group.some(surely) && !group.every(has)).map(together),
    ...(rules.requiredIf ?? [])
      .filter((rule) => values[rule.param] === rule.value)
      .flatMap((rule) => conditional(rule, has)),
  ];
}

function required(specs: ParamSpecs, has: (name: string) => boolean): ParamProblem[] {
  const missing = Object.keys(specs).filter((name) => specs[name]!.required && !has(name));
  return missing.length ? [{ message: `missing required arguments: ${missing.sort().join(', ')}` }] : [];
}

function exclusive(group: readonly string[]): ParamProblem {
  return { message: `parameters are mutually exclusive: ${group.join('|')}` };
}

function oneOf(group: readonly string[]): ParamProblem {
  return { message: `one of the following is required: ${group.join(', ')}` };
}

function together(group: readonly string[]): ParamProblem {
  return { message: `parameters are required together: ${group.join(', ')}` };
}

function conditional(
  rule: NonNullable<ParamRules['requiredIf']>[number],
  has: (name: string) => boolean,
): ParamProblem[] {
  const missing = rule.needs.filter((name) => !has(name));
  if (rule.any ? missing.length < rule.needs.length : missing.length === 0) return [];
  const which = rule.any ? 'any' : 'all';
  return [
    { message: `${rule.param} is ${rule.value} but ${which} of the following are missing: ${missing.join(', ')}` },
  ];
}
