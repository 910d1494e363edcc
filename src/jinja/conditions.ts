import { withBudget } from './budget.ts';
import { newRun, renderNative } from './engine.ts';
import type { Environment } from './environment.ts';
import { type Origin, TemplateError } from './errors.ts';
import { checkExpression } from './interpreter/check.ts';
import { Frame } from './interpreter/frame.ts';
import { truthOf } from './interpreter/truth.ts';
import { isTrue } from './python/compare.ts';
import { parseCondition } from './templates.ts';
import { type Scope, Unknown, UnknownReached, Unsafe, type Value } from './values.ts';

/**
 * The verdict of one `when`/`changed_when`/`that` entry. Text with `{{ }}` in it is rendered first, and what comes out
 * is a condition again; text from a host is refused there. Throws a TemplateError.
 */
export function evaluateCondition(source: Value, scope: Scope, env: Environment, origin?: Origin): boolean | Unknown {
  if (source === null || source === '') return true;
  const condition = renderNative(source, scope, env, origin);
  if (condition instanceof Unknown) return condition;
  if (condition instanceof Unsafe && condition.text !== '') throw refusal();
  return typeof condition === 'string' && condition !== '' ? verdict(condition, scope, env, origin) : truth(condition);
}

function refusal() {
  return new TemplateError('security', 'Conditional is marked as unsafe, and cannot be evaluated.');
}

/** Python's truth of a value. Throws for Undefined. */
export function truth(value: Value): boolean | Unknown {
  try {
    return isTrue(value);
  } catch (error) {
    if (error instanceof UnknownReached) return error.unknown;
    throw error;
  }
}

function verdict(condition: string, scope: Scope, env: Environment, origin?: Origin): boolean | Unknown {
  const parsed = parseCondition(condition, origin);
  checkExpression(parsed.root, env, parsed.origin);
  try {
    return withBudget(env.limits, () => {
      const run = newRun(env, scope, { origin: parsed.origin, copies: parsed.mutates });
      return truthOf(parsed.root, new Frame(), run);
    });
  } catch (error) {
    const answer = error instanceof TemplateError ? answerOfUndefined(condition, error) : undefined;
    if (answer === undefined) throw error;
    return answer;
  }
}

const undefinedName = /'(hostvars\[.+\]|\w+)' is undefined/;
const definedTest = /(hostvars\[.+\]|\w+)\s+(not\s+is|is|is\s+not)\s+(defined|undefined)/g;

/** Ansible's second look: a name that turned out undefined, and that the condition asks about somewhere, answers it. */
function answerOfUndefined(condition: string, error: TemplateError): boolean | undefined {
  const name = error.kind === 'undefined' ? undefinedName.exec(error.message)?.[1] : undefined;
  if (name === undefined) return undefined;
  for (const [, tested = '', logic = '', state] of condition.matchAll(definedTest)) {
    if (tested.replaceAll("'", '"') !== name.replaceAll("'", '"')) continue;
    return logic.includes('not') === (state === 'defined');
  }
  return undefined;
}
