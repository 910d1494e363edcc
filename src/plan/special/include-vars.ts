import { KpushError } from '../../core/errors.ts';
import type { Node } from '../../core/node.ts';
import { Unknown, type Value } from '../../jinja/values.ts';
import type { Instance, Instanced } from '../instance.ts';
import { unknown } from '../instance.ts';
import { failedOutcome, okOutcome, unknownOutcome } from '../outcome.ts';
import { found, param, text } from './lib.ts';

/** include_vars: a file or a folder of variables, above the task's own, for the rest of the run. */
export function includeVars(instance: Instance): Instanced {
  const { state, env, task, point } = instance;
  const free = task.freeForm ? env.tools.evaluator.value(task.freeForm, point) : undefined;
  const named = param(instance, 'file') ?? free;
  if (named instanceof Unknown) return { state, outcome: unknownOutcome(unknown(named, instance)) };
  const node = found(() =>
    env.tools.loader.vars(task, { file: text(named), dir: text(param(instance, 'dir')), ...patterns(instance) }),
  );
  if (node instanceof KpushError) return { state, outcome: failedOutcome(node.message) };
  const vars = wrapped(node, text(param(instance, 'name')));
  const included = new Map([...state.vars.included, ...vars]);
  const outcome = okOutcome({ ansible_facts: new Map<Value, Value>(vars) });
  return { state: { ...state, vars: { ...state.vars, included } }, outcome: { ...outcome, setsFacts: false } };
}

function patterns(instance: Instance) {
  const depth = text(param(instance, 'depth'));
  const extensions = param(instance, 'extensions');
  return {
    depth: depth === undefined ? undefined : Number(depth),
    filesMatching: text(param(instance, 'files_matching')),
    ignoreUnknown: param(instance, 'ignore_unknown_extensions') === true,
    extensions: Array.isArray(extensions) ? extensions.map((value) => text(value)!) : undefined,
  };
}

function wrapped(node: Node, name: string | undefined): Map<string, Value> {
  const vars = new Map<string, Value>();
  for (const [key, { node: item }] of node.entries ?? []) vars.set(key, item.value);
  return name === undefined ? vars : new Map([[name, new Map<Value, Value>(vars)]]);
}
