import type { VarState } from '../core/evaluator.ts';
import type { EventBody } from '../core/events.ts';
import { withEntry } from '../core/overlaid.ts';
import { isString, type Value } from '../jinja/values.ts';
import { taskEvent } from './event.ts';
import { failHost, finishFlow } from './flow.ts';
import { give, receiverOf } from './gifts.ts';
import { notify } from './handlers.ts';
import type { Instance } from './instance.ts';
import { isFatal, keywordTrue } from './keywords.ts';
import { failedOutcome, type Outcome, resultValue } from './outcome.ts';
import { withTask } from './role-once.ts';
import { advance, type HostState, push, type TasksFrame } from './state.ts';

/** What a finished task leaves: registered result, facts, notified handlers, the event, and where to go on. */
export function completeTask(instance: Instance, state: HostState, outcome: Outcome): HostState {
  const notified = notify({ ...instance, state }, outcome);
  if ('unknownHandler' in notified)
    return completeTask(withoutNotify(instance), state, noHandler(notified.unknownHandler, instance));
  const ignored = outcome.status === 'failed' && keywordTrue(instance, instance.context.keywords.ignoreErrors);
  const kept = outcome.status === 'unreachable' && keywordTrue(instance, instance.context.keywords.ignoreUnreachable);
  const vars = remember(state.vars, instance, outcome);
  const moved = advance({ ...withTask(state, instance.task, outcome), vars, notified, seq: state.seq + 1 });
  if (bad(outcome) && !ignored && !kept) return failHost({ ...moved, fatal: isFatal(instance) }, instance, outcome);
  // What a look-ahead would tell is thrown away.
  const isSilent = outcome.silent || instance.env.scout !== undefined;
  const told = isSilent ? moved : tell(moved, instance, outcome, ignored);
  return entered(finishFlow(told, outcome, instance), outcome);
}

function bad(outcome: Outcome): boolean {
  return outcome.status === 'failed' || outcome.status === 'unreachable';
}

export function tell(state: HostState, instance: Instance, outcome: Outcome, ignored: boolean): HostState {
  const { task, env } = instance;
  const probes = (outcome.probes ?? []).map(
    (command): EventBody => ({ type: 'probe', host: env.host, task: task.id, origin: task.origin, command }),
  );
  const warnings = (outcome.warnings ?? []).map(
    (message): EventBody => ({ type: 'warning', host: env.host, message, origin: task.origin }),
  );
  return { ...state, log: [...state.log, ...probes, ...warnings, taskEvent(instance, outcome, { ignored })] };
}

/** Included tasks come right after the include, before what follows it. */
export function entered(state: HostState, outcome: Outcome): HostState {
  if (!outcome.include) return state;
  const { nodes, context, handlers } = outcome.include;
  const frame: TasksFrame = { kind: 'tasks', up: state.frames, nodes, at: 0, context, handlers };
  return push(state, frame);
}

/** register, and ansible_facts of whom they are of. */
export function remember(vars: VarState, instance: Instance, outcome: Outcome): VarState {
  const name = instance.task.register?.value;
  const facts = outcome.setsFacts === false ? undefined : outcome.result.values.get('ansible_facts');
  const set = typeof name === 'string' ? withEntry(vars.set, name, resultValue(outcome.result)) : vars.set;
  if (!(facts instanceof Map)) return { ...vars, set };
  const to = receiverOf(instance);
  if (to) return give({ ...vars, set }, { to, facts: merged(new Map(), facts) });
  return { ...vars, set, facts: merged(vars.facts, facts) };
}

function merged(known: VarState['facts'], found: ReadonlyMap<Value, Value>): VarState['facts'] {
  const facts = new Map(known);
  const plain = resultValue({ changed: false, values: new Map([['f', found as Map<Value, Value>]]) }).get('f');
  for (const [key, value] of plain as Map<Value, Value>) facts.set(shortName(key), value);
  return facts;
}

function shortName(key: Value): string {
  const name = isString(key) ? (typeof key === 'string' ? key : key.text) : String(key);
  return name.startsWith('ansible_') ? name.slice('ansible_'.length) : name;
}

function noHandler(name: string, instance: Instance): Outcome {
  const notify = instance.task.notify;
  return failedOutcome(`the requested handler '${name}' was not found in the play`, {
    hint: notify ? `notified at ${notify.origin.file}:${notify.origin.line}` : undefined,
  });
}

function withoutNotify(instance: Instance): Instance {
  return { ...instance, task: { ...instance.task, notify: undefined } };
}
