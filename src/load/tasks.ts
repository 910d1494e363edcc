import { inputError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import type { Block, Keywords, Loop, Task, TaskTree } from '../core/play.ts';
import { type Action, actionOf, isTaskKeyword, localhost } from './action.ts';
import { findModule } from './builtins.ts';
import { checkKeyword, unknownKeyword } from './check-keyword.ts';
import { checkParams } from './check-params.ts';
import { checkSyntax } from './check-syntax.ts';
import { templateFile } from './check-template-file.ts';
import type { Context } from './context.ts';
import { field, isTemplated, mapping, wrongType } from './expect.ts';
import { importRole, importTasks } from './imports.ts';
import { blockKeywords, idleKeywords, innerKeywords, loopControls, loopNames, taskKeywords } from './keywords.ts';
import { loopLack, unknownModule } from './lacks.ts';
import { readKeywords } from './read-keywords.ts';

/** The tasks of a list node (anything else was reported); blocks and static imports in place. Problems go to the context. */
export function taskList(node: Node, context: Context): TaskTree[] {
  return (node.items ?? []).flatMap((item) => context.loading.problems.attempt(() => oneTask(item, context)) ?? []);
}

function oneTask(node: Node, context: Context): TaskTree[] {
  if (!node.entries) throw wrongType(node, 'task', "a mapping such as '- name: …'");
  if (node.entries.has('block')) return [block(node, context)];
  if (node.entries.has('rescue') || node.entries.has('always')) throw orphan(node);
  checkSyntax(node, context.loading);
  const action = renamed(actionOf(node, context.loading), node, context);
  const task = plainTask(node, action, context);
  if (context.alone) return [task];
  if (action.module === 'import_tasks') return importTasks(task, context);
  if (action.module === 'import_role') return importRole(task, context);
  return [task];
}

/** `include` is import_tasks where it can be: a literal name, no loop. */
function renamed(action: Action, node: Node, { loading }: Context): Action {
  if (action.module !== 'include') return action;
  const isStatic = action.freeForm?.literal === true && !loopEntries(node).length;
  const module = isStatic ? 'import_tasks' : 'include_tasks';
  loading.problems.warn(inputError("'include' is an old name", { origin: action.origin, hint: `write '${module}'` }));
  return { ...action, module };
}

function loopEntries(node: Node) {
  return [...(node.entries ?? [])].filter(([name]) => name === 'loop' || name.startsWith('with_'));
}

function orphan(node: Node) {
  const name = node.entries?.has('rescue') ? 'rescue' : 'always';
  const origin = node.entries?.get(name)?.keyOrigin;
  return inputError(`'${name}' without 'block'`, { origin, expected: "a 'block' in the same mapping" });
}

function block(node: Node, context: Context): Block {
  const { problems } = context.loading;
  const origin = node.origin;
  if (context.handler) throw inputError('a block cannot be a handler', { origin, expected: 'a task' });
  const valid = [...Object.keys(blockKeywords), ...Object.keys(innerKeywords)];
  for (const [name, { keyOrigin, node: value }] of node.entries ?? []) {
    const form = blockKeywords[name] ?? innerKeywords[name]?.form;
    if (form === undefined && !idleKeywords.has(name)) problems.add(unknownKeyword(name, keyOrigin, 'a block', valid));
    const problem = form && checkKeyword(name, value, form);
    if (problem) problems.add(problem);
  }
  checkSyntax(node, context.loading);
  const keywords = readKeywords(node, innerKeywords);
  const inner = { ...context, staticVars: keywords.vars ? [...context.staticVars, keywords.vars] : context.staticVars };
  const id = context.ids.next('b');
  const section = (name: string) => {
    const tasks = field(node, name);
    return tasks ? inner.taskList(tasks, inner) : [];
  };
  return {
    kind: 'block',
    id,
    origin,
    name: field(node, 'name'),
    keywords,
    block: section('block'),
    rescue: section('rescue'),
    always: section('always'),
    role: context.role,
  };
}

function plainTask(node: Node, action: Action, context: Context): Task {
  checkTaskKeywords(node, action, context);
  noteUnknown(action, node, context);
  const params = withTaskParams(node, action, context);
  checkParams({ ...action, params }, context.loading);
  const task: Task = {
    kind: 'task',
    id: context.ids.next('t'),
    origin: node.origin,
    name: field(node, 'name'),
    module: action.module,
    moduleNode: { written: action.written, origin: action.origin },
    params,
    freeForm: action.freeForm,
    keywords: taskKeywordsOf(node, action),
    loop: loopOf(node, context),
    register: field(node, 'register'),
    changedWhen: conditions(node, 'changed_when'),
    failedWhen: conditions(node, 'failed_when'),
    until: conditions(node, 'until'),
    retries: field(node, 'retries'),
    delay: field(node, 'delay'),
    async: field(node, 'async'),
    poll: field(node, 'poll'),
    notify: field(node, 'notify'),
    listen: field(node, 'listen'),
    role: context.role,
    ...(context.handler ? { handler: true } : {}),
    ...appliedBy(action, context),
    file: context.file,
  };
  context.loading.problems.attempt(() => templateFile(task, context.playFile, context.loading.sources));
  return task;
}

/** `apply:` of an include: keywords for what is included. */
function appliedBy(action: Action, context: Context): { apply?: Keywords } {
  const apply = action.module.startsWith('include_') && action.params ? field(action.params, 'apply') : undefined;
  if (!apply?.entries) return {};
  for (const [name, { keyOrigin, node }] of apply.entries) {
    const form = innerKeywords[name]?.form;
    if (!form) context.loading.problems.add(unknownKeyword(name, keyOrigin, 'apply', Object.keys(innerKeywords)));
    const problem = form && checkKeyword(name, node, form);
    if (problem) context.loading.problems.add(problem);
  }
  return { apply: readKeywords(apply, innerKeywords) };
}

function taskKeywordsOf(node: Node, action: Action): Keywords {
  const keywords = readKeywords(node, innerKeywords);
  return action.local ? { ...keywords, delegateTo: localhost(action.origin) } : keywords;
}

function checkTaskKeywords(node: Node, action: Action, context: Context): void {
  const { problems } = context.loading;
  for (const [name, { keyOrigin, node: value }] of node.entries ?? []) {
    if (!isTaskKeyword(name)) continue;
    const form = taskKeywords[name] ?? innerKeywords[name]?.form;
    const problem = form && checkKeyword(name, value, form);
    if (problem) problems.add(problem);
    if (name === 'listen' && !context.handler)
      problems.add(
        inputError("'listen' stands in a task that is no handler", {
          origin: keyOrigin,
          expected: "a task in 'handlers'",
        }),
      );
    if (name === 'args' && action.module === 'meta')
      problems.add(inputError("'meta' takes no parameters", { origin: keyOrigin }));
  }
}

/** Unknown modules fail only when they are reached; under --strict they are errors now. */
function noteUnknown(action: Action, task: Node, { loading }: Context): void {
  if (findModule(action.module, loading) !== undefined) return;
  loading.unknownModules.push({ name: action.module, task });
  if (!loading.strict) return;
  loading.problems.add(unknownModule(action, loading));
}

/** `unless:` and `only_if:` may stand beside `command:` as well as among its parameters. */
function withTaskParams(node: Node, action: Action, { loading }: Context): Node | undefined {
  const specs = loading.modules.find(action.module)?.params;
  const extra = ['unless', 'only_if'].flatMap((name) => {
    const entry = node.entries?.get(name);
    if (!entry) return [];
    if (specs?.[name]) return [[name, entry] as const];
    loading.problems.add(
      inputError(`'${name}' does not go with '${action.written}'`, {
        origin: entry.keyOrigin,
        expected: "'command' or 'shell'",
      }),
    );
    return [];
  });
  if (extra.length === 0) return action.params;
  return mapping(new Map([...(action.params?.entries ?? []), ...extra]), action.params?.origin ?? node.origin);
}

function conditions(node: Node, name: string): Node[] | undefined {
  const value = field(node, name);
  return value === undefined ? undefined : value.items ? [...value.items] : [value];
}

function loopOf(node: Node, context: Context): Loop | undefined {
  const loops = loopEntries(node);
  const [first, second] = loops;
  if (!first) return undefined;
  if (second)
    throw inputError(`two loops stand in one task: '${first[0]}' and '${second[0]}'`, {
      origin: second[1].keyOrigin,
      expected: 'one loop',
    });
  const [name, { keyOrigin, node: value }] = first;
  const kind = name.replace(/^with_/, '').replace(/^ansible\.builtin\./, '');
  if (kind !== 'loop' && !loopNames.has(kind))
    throw unknownKeyword(
      name,
      keyOrigin,
      'a task',
      [...loopNames].map((loop) => `with_${loop}`),
    );
  if (kind !== 'loop') loopLack(kind, keyOrigin, context.loading);
  if (value.value === null) throw inputError(`'${name}' has no value`, { origin: keyOrigin, expected: 'a list' });
  if (kind === 'loop' && !value.items && !isTemplated(value)) throw wrongType(value, 'loop', 'a list');
  return { kind, node: value, control: loopControl(node, context) };
}

function loopControl(node: Node, context: Context): Node | undefined {
  const control = field(node, 'loop_control');
  for (const [name, { keyOrigin }] of control?.entries ?? [])
    if (!loopControls.some((known) => known === name))
      context.loading.problems.add(unknownKeyword(name, keyOrigin, 'loop_control', loopControls));
  return control;
}
