import type { KpushError } from '../core/errors.ts';
import type { DynamicLoader } from '../core/evaluator.ts';
import type { Node } from '../core/node.ts';
import type { Play, Playbook, Role, Task, TaskTree } from '../core/play.ts';
import { field, textOf } from '../load/expect.ts';
import { Problems } from '../load/problems.ts';

/** A task with what stands around it. */
export interface Reached {
  task: Task;
  /** A failure of it is taken care of: `ignore_errors`, or a rescue around it. */
  caught: boolean;
  /** The playbook file of its play. */
  playFile: string;
}

/** Every task that can be known before anything runs: static ones, and those of includes that name their file literally. */
export interface Reach {
  tasks: Reached[];
  /** Roles that includes bring. */
  roles: Role[];
  /** `vars:` of blocks. */
  blockVars: Node[];
  /** Variables that include_vars reads literally. */
  includedVars: Node[];
  /** Includes that name a file or role there is none of. */
  missing: KpushError[];
  /** Something is included whose name shows only when it runs. */
  open: boolean;
}

/**
 * Reads what includes name literally. Throws an input error or InputErrors for what is wrong in there; a file that is
 * missing is the task's own failure, if it runs.
 */
export function reach(playbook: Playbook, loader: DynamicLoader): Reach {
  const problems = new Problems();
  const walk = new Walk(loader, problems);
  for (const play of playbook.plays) walk.play(play);
  problems.check();
  return walk.found;
}

class Walk {
  readonly found: Reach = { tasks: [], roles: [], blockVars: [], includedVars: [], missing: [], open: false };
  private readonly loader: DynamicLoader;
  private readonly problems: Problems;
  private playFile = '';

  constructor(loader: DynamicLoader, problems: Problems) {
    this.loader = loader;
    this.problems = problems;
  }

  play(play: Play): void {
    this.playFile = play.file;
    this.trees([...play.tasks, ...play.handlers], false, []);
  }

  trees(trees: readonly TaskTree[], caught: boolean, files: readonly string[]): void {
    for (const tree of trees)
      if (tree.kind === 'task') this.task(tree, caught, files);
      else {
        const ignored = caught || mayIgnore(tree.keywords.ignoreErrors);
        if (tree.keywords.vars) this.found.blockVars.push(tree.keywords.vars);
        this.trees(tree.block, ignored || tree.rescue.length > 0, files);
        this.trees([...tree.rescue, ...tree.always], ignored, files);
      }
  }

  private task(task: Task, caught: boolean, files: readonly string[]): void {
    const ignored = caught || mayIgnore(task.keywords.ignoreErrors);
    this.found.tasks.push({ task, caught: ignored, playFile: this.playFile });
    if (task.module === 'include_tasks') this.include(task, ignored, files);
    else if (task.module === 'include_role') this.role(task, ignored, files);
    else if (task.module === 'include_vars') this.vars(task);
  }

  private include(task: Task, caught: boolean, files: readonly string[]): void {
    const name = task.freeForm ?? (task.params && field(task.params, 'file'));
    const text = name?.literal ? textOf(name) : undefined;
    const key = `${task.file} ${text}`;
    if (text === undefined) this.found.open = true;
    else if (!files.includes(key))
      this.load(() => this.trees(this.loader.tasks(task, text, `${task.id}@reach`), caught, [...files, key]));
  }

  private role(task: Task, caught: boolean, files: readonly string[]): void {
    const params = task.params;
    const text = (key: string) => params && textOf(field(params, key));
    const name = text('name') ?? text('role');
    const key = `role ${name} ${text('tasks_from')}`;
    if (name === undefined || params?.literal === false) this.found.open = true;
    else if (!files.includes(key)) this.load(() => this.included(task, name, text, caught, [...files, key]));
  }

  private included(
    task: Task,
    name: string,
    text: (key: string) => string | undefined,
    caught: boolean,
    files: readonly string[],
  ): void {
    const options = {
      name,
      tasksFrom: text('tasks_from'),
      varsFrom: text('vars_from'),
      defaultsFrom: text('defaults_from'),
      handlersFrom: text('handlers_from'),
    };
    const loaded = this.loader.role(task, options, `${task.id}@reach`);
    this.found.roles.push(loaded.role);
    this.trees([...loaded.tasks, ...loaded.handlers], caught, files);
  }

  private vars(task: Task): void {
    const name = task.freeForm ?? (task.params && (field(task.params, 'file') ?? field(task.params, 'dir')));
    if (!name?.literal || task.loop || (task.params && field(task.params, 'name'))) this.found.open = true;
    else {
      const param = task.params && field(task.params, 'dir') === name ? 'dir' : 'file';
      this.load(() => this.found.includedVars.push(this.loader.vars(task, { [param]: textOf(name) })));
    }
  }

  /** What cannot be loaded may define anything; what is missing is for the run to say. */
  private load(run: () => unknown): void {
    const before = this.problems.errors.length;
    this.problems.attempt(run);
    const added = this.problems.errors.splice(before);
    this.problems.errors.push(...added.filter((error) => !error.facts.missing));
    this.found.missing.push(...added.filter((error) => error.facts.missing));
    if (added.length > 0) this.found.open = true;
  }
}

/** A template may turn out true. */
function mayIgnore(node: Node | undefined): boolean {
  return node !== undefined && node.value !== false && node.value !== null;
}
