import { join } from 'node:path';
import { inputError } from '../core/errors.ts';
import type { LoadedRole } from '../core/evaluator.ts';
import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import type { Block, Role, TaskTree } from '../core/play.ts';
import type { Context } from './context.ts';
import type { RoleCall } from './role-call.ts';
import { roleFile, roleVars } from './role-files.ts';
import { dependencies, metaOf } from './role-meta.ts';
import { findRole } from './role-path.ts';
import { tasksOfFile } from './task-file.ts';

/**
 * A role with all it brings: dependencies first, each in a block with its entry's keywords. One that is named again is
 * there again: whether it has run shows on each host. Its handlers are there once.
 */
export function loadRole(call: RoleCall, context: Context): LoadedRole {
  refuseCycle(call, context);
  const path = findRole(call.name, call.origin, context);
  const meta = metaOf(path, context);
  const key = identity(call, path);
  const own = `${key} ${call.chain.map((role) => role.path).join(' ')}`;
  const known = context.play.known.get(own);
  const once = call.once && !meta.allowDuplicates;
  const role = known ?? { ...readRole(call, path, context), ...(once ? { once: key } : {}) };
  context.play.known.set(own, role);
  const inner = { ...context, role };
  const before = dependencies(meta, role, inner).map((dependency) => loadRole(dependency, inner));
  role.dependencies = before.map((loaded) => loaded.role);
  const tasks = [...before.flatMap((loaded) => loaded.tasks), ...ownTasks(call, inner, 'tasks')];
  const handlers = [
    ...before.flatMap((loaded) => loaded.handlers),
    ...(known || (once && context.play.ran.has(key)) ? [] : ownTasks(call, inner, 'handlers')),
  ];
  if (!context.play.ran.has(key)) context.play.ran.set(key, context.ids.last);
  const [block] = wrap(call, role, tasks, context);
  const ending = block && role.once !== undefined ? { ...block, ends: role.once } : block;
  return { role, tasks: ending ? [ending] : [], handlers: wrap(call, role, handlers, context) };
}

function readRole(call: RoleCall, path: string, context: Context): Role {
  return {
    name: call.name,
    path,
    defaults: roleVars(path, 'defaults', call.from.defaults, call.origin, context),
    vars: roleVars(path, 'vars', call.from.vars, call.origin, context),
    params: call.params,
    entryVars: call.entryVars,
    parents: parentsOf(call),
    chain: call.chain,
    dependencies: [],
  };
}

/** Only an import or include makes a parent; what depends on a role is none, but hands its own parents on. */
function parentsOf({ chain, once }: RoleCall): string[] {
  const caller = chain.at(-1);
  if (!caller) return [];
  return once ? caller.parents : [caller.name, ...caller.parents];
}

function ownTasks(call: RoleCall, context: Context & { role: Role }, kind: 'tasks' | 'handlers'): TaskTree[] {
  const path = roleFile(context.role.path, kind, call.from[kind], call.origin, context);
  if (!path) return [];
  if (context.importing.includes(path)) throw cycle([...context.importing, path], call.origin, context);
  const inner: Context = { ...context, handler: kind === 'handlers', importing: [...context.importing, path] };
  return tasksOfFile(path, call.origin, inner);
}

/** Keywords of the entry reach the tasks through a block; `vars:` of an entry is no block's but the role's. */
function wrap(call: RoleCall, role: Role, tasks: TaskTree[], context: Context): Block[] {
  if (tasks.length === 0) return [];
  const { vars: _vars, ...keywords } = call.keywords;
  const id = context.ids.next('b');
  const block: Block = { kind: 'block', id, origin: call.origin, keywords, block: tasks, rescue: [], always: [], role };
  return [block];
}

/** What makes two entries the same: name, parameters, conditions, tags, variables, as written. */
function identity(call: RoleCall, path: string): string {
  const { when, tags } = call.keywords;
  return JSON.stringify([
    path,
    call.included ?? false,
    call.from,
    plain(call.params),
    plain(call.entryVars),
    when?.map(plain),
    tags?.map(plain),
  ]);
}

function plain(node: Node | undefined): unknown {
  if (!node) return null;
  if (node.entries) return [...node.entries].map(([name, entry]) => [name, plain(entry.node)]).sort();
  return node.items ? node.items.map(plain) : [typeof node.value, node.source ?? String(node.value)];
}

function refuseCycle(call: RoleCall, context: Context): void {
  const names = call.chain.map((role) => role.name);
  const at = names.indexOf(call.name);
  if (at < 0 || !call.once) return;
  throw inputError(`these roles depend on each other: ${[...names.slice(at), call.name].join(' → ')}`, {
    origin: call.origin,
    expected: 'dependencies without a cycle',
    related: context.role ? [{ origin: call.origin, text: `named by ${join(context.role.name, 'meta')}` }] : undefined,
  });
}

function cycle(paths: string[], origin: Origin, context: Context) {
  const shown = paths.slice(paths.indexOf(paths.at(-1) ?? '')).map((path) => context.loading.sources.show(path));
  return inputError(`these files import each other: ${shown.join(' → ')}`, {
    origin,
    expected: 'imports without a cycle',
  });
}
