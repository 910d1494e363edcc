import {
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
} from '../../../src/jinja/index.ts';
import type { Answer, Kind } from './oracle.ts';
import { toTyped } from './typed.ts';

/** As the oracle's process has it. */
process.env.HOME = '/root';
process.env.TZ = 'UTC';
const env = standardEnvironment();

/** kpush's answer to the question that the oracle gets too. */
export function answer(kind: Kind, source: string, vars: Map<string, Value>): Answer {
  try {
    return { ok: toTyped(evaluateAs[kind](source, scopeOf(vars))) };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { error: `${error.kind}: ${error.message}`, undefined: error.kind === 'undefined' };
  }
}

const evaluateAs: Record<Kind, (source: string, scope: Scope) => Value> = {
  value: (source, scope) => evaluate(parseExpression(source), scope, env),
  string: (source, scope) => renderNative(source, scope, env),
  template: (source, scope) => render(parseTemplate(source), scope, env),
  when: (source, scope) => evaluateCondition(source, scope, env),
};

function scopeOf(vars: Map<string, Value>): Scope {
  return { get: (name) => vars.get(name), names: () => vars.keys() };
}
