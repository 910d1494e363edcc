import type { ParamSpecs } from '../core/params.ts';
import type { Value } from '../jinja/values.ts';
import { isString } from '../jinja/values.ts';
import type { Instance } from './instance.ts';

/** The task's parameters, rendered, by name as written; module_defaults stand below them. */
export function givenParams(
  instance: Instance,
  specs: ParamSpecs,
  freeForm: string | undefined,
): ReadonlyMap<string, Value> {
  const { env, point, task } = instance;
  const given = new Map<string, Value>(defaultsFor(instance));
  const params = task.params ? env.tools.evaluator.value(task.params, point) : undefined;
  if (params instanceof Map) for (const [key, value] of params) given.set(nameOf(key), value);
  if (task.freeForm && freeForm && freeForm in specs)
    given.set(freeForm, env.tools.evaluator.value(task.freeForm, point));
  return given;
}

function defaultsFor({ env, point, context, task }: Instance): [string, Value][] {
  const node = context.keywords.moduleDefaults;
  const all = node ? env.tools.evaluator.value(node, point) : undefined;
  if (!(all instanceof Map)) return [];
  const own = [...all].find(([name]) => nameOf(name).split('.').pop() === task.module)?.[1];
  return own instanceof Map ? [...own].map(([key, value]) => [nameOf(key), value]) : [];
}

function nameOf(key: Value): string {
  return isString(key) ? (typeof key === 'string' ? key : key.text) : String(key);
}
