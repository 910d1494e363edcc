import { inputError, type KpushError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { Play, Playbook, Task, TaskTree } from '../core/play.ts';
import { listed } from '../load/expect.ts';
import { glob } from './globs.ts';

/** What `-t` and `--skip-tags` ask for. Empty `tags`: all. */
export interface TagChoice {
  tags: readonly string[];
  skipTags: readonly string[];
  /** Ids of tasks that stand before `--start-at-task`. */
  before?: ReadonlySet<string>;
}

/** Comma lists of several flags as one list. */
export function splitTags(flags: readonly string[]): string[] {
  return flags
    .flatMap((flag) => flag.split(','))
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** Whether a task runs. `tags`: its own and those of everything around it, imports and roles included. */
export function isSelected(task: Task, tags: readonly string[], choice: TagChoice): boolean {
  if (choice.before?.has(task.id)) return false;
  return task.implicit === true || areSelected(tags, choice);
}

/** Ansible's rules: `always`, `never`, `tagged`, `untagged`, `all`; skipping wins. */
export function areSelected(tags: readonly string[], { tags: only, skipTags: skip }: TagChoice): boolean {
  const own = tags.length ? tags : ['untagged'];
  return isWanted(own, only.length ? only : ['all']) && !isSkipped(own, skip);
}

function isWanted(own: readonly string[], only: readonly string[]): boolean {
  if (own.includes('always') || own.some((tag) => only.includes(tag))) return true;
  if (own.includes('never')) return false;
  return only.includes('all') || (only.includes('tagged') && !own.includes('untagged'));
}

function isSkipped(own: readonly string[], skip: readonly string[]): boolean {
  if (skip.includes('all')) return !own.includes('always') || skip.includes('always');
  return own.some((tag) => skip.includes(tag)) || (skip.includes('tagged') && !own.includes('untagged'));
}

/**
 * Those of `asked` that nothing in the playbook has. None where that cannot be told: tags that are rendered, or tasks
 * that are included while it runs.
 */
export function unknownTags(asked: readonly string[], playbook: Playbook): KpushError[] {
  const trees = playbook.plays.flatMap((play) => [...play.tasks, ...play.handlers].flatMap(withInner));
  const nodes = [...playbook.plays, ...trees].flatMap(({ keywords }) => keywords.tags ?? []).flatMap(listed);
  const includes = trees.some((tree) => tree.kind === 'task' && tree.module.startsWith('include_'));
  if (includes || nodes.some((node) => !node.literal)) return [];
  const known = new Set([...nodes.flatMap((node) => splitTags([String(node.value)])), ...ruled]);
  return asked
    .filter((tag) => !known.has(tag))
    .map((tag) => inputError(`nothing has the tag '${tag}'`, closest(tag, known)));
}

function closest(tag: string, known: Iterable<string>) {
  const close = nearest(tag, known);
  return close === undefined ? { hint: '--list-tags shows those there are' } : { nearest: close };
}

const ruled = ['always', 'never', 'tagged', 'untagged', 'all'];

function withInner(tree: TaskTree): TaskTree[] {
  if (tree.kind === 'task') return [tree];
  return [tree, ...[...tree.block, ...tree.rescue, ...tree.always].flatMap(withInner)];
}

/** Ids of all tasks before the one of that name (or glob). Throws an input error with the nearest name. */
export function tasksBefore(playbook: Playbook, name: string): Set<string> {
  const all = playbook.plays.flatMap(tasksOf);
  const matches = glob(name);
  const at = all.findIndex((task) => namesOf(task).some((each) => each === name || matches.test(each)));
  if (at >= 0) return new Set(all.slice(0, at).map((task) => task.id));
  const close = nearest(name, all.flatMap(namesOf));
  throw inputError(
    `--start-at-task '${name}' is no task of the playbook`,
    close ? { nearest: close } : { expected: 'the name of a task' },
  );
}

/** A task goes by its name, and by `role : name`. */
function namesOf(task: Task): string[] {
  const name = typeof task.name?.value === 'string' ? task.name.value : task.module;
  return task.role ? [name, `${task.role.name} : ${name}`] : [name];
}

/** Every task of a play in run order, blocks opened. */
export function tasksOf(play: Play): Task[] {
  return play.tasks.flatMap(opened);
}

export function opened(tree: TaskTree): Task[] {
  return tree.kind === 'task' ? [tree] : [...tree.block, ...tree.rescue, ...tree.always].flatMap(opened);
}
