import { KpushError } from '../../core/errors.ts';
import type { Role } from '../../core/play.ts';
import { Unknown, type Value } from '../../jinja/values.ts';
import { inherit, tagsOf } from '../context.ts';
import type { Instance, Instanced } from '../instance.ts';
import { unknown } from '../instance.ts';
import { failedOutcome, okOutcome, pendingOutcome, unknownOutcome } from '../outcome.ts';
import type { Context, HostState } from '../state.ts';
import { found, param, text } from './lib.ts';

/** include_tasks: its `when` and tags are its own; `apply` hands keywords down; its `vars` stand above set_fact. */
export function includeTasks(instance: Instance): Instanced {
  const { state, env, task, point } = instance;
  const file = param(instance, 'file') ?? (task.freeForm && env.tools.evaluator.value(task.freeForm, point));
  const open = openName(file, instance);
  if (open) return open;
  const name = text(file);
  if (!name) return { state, outcome: failedOutcome('No file specified for include_tasks') };
  const nodes = found(() => env.tools.loader.tasks(task, name, `${task.id}@${state.seq}`));
  if (nodes instanceof KpushError) return { state, outcome: failedOutcome(nodes.message) };
  return { state, outcome: { ...okOutcome({ include: name }), include: { nodes, context: inside(instance) } } };
}

/** include_role: the role's handlers join the play's; its variables are seen inside it. */
export function includeRole(instance: Instance): Instanced {
  const { state, env, task } = instance;
  const given = param(instance, 'name', 'role');
  const open = openName(given, instance);
  if (open) return open;
  const name = text(given);
  if (!name) return { state, outcome: failedOutcome("'name' is a required field for include_role") };
  const loaded = found(() => env.tools.loader.role(task, { name, ...from(instance) }, `${task.id}@${state.seq}`));
  if (loaded instanceof KpushError) return { state, outcome: failedOutcome(loaded.message) };
  const context = { ...inside(instance), role: loaded.role };
  return {
    state: { ...exposing(instance, loaded.role), handlers: [...state.handlers, ...loaded.handlers] },
    outcome: { ...okOutcome({ include: name }), include: { nodes: loaded.tasks, context } },
  };
}

/** `public: true`: what follows in the play sees the role's variables, as if it had been imported. */
function exposing(instance: Instance, role: Role): HostState {
  const { state, env } = instance;
  const given = param(instance, 'public');
  if (given !== true && !/^(yes|true|on|1)$/i.test(text(given) ?? '')) return state;
  const exposed = [...(state.vars.exposed ?? []), { play: env.run.play.id, role }];
  return { ...state, vars: { ...state.vars, exposed } };
}

function from(instance: Instance) {
  return {
    tasksFrom: text(param(instance, 'tasks_from')),
    varsFrom: text(param(instance, 'vars_from')),
    defaultsFrom: text(param(instance, 'defaults_from')),
    handlersFrom: text(param(instance, 'handlers_from')),
    allowDuplicates: !/^(no|false|off|0)$/i.test(text(param(instance, 'allow_duplicates')) ?? ''),
  };
}

function openName(value: Value | undefined, instance: Instance): Instanced | undefined {
  if (!(value instanceof Unknown)) return undefined;
  const outcome = instance.env.scout ? pendingOutcome() : unknownOutcome(unknown(value, instance));
  return { state: instance.state, outcome };
}

/** What included tasks inherit: all that stands around the include and its `apply`, none of its own keywords. */
function inside({ task, outer, locals }: Instance): Context {
  const applied = task.apply ?? {};
  return {
    ...outer,
    keywords: inherit(outer.keywords, applied),
    blockVars: applied.vars ? [...outer.blockVars, applied.vars] : outer.blockVars,
    includeParams: task.keywords.vars ? [...outer.includeParams, task.keywords.vars] : outer.includeParams,
    tags: [...outer.tags, ...tagsOf(applied)],
    locals: new Map([...outer.locals, ...locals]),
  };
}
