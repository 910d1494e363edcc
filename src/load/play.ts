import { inputError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import type { Play, TaskTree } from '../core/play.ts';
import { checkPlay } from './check-play.ts';
import { checkSyntax } from './check-syntax.ts';
import { type Context, newPlayParts } from './context.ts';
import { field, listed, made } from './expect.ts';
import { gateCalls } from './gates.ts';
import { sharedKeywords } from './keywords.ts';
import { checkVarsFiles } from './play-vars-files.ts';
import { readKeywords } from './read-keywords.ts';
import { roleEntry } from './role-entry.ts';
import { loadRole } from './roles.ts';

/** One play: roles compiled in, imports in place, flush points between pre_tasks, roles with tasks, and post_tasks. */
export function loadPlay(node: Node, outer: Omit<Context, 'play'>): Play {
  checkPlay(node, outer.loading.problems);
  checkSyntax(node, outer.loading);
  const hosts = field(node, 'hosts');
  if (!hosts) throw inputError('this play has no hosts', { origin: node.origin, expected: "'hosts: PATTERN'" });
  const keywords = readKeywords(node, sharedKeywords);
  const user = field(node, 'user');
  if (user && !keywords.remoteUser) keywords.remoteUser = user;
  const context: Context = {
    ...outer,
    play: newPlayParts(),
    staticVars: keywords.vars ? [...outer.staticVars, keywords.vars] : outer.staticVars,
  };
  const id = context.ids.next('p');
  const tasks = allTasks(node, context);
  const handlers = ownHandlers(node, context);
  const play: Play = {
    id,
    name: field(node, 'name') ?? hosts,
    origin: node.origin,
    file: context.playFile,
    hosts,
    keywords,
    gatherFacts: field(node, 'gather_facts'),
    gatherSubset: field(node, 'gather_subset'),
    varsFiles: nodes(node, 'vars_files'),
    varsPrompt: nodes(node, 'vars_prompt'),
    tasks,
    handlers: [...context.play.roleHandlers, ...handlers, ...context.play.importedHandlers],
    roles: [...new Set([...context.play.roles, ...context.play.importedRoles])],
    serial: field(node, 'serial'),
    maxFailPercentage: field(node, 'max_fail_percentage'),
    maxFailures: field(node, 'max_failures'),
    strategy: field(node, 'strategy'),
    order: field(node, 'order'),
    forceHandlers: field(node, 'force_handlers'),
    gates: gateCalls(field(node, 'gates'), context),
  };
  context.loading.ranRoles.set(id, context.play.ran);
  checkVarsFiles(play, context.loading);
  return play;
}

function nodes(node: Node, name: string): Node[] {
  const value = field(node, name);
  return value ? [...listed(value)] : [];
}

function allTasks(node: Node, context: Context): TaskTree[] {
  const section = (name: string) => {
    const tasks = field(node, name);
    return tasks ? context.taskList(tasks, context) : [];
  };
  const flush = () => flushPoint(node, context);
  const before = section('pre_tasks');
  return [
    ...before,
    ...flush(),
    ...roles(node, context),
    ...section('tasks'),
    ...flush(),
    ...section('post_tasks'),
    ...flush(),
  ];
}

/** `roles:` in order. Each joins the play's roles before any task runs: all of the play sees their variables. */
function roles(node: Node, context: Context): TaskTree[] {
  const entries = field(node, 'roles');
  return (entries ? listed(entries) : []).flatMap((entry) => {
    const loaded = context.loading.problems.attempt(() => loadRole(roleEntry(entry, [], context), context));
    if (!loaded) return [];
    if (!context.play.roles.includes(loaded.role)) context.play.roles.push(loaded.role);
    context.play.roleHandlers.push(...loaded.handlers);
    return loaded.tasks;
  });
}

function ownHandlers(node: Node, context: Context): TaskTree[] {
  const handlers = field(node, 'handlers');
  return handlers ? context.taskList(handlers, { ...context, handler: true }) : [];
}

/** Where Ansible runs pending handlers without being told. */
function flushPoint(play: Node, context: Context): TaskTree[] {
  const { origin } = play;
  return [
    {
      kind: 'task',
      id: context.ids.next('t'),
      origin,
      module: 'meta',
      moduleNode: { written: 'meta', origin },
      freeForm: made('flush_handlers', origin),
      keywords: { tags: [made('always', origin)] },
      file: context.playFile,
      implicit: true,
    },
  ];
}
