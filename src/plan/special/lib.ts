import { KpushError } from '../../core/errors.ts';
import type { Node } from '../../core/node.ts';
import { pyStr } from '../../jinja/index.ts';
import { isString, Tuple, Unknown, Unsafe, type Value } from '../../jinja/values.ts';
import type { Instance } from '../instance.ts';

/** A parameter by name, rendered; undefined when the task does not give it. */
export function param(instance: Instance, ...names: string[]): Value | undefined {
  for (const name of names) {
    const node = paramNode(instance, name);
    if (node) return instance.env.tools.evaluator.value(node, instance.point);
  }
  return undefined;
}

export function paramNode({ task }: Instance, name: string): Node | undefined {
  return task.params?.entries?.get(name)?.node;
}

/** Text of a rendered value; undefined stays undefined. */
export function text(value: Value | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return value instanceof Unsafe ? value.text : isString(value) ? (value as string) : String(pyStr(value));
}

/** The first Unknown anywhere inside. */
export function findUnknown(value: Value): Unknown | undefined {
  if (value instanceof Unknown) return value;
  const parts = Array.isArray(value)
    ? value
    : value instanceof Tuple
      ? value.items
      : value instanceof Map
        ? [...value.values()]
        : [];
  for (const part of parts) {
    const found = findUnknown(part);
    if (found) return found;
  }
  return undefined;
}

/** What `read` gives; a file or role that is not there is the task's own failure, which it may ignore or rescue. */
export function found<T>(read: () => T): T | KpushError {
  try {
    return read();
  } catch (error) {
    if (error instanceof KpushError && error.facts.missing) return error;
    throw error;
  }
}
