import type { Value } from '../jinja/values.ts';
import type { Instance } from './instance.ts';

/** The list behind `loop` or `with_X`: with_items flattens one level, other kinds are lookups of that name. */
export function looked({ task, env, point }: Instance): Value {
  const { kind, node } = task.loop!;
  const { evaluator } = env.tools;
  const value = evaluator.value(node, point);
  if (kind === 'loop') return value;
  if (kind === 'items')
    return Array.isArray(value) ? value.flatMap((item) => (Array.isArray(item) ? item : [item])) : [value];
  if (kind === 'list' && Array.isArray(value)) return value;
  return evaluator.lookup(kind, value, point);
}
