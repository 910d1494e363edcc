import { dirname, join } from 'node:path';
import { inputError, type KpushError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import type { Block, Task, TaskTree } from '../core/play.ts';
import type { Context } from './context.ts';
import { field } from './expect.ts';
import type { RoleCall } from './role-call.ts';
import { loadRole } from './roles.ts';
import { findIn, nearestFile } from './search.ts';
import { tasksOfFile } from './task-file.ts';

/** `import_tasks`: the tasks of the file in a block that carries the import's keywords. */
export function importTasks(task: Task, context: Context): TaskTree[] {
  refuseLoop(task);
  const nameNode = task.freeForm ?? (task.params && field(task.params, 'file'));
  if (!nameNode) throw inputError("'import_tasks' names no file", { origin: task.origin, expected: 'a file name' });
  const vars = withVars(context, task.keywords.vars);
  const path = taskFile(context.loading.render(nameNode, vars), nameNode.origin, context);
  refuseCycle(path, nameNode.origin, context);
  const inner: Context = { ...context, staticVars: vars, importing: [...context.importing, path] };
  const tasks = tasksOfFile(path, nameNode.origin, inner);
  return context.handler ? tasks : [asBlock(task, tasks)];
}

/** `import_role`: its dependencies, then its tasks; its handlers and variables join the play. */
export function importRole(task: Task, context: Context): TaskTree[] {
  refuseLoop(task);
  if (context.handler) throw inputError("'import_role' cannot be a handler", { origin: task.origin });
  const call = roleCall(task, context);
  const loaded = loadRole(call, context);
  context.play.importedRoles.push(loaded.role);
  context.play.importedHandlers.push(...loaded.handlers);
  return [{ ...asBlock(task, loaded.tasks), role: loaded.role }];
}

function roleCall(task: Task, context: Context): RoleCall {
  const params = task.params;
  const name = params && (field(params, 'name') ?? field(params, 'role'));
  if (!name) throw inputError("'import_role' names no role", { origin: task.origin, expected: "'name: ROLE'" });
  const vars = withVars(context, task.keywords.vars);
  const text = (key: string) => {
    const node = field(params, key);
    return node ? context.loading.render(node, vars) : undefined;
  };
  return {
    name: context.loading.render(name, vars),
    origin: name.origin,
    keywords: {},
    chain: context.role ? [...context.role.chain, context.role] : [],
    entryVars: undefined,
    params: undefined,
    from: {
      tasks: text('tasks_from'),
      vars: text('vars_from'),
      defaults: text('defaults_from'),
      handlers: text('handlers_from'),
    },
    once: false,
  };
}

function asBlock(task: Task, tasks: TaskTree[]): Block {
  const { id, origin, name, keywords, role } = task;
  return { kind: 'block', id, origin, name, keywords, block: tasks, rescue: [], always: [], role };
}

function withVars(context: Context, vars: Node | undefined): readonly Node[] {
  return vars ? [...context.staticVars, vars] : context.staticVars;
}

function refuseLoop(task: Task): void {
  if (!task.loop) return;
  throw inputError(`'${task.moduleNode.written}' cannot loop`, {
    origin: task.loop.node.origin,
    expected: 'no loop on a static import',
    hint: `use '${task.module.replace('import', 'include')}'`,
  });
}

/** The file of an import or include, searched as Ansible does. */
export function taskFile(
  name: string,
  origin: Origin,
  context: Pick<Context, 'file' | 'playFile' | 'role' | 'handler' | 'loading'>,
): string {
  const { sources } = context.loading;
  const folders = taskFolders(context);
  const path = findIn(sources, folders, name);
  if (path && sources.isFile(path)) return path;
  throw missing(name, origin, folders, context.loading.sources);
}

function taskFolders(context: Pick<Context, 'file' | 'playFile' | 'role' | 'handler'>): string[] {
  const kind = context.handler ? 'handlers' : 'tasks';
  const { role } = context;
  const folders = [
    dirname(context.file),
    ...(role ? [join(role.path, kind), join(role.path, 'tasks'), role.path] : []),
    dirname(context.playFile),
    join(dirname(context.playFile), 'tasks'),
  ];
  return [...new Set(folders)];
}

function missing(name: string, origin: Origin, folders: string[], sources: Context['loading']['sources']): KpushError {
  const close = nearestFile(sources, folders, name);
  return inputError(`there is no task file '${name}'`, {
    missing: true,
    origin,
    expected: `a file in ${folders.map((folder) => sources.show(folder)).join(', ')}`,
    ...(close ? { nearest: close } : {}),
  });
}

function refuseCycle(path: string, origin: Origin, context: Context): void {
  const { sources } = context.loading;
  const at = context.importing.indexOf(path);
  if (at < 0) return;
  const circle = [...context.importing.slice(at), path].map((file) => sources.show(file)).join(' → ');
  throw inputError(`these files import each other: ${circle}`, { origin, expected: 'imports without a cycle' });
}
