import {
  type Environment,
  evaluate,
  evaluateCondition,
  parseExpression,
  parseTemplate,
  render,
  renderNative,
  type Scope,
  standardEnvironment,
  TemplateError,
  type Value,
} from '../../../../src/jinja/index.ts';

export type Vars = Record<string, Value>;

export function scopeOf(vars: Vars): Scope {
  return { get: (name) => (Object.hasOwn(vars, name) ? vars[name] : undefined), names: () => Object.keys(vars) };
}

const standard = standardEnvironment();

export const value = (source: string, vars: Vars = {}, env: Environment = standard): Value =>
  evaluate(parseExpression(source), scopeOf(vars), env);
export const when = (source: string, vars: Vars = {}, env: Environment = standard) =>
  evaluateCondition(source, scopeOf(vars), env);
export const native = (source: Value, vars: Vars = {}, env: Environment = standard): Value =>
  renderNative(source, scopeOf(vars), env);
export const file = (source: string, vars: Vars = {}, env: Environment = standard) =>
  render(parseTemplate(source), scopeOf(vars), env);

/** The error that something throws; fails when it throws none. */
export function errorOf(run: () => unknown): TemplateError {
  try {
    run();
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error('no error was thrown');
}
