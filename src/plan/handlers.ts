import type { Task, TaskTree } from '../core/play.ts';
import { isString, Unknown, type Value } from '../jinja/values.ts';
import type { HostEnv } from './environment.ts';
import type { Instance } from './instance.ts';
import type { Outcome } from './outcome.ts';
import { safely } from './safely.ts';
import type { HostState } from './state.ts';

/**
 * All handlers in definition order, for a flush: each is judged when its turn comes, so that one may notify another
 * that is still to come. Empty when nothing was notified.
 */
export function flushedHandlers(state: HostState, env: HostEnv): TaskTree[] {
  return state.notified.size > 0 ? allHandlers(state, env) : [];
}

/** A handler whose turn has come, if it was notified, with the state in which it no longer is. */
export function takeNotified(state: HostState, task: Task): { task: Task; state: HostState } | undefined {
  const notice = state.notified.get(task.id);
  if (notice === undefined) return undefined;
  const notified = new Map(state.notified);
  notified.delete(task.id);
  return { task: notice instanceof Unknown ? onlyIf(task, notice) : task, state: { ...state, notified } };
}

/** A doubtful notice is a doubtful condition. */
function onlyIf(task: Task, doubt: Unknown): Task {
  const node = { value: doubt, origin: task.origin, literal: true };
  return { ...task, keywords: { ...task.keywords, when: [node, ...(task.keywords.when ?? [])] } };
}

/** Adds the handlers that a changed task names, by name or topic. Throws for a name nobody has. */
export function notify(instance: Instance, outcome: Outcome): HostState['notified'] | { unknownHandler: string } {
  const { state, env, task } = instance;
  const changed = outcome.result.changed;
  if (!task.notify || changed === false || outcome.status === 'failed') return state.notified;
  const notified = new Map(state.notified);
  for (const name of names(env.tools.evaluator.value(task.notify, instance.point))) {
    const found = named(name, instance);
    if (found.length === 0) return { unknownHandler: name };
    for (const handler of found)
      if (changed === true || !notified.has(handler.id)) notified.set(handler.id, changed === true ? true : changed);
  }
  return notified;
}

function names(value: Value): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.map((item) => (isString(item) ? (typeof item === 'string' ? item : item.text) : String(item)));
}

/** By topic all that listen; by name the last defined (`role : name` works too). */
function named(name: string, instance: Instance): Task[] {
  const handlers = allHandlers(instance.state, instance.env);
  const listening = handlers.filter((task) => names(task.listen?.value ?? []).includes(name));
  const byName = handlers.filter((task) => {
    const own = handlerName(task, instance);
    return own === name || `${task.role?.name} : ${own}` === name;
  });
  const last = byName.at(-1);
  return last && !listening.includes(last) ? [...listening, last] : listening;
}

/** A name may be a template; one that cannot be rendered is no name. */
function handlerName({ name }: Task, { env, point }: Instance): Value | undefined {
  if (!name || name.literal) return name?.value;
  const value = safely(() => env.tools.evaluator.value(name, point));
  return value === undefined ? undefined : names(value)[0];
}

function allHandlers(state: HostState, env: HostEnv): Task[] {
  return flat([...env.run.play.handlers, ...state.handlers]);
}

/** Handlers inside blocks keep their own keywords; blocks only group them. */
function flat(trees: readonly TaskTree[]): Task[] {
  return trees.flatMap((tree) => (tree.kind === 'task' ? [tree] : flat(tree.block)));
}
