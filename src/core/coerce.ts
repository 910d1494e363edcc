import type { Value } from '../jinja/values.ts';
import { mergeUnknown, Unknown } from '../jinja/values.ts';
import { CoerceError } from './coerce-error.ts';
import { coerceValue } from './coerce-types.ts';
import { nearest } from './nearest.ts';
import { checkOperand } from './operand.ts';
import { checkRules, type ParamRules } from './param-rules.ts';
import type { ParamSpec, ParamSpecs, Params } from './params.ts';
import { findUnknown, scalarText } from './plain.ts';

/** What is wrong with a parameter, in Ansible's words where it has words for it. */
export interface ParamProblem {
  /** Canonical name; absent: the set of parameters as a whole. */
  param?: string;
  /** As it was written, when it was. */
  written?: string;
  message: string;
  nearest?: string;
  expected?: string;
  hint?: string;
}

export interface Coerced<S extends ParamSpecs = ParamSpecs> {
  /** Complete only when there are no problems and nothing is unknown. */
  params: Params<S>;
  problems: ParamProblem[];
  /** Why the parameters are not known yet; those marked `unknownOk` do not count and hold the Unknown itself. */
  unknown?: Unknown;
}

export interface CoerceOptions {
  /** For messages. */
  module: string;
  rules?: ParamRules;
  /** Free-form text was given as well, under this parameter. */
  freeForm?: string;
}

/**
 * Rendered parameters as the types their specification says, aliases resolved and defaults filled in. A null is a
 * parameter that was not given. Paths stay as written: `~` and `$VAR` are the host's to expand (modules/lib/paths).
 */
export function coerceParams<S extends ParamSpecs>(
  specs: S,
  given: ReadonlyMap<Value, Value> | Record<string, Value>,
  options: CoerceOptions,
): Coerced<S> {
  const found = new Given(specs, given, options);
  const params: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(specs)) params[name] = found.take(name, spec);
  found.problems.push(...checkRules(specs, found.present, options.rules, params));
  return {
    params: params as Params<S>,
    problems: found.problems,
    ...(found.unknown ? { unknown: found.unknown } : {}),
  };
}

/** Every name a parameter answers to, with its canonical one. */
export function paramNames(specs: ParamSpecs): ReadonlyMap<string, string> {
  const known = namesOf.get(specs) ?? allNames(specs);
  namesOf.set(specs, known);
  return known;
}

const namesOf = new WeakMap<ParamSpecs, ReadonlyMap<string, string>>();

function allNames(specs: ParamSpecs): ReadonlyMap<string, string> {
  const own = Object.keys(specs).map((name) => [name, name] as const);
  const others = Object.entries(specs).flatMap(([name, spec]) =>
    (spec.aliases ?? []).map((alias) => [alias, name] as const),
  );
  return new Map([...others, ...own]);
}

export function unknownParam(module: string, specs: ParamSpecs, written: string): ParamProblem {
  const names = [...paramNames(specs).keys()].sort();
  const near = nearest(written, names);
  return {
    written,
    message: `Unsupported parameters for (${module}) module: ${written}`,
    ...(near ? { nearest: near } : {}),
    expected: `one of: ${Object.keys(specs).sort().join(', ')}`,
  };
}

/** One known value: its type, that no command can mistake it, then its choices. */
export function coerceParam(name: string, spec: ParamSpec, value: Value, source?: string): unknown {
  const made = coerced(name, spec, value, source);
  checkOperand(name, spec, made);
  const choices = spec.choices;
  if (!choices) return made;
  for (const item of Array.isArray(made) ? made : [made]) checkChoice(name, choices, item);
  return made;
}

export function problemOf(error: unknown, param: string, written?: string): ParamProblem {
  if (!(error instanceof CoerceError)) throw error;
  return {
    param,
    ...(written === undefined ? {} : { written }),
    message: error.message,
    ...(error.hint ? { hint: error.hint } : {}),
  };
}

class Given {
  readonly problems: ParamProblem[] = [];
  readonly present = new Set<string>();
  unknown: Unknown | undefined;
  private readonly values = new Map<string, Value>();

  constructor(specs: ParamSpecs, given: ReadonlyMap<Value, Value> | Record<string, Value>, options: CoerceOptions) {
    const names = paramNames(specs);
    for (const [key, value] of entriesOf(given)) {
      const name = names.get(key);
      if (name === undefined) this.problems.push(unknownParam(options.module, specs, key));
      else if (value !== null) this.values.set(name, value);
    }
    for (const name of this.values.keys()) this.present.add(name);
    if (options.freeForm) this.present.add(options.freeForm);
  }

  take(name: string, spec: ParamSpec): unknown {
    const value = this.values.get(name);
    if (value === undefined) return spec.default;
    const unknown = findUnknown(value);
    if (!unknown) return this.coerce(name, spec, value);
    if (!spec.unknownOk) this.unknown = this.unknown ? mergeUnknown(this.unknown, unknown) : unknown;
    return unknown;
  }

  private coerce(name: string, spec: ParamSpec, value: Value): unknown {
    try {
      return coerceParam(name, spec, value);
    } catch (error) {
      this.problems.push(problemOf(error, name));
      return undefined;
    }
  }
}

function entriesOf(given: ReadonlyMap<Value, Value> | Record<string, Value>): [string, Value][] {
  const pairs: [Value, Value][] = given instanceof Map ? [...given] : Object.entries(given);
  return pairs.map(([key, value]) => [scalarText(key) ?? String(key), value]);
}

function coerced(name: string, spec: ParamSpec, value: Value, source?: string): unknown {
  try {
    return coerceValue(spec, value, source);
  } catch (error) {
    if (!(error instanceof CoerceError)) throw error;
    const about = error.message.startsWith('is of type')
      ? `argument '${name}' ${error.message}`
      : `${name}: ${error.message}`;
    throw new CoerceError(about, error.hint);
  }
}

function checkChoice(name: string, choices: readonly unknown[], value: unknown): void {
  if (value instanceof Unknown || choices.includes(value)) return;
  const near = nearest(String(value), choices.map(String));
  const hint = near ? `did you mean ${near}?` : undefined;
  throw new CoerceError(`value of ${name} must be one of: ${choices.join(', ')}, got: ${String(value)}`, hint);
}
