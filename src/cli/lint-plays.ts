import { inputError, type KpushError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { Node } from '../core/node.ts';
import type { Play, Playbook, Task, TaskTree } from '../core/play.ts';
import { listed } from '../load/expect.ts';
import { checkPattern } from '../resolve/patterns.ts';
import type { Reach } from '../resolve/reach.ts';

/**
 * What loading leaves to the run, as far as it can be told without an inventory: patterns that cannot be read, and
 * handlers that nobody has. `reach`: what the playbook includes.
 */
export function lintPlays(playbook: Playbook, reach: Reach): KpushError[] {
  return [...playbook.plays.flatMap(badPatterns), ...(reach.open ? [] : lostHandlers(playbook, reach))];
}

function badPatterns({ hosts }: Play): KpushError[] {
  return listed(hosts).flatMap((node) => {
    const error = node.literal
      ? checkPattern(String(node.value), { what: 'the host pattern', origin: node.origin })
      : undefined;
    return error ? [error] : [];
  });
}

/** Handlers may come with any role that the playbook takes in; a name that is rendered may be any. */
function lostHandlers(playbook: Playbook, reach: Reach): KpushError[] {
  const tasks = [...reach.tasks.map(({ task }) => task), ...playbook.plays.flatMap((play) => flat(play.handlers))];
  const handlers = tasks.filter((task) => task.handler);
  if (handlers.some(({ name, listen }) => [name, listen].some((node) => node && !node.literal))) return [];
  const names = new Set(handlers.flatMap(namesOf));
  return tasks.flatMap(({ notify }) => notified(notify).flatMap((node) => lost(node, names)));
}

function notified(notify: Node | undefined): Node[] {
  return (notify ? listed(notify) : []).filter((node) => node.literal && typeof node.value === 'string');
}

function lost(node: Node, names: ReadonlySet<string>): KpushError[] {
  const name = String(node.value);
  if (names.has(name)) return [];
  const close = nearest(name, names);
  const facts = close === undefined ? { expected: 'the name of a handler' } : { nearest: close };
  return [inputError(`no handler is named '${name}', and none listens to it`, { origin: node.origin, ...facts })];
}

function namesOf({ name, listen, role }: Task): string[] {
  const own = name ? [String(name.value), `${role?.name} : ${name.value}`] : [];
  return [...own, ...(listen ? listed(listen).map((node) => String(node.value)) : [])];
}

function flat(trees: readonly TaskTree[]): Task[] {
  return trees.flatMap((tree) => (tree.kind === 'task' ? [tree] : flat(tree.block)));
}
