import { resolve } from 'node:path';
import { inputError } from '../core/errors.ts';
import type { DynamicLoader, LoadedRole, RoleOptions } from '../core/evaluator.ts';
import type { Node } from '../core/node.ts';
import type { Play, Playbook, Task, TaskTree } from '../core/play.ts';
import { checkTemplates } from './check-syntax.ts';
import { type Context, Ids, type Loading, newPlayParts } from './context.ts';
import { mapping, mergeMappings, wrongType } from './expect.ts';
import { taskFile } from './imports.ts';
import { Problems } from './problems.ts';
import { loadRole } from './roles.ts';
import { findIn, nearestFile, searchFolders } from './search.ts';
import { tasksOfFile } from './task-file.ts';
import { taskList } from './tasks.ts';
import { type VarsDirOptions, varsInFolder } from './vars-files.ts';

/**
 * Tasks, roles and variables that only a running task names. Answers are cached per include site and name; errors are
 * input errors (InputErrors) that the caller turns into the failure of the including task.
 */
export function dynamicLoader(playbook: Playbook, loading: Loading): DynamicLoader {
  const known = new Map<string, unknown>();
  const once = <T>(key: unknown[], make: (own: Loading) => T): T => {
    const name = JSON.stringify(key);
    if (!known.has(name)) known.set(name, checked(loading, make));
    return known.get(name) as T;
  };
  return {
    tasks: (task, name, idPrefix) =>
      once(['tasks', task.id, name, idPrefix], (own) => tasks(task, name, contextOf(task, playbook, own, idPrefix))),
    role: (task, options, idPrefix) =>
      once(['role', task.id, options, idPrefix], (own) =>
        role(task, options, contextOf(task, playbook, own, idPrefix)),
      ),
    vars: (task, params) =>
      once(['vars', task.id, params], (own) => variables(task, params, contextOf(task, playbook, own, ''))),
  };
}

/** What is wrong with an included file is found in one pass, apart from the playbook's own problems. */
function checked<T>(loading: Loading, make: (own: Loading) => T): T {
  const own = { ...loading, problems: new Problems() };
  const made = own.problems.attempt(() => make(own));
  own.problems.check();
  return made as T;
}

function contextOf(task: Task, playbook: Playbook, loading: Loading, idPrefix: string): Context {
  const play = playOf(task, playbook);
  return {
    loading,
    ids: new Ids(idPrefix === '' ? '' : `${idPrefix}.`),
    playFile: play?.file ?? playbook.file,
    file: task.file,
    role: task.role,
    handler: task.handler ?? false,
    staticVars: [],
    importing: [],
    play: { ...newPlayParts(), ran: ranBefore(task, play, loading) },
    taskList,
  };
}

/** The play that holds the task or its outermost include: the last that begins before it. */
function playOf(task: Task, playbook: Playbook): Play | undefined {
  const number = idNumber(task.id);
  return [...playbook.plays].reverse().find((candidate) => idNumber(candidate.id) < number);
}

/** Roles that the play names before the task, by static means: their handlers are there already. */
function ranBefore(task: Task, play: Play | undefined, loading: Loading): Map<string, number> {
  const ran = (play && loading.ranRoles.get(play.id)) ?? new Map<string, number>();
  return new Map([...ran].filter(([, end]) => end < idNumber(task.id)));
}

/** `b12.t3` was included at the site that `12` names; ids count through the whole playbook. */
function idNumber(id: string): number {
  return Number(/\d+/.exec(id)?.[0] ?? 0);
}

function tasks(task: Task, name: string, context: Context): TaskTree[] {
  const origin = task.freeForm?.origin ?? task.moduleNode.origin;
  const path = taskFile(name, origin, context);
  return tasksOfFile(path, origin, { ...context, importing: [path] });
}

function role(task: Task, options: RoleOptions, context: Context): LoadedRole {
  return loadRole(
    {
      name: options.name,
      origin: task.moduleNode.origin,
      keywords: {},
      chain: context.role ? [...context.role.chain, context.role] : [],
      from: {
        tasks: options.tasksFrom,
        vars: options.varsFrom,
        defaults: options.defaultsFrom,
        handlers: options.handlersFrom,
      },
      once: options.allowDuplicates === false,
      included: true,
    },
    context,
  );
}

type VarsParams = Parameters<DynamicLoader['vars']>[1];

function variables(task: Task, params: VarsParams, context: Context): Node {
  const { sources } = context.loading;
  const name = params.dir ?? params.file ?? '';
  const origin = task.freeForm?.origin ?? task.moduleNode.origin;
  const folders = searchFolders(context, 'vars');
  const path = findIn(sources, folders, name);
  const wanted = params.dir === undefined ? 'file' : 'directory';
  if (!path || sources.files.kind(path) !== wanted) {
    const close = nearestFile(sources, folders, name);
    throw inputError(`there is no vars ${wanted} '${name}'`, {
      missing: true,
      origin,
      expected: `a ${wanted} in ${folders.map((folder) => sources.show(folder)).join(', ')}`,
      ...(close ? { nearest: close } : {}),
    });
  }
  const files = wanted === 'file' ? [path] : varsInFolder(sources, resolve(path), params as VarsDirOptions);
  return mergeMappings(files.flatMap((file) => fileOfVars(file, origin, context))) ?? mapping(new Map(), origin);
}

function fileOfVars(path: string, origin: Task['origin'], { loading }: Context): Node[] {
  const node = loading.sources.yaml(path, origin);
  if (node.value === null) return [];
  if (!node.entries) throw wrongType(node, loading.sources.show(path), 'a mapping of variables');
  checkTemplates(node, loading);
  return [node];
}
