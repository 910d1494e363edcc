import type { Instance, Instanced } from '../instance.ts';
import { unknown } from '../instance.ts';
import { toNiceText } from '../nice-text.ts';
import { okOutcome } from '../outcome.ts';
import { findUnknown, param, paramNode, text } from './lib.ts';

/** debug: `msg`, or the value of the expression in `var`. What waits for a pending step is waited for. */
export function debug(instance: Instance): Instanced {
  const { state } = instance;
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

function valueOfName(instance: Instance, expression: string) {
  const node = paramNode(instance, 'var')!;
  const { evaluator } = instance.env.tools;
  return evaluator.value({ ...node, value: `{{ ${expression} }}`, source: undefined, literal: false }, instance.point);
}
