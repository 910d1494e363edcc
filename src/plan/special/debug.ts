import type { Node } from '../../core/node.ts';
import { TemplateError } from '../../jinja/errors.ts';
import type { Value } from '../../jinja/values.ts';
import type { Instance, Instanced } from '../instance.ts';
import { unknown } from '../instance.ts';
import { toNiceText } from '../nice-text.ts';
import { okOutcome, skippedOutcome } from '../outcome.ts';
import { findUnknown, param, paramNode, text } from './lib.ts';

const tooQuiet = 'Verbosity threshold not met.';

/** debug: `msg`, or the value of the expression in `var`. What waits for a pending step is waited for. */
export function debug(instance: Instance): Instanced {
  const { state } = instance;
  if (number(param(instance, 'verbosity')) > number(setting(instance, 'ansible_verbosity')))
    return { state, outcome: skippedOutcome(tooQuiet, { skipped_reason: tooQuiet }) };
  const expression = text(param(instance, 'var'));
  const value =
    expression === undefined ? (param(instance, 'msg') ?? 'Hello world!') : valueOfName(instance, expression);
  const open = findUnknown(value);
  if (open) unknown(open, instance);
  const name = expression ?? 'msg';
  return {
    state,
    outcome: okOutcome(
      { [name]: value },
      expression === undefined ? toNiceText(value) : `${name}: ${toNiceText(value)}`,
    ),
  };
}

/** What is not defined is told, and is no failure. */
function valueOfName(instance: Instance, expression: string): Value {
  try {
    return evaluated(instance, `{{ ${expression} }}`, paramNode(instance, 'var')!);
  } catch (error) {
    if (error instanceof TemplateError && error.kind === 'undefined') return 'VARIABLE IS NOT DEFINED!';
    throw error;
  }
}

function setting(instance: Instance, name: string): Value {
  return evaluated(instance, `{{ ${name} | default(0) }}`, {
    value: null,
    origin: instance.task.origin,
    literal: true,
  });
}

function evaluated({ env, point }: Instance, text: string, node: Node): Value {
  return env.tools.evaluator.value({ ...node, value: text, source: undefined, literal: false }, point);
}

function number(value: Value | undefined): number {
  return Number(text(value) ?? value ?? 0);
}
