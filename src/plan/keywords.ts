import type { Node } from '../core/node.ts';
import { TaskFailure } from '../core/result.ts';
import type { Step } from '../core/steps.ts';
import { toPlain } from '../jinja/index.ts';
import { Unknown, type Value } from '../jinja/values.ts';
import type { Instance } from './instance.ts';
import { safely } from './safely.ts';

/** A boolean keyword (`ignore_errors`, `no_log`) at this place; unknown counts as false. */
export function keywordTrue({ env, point }: Pick<Instance, 'env' | 'point'>, node: Node | undefined): boolean {
  if (!node) return false;
  if (typeof node.value === 'boolean') return node.value;
  return isTrue(env.tools.evaluator.value(node, point));
}

/** any_errors_fatal, of the task or of what stands around it; of what cannot be told: it is. */
export function isFatal(instance: Pick<Instance, 'env' | 'point' | 'context'>): boolean {
  const node = instance.context.keywords.anyErrorsFatal;
  return node ? (safely(() => keywordTrue(instance, node)) ?? true) : instance.env.run.fatal;
}

function isTrue(value: Value): boolean {
  return value === true || ['yes', 'true', 'on', '1', 'True'].includes(textOf(value));
}

function textOf(value: Value): string {
  return value instanceof Unknown ? '' : String(toPlain(value));
}

export function keywordNumber({ env, point }: Instance, node: Node | undefined, otherwise: number): number {
  if (!node) return otherwise;
  const number = Number(textOf(env.tools.evaluator.value(node, point)));
  return Number.isFinite(number) ? number : otherwise;
}

/** A keyword's text, such as `delegate_to`. */
export function keywordText({ env, point }: Instance, node: Node | undefined): string | undefined {
  if (!node) return undefined;
  const value = env.tools.evaluator.value(node, point);
  return value === null ? undefined : textOf(value) || undefined;
}

export function isLiteralFalse(nodes: readonly Node[] | undefined): boolean {
  return nodes?.length === 1 && (nodes[0]!.value === false || nodes[0]!.value === 'false');
}

/** Environment and timeout that a step gets from the task's keywords. */
export function stepSurroundings(instance: Instance, step: Step): Pick<Step, 'env' | 'timeout'> {
  const env = { ...environmentOf(instance), ...step.env };
  const timeout = keywordNumber(instance, instance.context.keywords.timeout, 0) || jobSeconds(instance) || step.timeout;
  return { ...(Object.keys(env).length > 0 ? { env } : {}), ...(timeout ? { timeout } : {}) };
}

/** Play, block and task environments, inner ones over outer ones. Throws TaskFailure at what no shell could export. */
export function environmentOf({ env, point, context }: Instance): Record<string, string> {
  const merged: Record<string, string> = Object.create(null);
  for (const node of context.keywords.environment ?? []) {
    const value = env.tools.evaluator.value(node, point);
    for (const part of Array.isArray(value) ? value : [value])
      if (part instanceof Map) for (const [key, item] of part) merged[variableName(key)] = textOf(item);
  }
  return merged;
}

/** It stands in shell text as it is: nothing else in it is safe. */
function variableName(key: Value): string {
  const name = textOf(key);
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return name;
  throw new TaskFailure(`environment: ${JSON.stringify(name)} is no name of a variable`);
}

/** `async` with a poll: the task may take so long, and no longer. */
function jobSeconds(instance: Instance): number {
  const { task } = instance;
  if (!task.async || (task.poll && keywordNumber(instance, task.poll, 0) <= 0)) return 0;
  return keywordNumber(instance, task.async, 0);
}
