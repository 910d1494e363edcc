import type { Node } from '../../core/node.ts';
import { Unknown, type Value } from '../../jinja/values.ts';
import type { Instance, Instanced } from '../instance.ts';
import { unknown } from '../instance.ts';
import { failedOutcome, okOutcome, unknownOutcome } from '../outcome.ts';
import { param, paramNode, text } from './lib.ts';

/** assert: every condition of `that` holds. */
export function assertThat(instance: Instance): Instanced {
  const { state, env, point } = instance;
  const that = paramNode(instance, 'that');
  if (!that) return { state, outcome: failedOutcome('conditional required in "that" string') };
  const wrong = wrongMessage(instance);
  if (wrong) return { state, outcome: wrong };
  for (const node of that.items ?? [that]) {
    const verdict = env.tools.evaluator.condition([node], point);
    if (verdict instanceof Unknown) return { state, outcome: unknownOutcome(unknown(verdict, instance)) };
    if (!verdict) return { state, outcome: broken(instance, node) };
  }
  const message = text(param(instance, 'success_msg')) ?? 'All assertions passed';
  return { state, outcome: okOutcome({ msg: message }, message) };
}

/** As Ansible does, a message of another type is refused before anything is judged. */
function wrongMessage(instance: Instance) {
  const given: [string, Value | undefined][] = [
    ['fail_msg or msg', param(instance, 'fail_msg', 'msg')],
    ['success_msg', param(instance, 'success_msg')],
  ];
  const [name, value] = given.find(([, message]) => typeof message === 'boolean' || typeof message === 'number') ?? [];
  if (name === undefined) return undefined;
  const type = typeof value === 'boolean' ? 'bool' : 'int';
  return failedOutcome(`Incorrect type for ${name}, expected a string or list and got <class '${type}'>`);
}

function broken(instance: Instance, node: Node) {
  const message = text(param(instance, 'fail_msg', 'msg')) ?? 'Assertion failed';
  const values: Record<string, Value> = { assertion: node.value, evaluated_to: false };
  return failedOutcome(message, { values, hint: `not true: ${node.source ?? String(node.value)}` });
}
