import { createHash } from 'node:crypto';
import { KpushError } from '../core/errors.ts';
import type { ModuleContext } from '../core/module.ts';
import { isString } from '../jinja/values.ts';
import type { HostEnv } from './environment.ts';
import type { Instance } from './instance.ts';
import { environmentOf, keywordTrue } from './keywords.ts';

/** What a module may know besides facts. Files and environment are read only when a module asks for them. */
export function moduleContext(instance: Instance, on: string): ModuleContext {
  const { env, point, state, context } = instance;
  const { options, evaluator } = env.tools;
  return {
    host: on,
    taskName: taskName(instance),
    facts: state.vars.facts,
    checkMode: context.keywords.checkMode ? keywordTrue(instance, context.keywords.checkMode) : options.checkMode,
    diff: options.diff,
    noLog: keywordTrue(instance, context.keywords.noLog),
    get remoteUser() {
      return evaluator.identity(context.keywords, point).become?.user ?? loginUser(instance, on);
    },
    get env() {
      return environmentOf(instance);
    },
    runId: options.runId,
    now: options.now,
    random: (bytes) => randomHex(`${options.runId}/${env.host}/${state.seq}`, bytes),
    get files() {
      return evaluator.files(point);
    },
  };
}

const plain = new WeakMap<HostEnv, Map<string, string>>();

/** The user of the connection. Where neither task, block nor include says anything of its own it is the play's. */
function loginUser({ env, point, context, task }: Instance, on: string): string {
  const own = task.keywords.vars || context.blockVars.length > 0 || point.includeParams.length > 0 || point.role;
  if (own || task.keywords.remoteUser) return userAt(env, on, point);
  const users = plain.get(env) ?? new Map<string, string>();
  plain.set(env, users);
  const known = users.get(on) ?? userAt(env, on, point);
  users.set(on, known);
  return known;
}

/** Nobody where it is said wrongly how the host is reached: asking the host tells that. */
function userAt(env: HostEnv, on: string, point: Instance['point']): string {
  try {
    return env.tools.evaluator.user(on, point);
  } catch (error) {
    if (error instanceof KpushError && error.kind === 'input') return '';
    throw error;
  }
}

/** The task's name as a person reads it; a name that cannot be rendered is shown as written. */
export function taskName({ env, point, task }: Instance): string {
  const written = task.name?.value;
  if (!task.name || !isString(written ?? undefined)) return unnamed(task);
  try {
    const value = env.tools.evaluator.value(task.name, point);
    return isString(value) ? (typeof value === 'string' ? value : value.text) : String(written);
  } catch {
    return String(written);
  }
}

/** What a task without a name is called: its module as written, and of an included role that, too. */
function unnamed({ module, moduleNode, params }: Instance['task']): string {
  const role = params?.entries?.get('name') ?? params?.entries?.get('role');
  const named = module === 'include_role' && typeof role?.node.value === 'string';
  return named ? `${moduleNode.written} : ${role.node.value}` : moduleNode.written;
}

function randomHex(seed: string, bytes: number): string {
  let hex = '';
  for (let i = 0; hex.length < bytes * 2; i++) hex += createHash('sha256').update(`${seed}/${i}`).digest('hex');
  return hex.slice(0, bytes * 2);
}
