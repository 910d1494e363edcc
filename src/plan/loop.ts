import { Chain } from '../core/chain.ts';
import type { TaskEvent } from '../core/events.ts';
import type { Node } from '../core/node.ts';
import type { Result } from '../core/result.ts';
import { Unknown, type Value } from '../jinja/values.ts';
import { completeTask, entered, remember } from './complete.ts';
import type { HostEnv } from './environment.ts';
import { plainResult } from './event.ts';
import { makeInstance } from './instance.ts';
import { keywordTrue } from './keywords.ts';
import { loopItems } from './loop-items.ts';
import { toNiceText } from './nice-text.ts';
import { type Outcome, resultValue, skippedOutcome } from './outcome.ts';
import { planInstance } from './plan-instance.ts';
import { shareTurn } from './run-once.ts';
import { advance, type HostState, type LoopFrame, pop, push } from './state.ts';
import type { Turn } from './turn.ts';

/** Begins a loop: its items are known now, or the whole task waits, fails or is skipped. */
export function beginLoop(state: HostState, env: HostEnv, task: LoopFrame['task'], outer: LoopFrame['context']): Turn {
  const instance = makeInstance(state, env, task, outer);
  const items = loopItems(instance);
  if ('turn' in items) return items.turn;
  if ('outcome' in items) return { kind: 'next', state: completeTask(instance, state, items.outcome) };
  if (items.list.length === 0) {
    const outcome = skippedOutcome(noItems, { results: [], skipped_reason: noItems });
    return { kind: 'next', state: completeTask(instance, state, outcome) };
  }
  const frame: LoopFrame = {
    kind: 'loop',
    up: state.frames,
    task,
    items: items.list,
    at: 0,
    done: Chain.of(),
    context: outer,
    before: state.vars,
    leads: state.shared === 'lead',
  };
  return { kind: 'next', state: push(state, frame) };
}

const noItems = 'No items in the list';

/** One item, or the end of the loop. */
export function loopTurn(state: HostState, frame: LoopFrame, env: HostEnv): Turn {
  if (frame.at >= frame.items.length) return overTurn(state, frame, env);
  const item = frame.items[frame.at]!;
  const instance = makeInstance(state, env, frame.task, frame.context, itemLocals(frame, item, env, state));
  const { state: after, outcome } = planInstance(instance);
  const label = labelOf(instance, frame, item);
  // As in Ansible, an item sees what the one before it registered, and its facts.
  const vars = wasDone(outcome) ? remember(after.vars, instance, outcome) : after.vars;
  const moved = advance({ ...after, vars, seq: after.seq + 1 });
  const at = outcome.whole ? frame.items.length : (moved.frames as LoopFrame).at;
  const next = { ...(moved.frames as LoopFrame), at, done: frame.done.with({ item, label, outcome }) };
  return { kind: 'next', state: push(moved, next) };
}

function wasDone({ status }: Outcome): boolean {
  return status !== 'skipped' && status !== 'unreachable';
}

function overTurn(state: HostState, frame: LoopFrame, env: HostEnv): Turn {
  const after = endLoop(state, frame, env);
  if (!frame.leads) return { kind: 'next', state: after };
  const before = { ...pop(state), vars: frame.before };
  return shareTurn(makeInstance(before, env, frame.task, frame.context), after);
}

function endLoop(state: HostState, frame: LoopFrame, env: HostEnv): HostState {
  const finished = frame.done.toArray();
  const whole = finished.at(-1)?.outcome.whole === true;
  // As in Ansible, nothing that the items before it found or registered is kept then.
  const over = whole ? { ...pop(state), vars: frame.before } : pop(state);
  const outcome = whole ? cutShort(finished) : summed(frame, finished);
  const instance = makeInstance(
    over,
    env,
    frame.task,
    frame.context,
    itemLocals(frame, frame.items.at(-1)!, env, state),
  );
  const noLog = keywordTrue(instance, instance.context.keywords.noLog);
  const items = finished.map((done) => itemOf(done, noLog));
  const done = completeTask({ ...instance, items }, over, outcome);
  return done.status === 'running' ? finished.reduceRight((after, item) => entered(after, item.outcome), done) : done;
}

function itemOf({ label, outcome }: Finished, noLog: boolean): NonNullable<TaskEvent['items']>[number] {
  return noLog
    ? { label: '(item=None)', status: outcome.status }
    : { label, status: outcome.status, message: outcome.message, result: plainResult(outcome) };
}

type Finished = LoopFrame['done'] extends Iterable<infer Item> ? Item : never;

/** The failure of the last item is that of the task; what ran before it did run. */
function cutShort(finished: readonly Finished[]): Outcome {
  const outcomes = finished.map(({ outcome }) => outcome);
  const steps = outcomes.flatMap((outcome) => outcome.steps);
  return { ...outcomes.at(-1)!, steps, ran: outcomes.flatMap((outcome) => outcome.ran) };
}

/** Ansible's result of a loop: changed and failed if any is, skipped if all are. */
function summed(frame: LoopFrame, finished: readonly Finished[]): Outcome {
  const outcomes = finished.map(({ outcome }) => outcome);
  const name = loopVar(frame.task.loop?.control);
  const results = finished.map(({ item, outcome }): Value => {
    const value = resultValue(outcome.result);
    return value.set(name, item).set('ansible_loop_var', name);
  });
  const lost = outcomes.find((outcome) => outcome.status === 'unreachable');
  if (lost) return lost;
  const allSkipped = outcomes.every((outcome) => outcome.status === 'skipped');
  const failed = outcomes.some((outcome) => outcome.status === 'failed');
  const open = outcomes.find((outcome) => outcome.result.changed instanceof Unknown);
  const changed = outcomes.some((outcome) => outcome.result.changed === true) || (open?.result.changed ?? false);
  const first = outcomes.find((outcome) => outcome.status === 'failed');
  const msg = failed ? 'One or more items failed' : allSkipped ? 'All items skipped' : 'All items completed';
  const result: Result = {
    changed,
    ...foldedTri(outcomes, failed, allSkipped),
    values: new Map<string, Value>([
      ['results', results],
      ['msg', msg],
    ]),
  };
  return {
    status: statusOf(failed, allSkipped, outcomes, changed),
    result,
    steps: outcomes.flatMap((outcome) => outcome.steps),
    ran: outcomes.flatMap((outcome) => outcome.ran),
    message: first?.message ?? outcomes.find((outcome) => outcome.message)?.message,
    hint: first?.hint,
    why: open?.why,
    provisional: outcomes.find((outcome) => outcome.provisional)?.provisional,
    fleeting: outcomes.find((outcome) => outcome.fleeting)?.fleeting,
    warnings: outcomes.flatMap((outcome) => outcome.warnings ?? []),
    notes: outcomes.flatMap((outcome) => outcome.notes ?? []),
    probes: outcomes.flatMap((outcome) => outcome.probes ?? []),
    always: outcomes.some((outcome) => outcome.always) || undefined,
    late: outcomes.some((outcome) => outcome.late) || undefined,
    silent: outcomes.every((outcome) => outcome.silent) || undefined,
  };
}

/** What may have been so of an item may be so of the loop. */
function foldedTri(outcomes: Outcome[], failed: boolean, skipped: boolean): Pick<Result, 'failed' | 'skipped'> {
  const open = (name: 'failed' | 'skipped') =>
    outcomes.map(({ result }) => result[name]).find((value) => value instanceof Unknown);
  const mayFail = failed || open('failed');
  const passed = outcomes.every(({ result }) => result.skipped !== undefined && result.skipped !== false);
  const maySkip = skipped || (passed ? open('skipped') : undefined);
  return { ...(mayFail ? { failed: mayFail } : {}), ...(maySkip ? { skipped: maySkip } : {}) };
}

function statusOf(
  failed: boolean,
  skipped: boolean,
  outcomes: Outcome[],
  changed: Result['changed'],
): Outcome['status'] {
  if (failed) return 'failed';
  if (skipped) return 'skipped';
  if (outcomes.some((outcome) => outcome.status === 'unknown') && changed !== true) return 'unknown';
  return changed === true ? 'changed' : 'ok';
}

/** item (or loop_var), index_var, and with `extended: true` ansible_loop. */
function itemLocals(frame: LoopFrame, item: Value, env: HostEnv, state: HostState): ReadonlyMap<string, Value> {
  const control = frame.task.loop?.control;
  const name = loopVar(control);
  const locals = new Map<string, Value>([
    [name, item],
    ['ansible_loop_var', name],
  ]);
  const index = word(control, 'index_var');
  if (index) locals.set(index, frame.at).set('ansible_index_var', index);
  const wide = control?.entries?.get('extended')?.node;
  if (wide && keywordTrue(makeInstance(state, env, frame.task, frame.context), wide))
    locals.set('ansible_loop', extended(frame));
  return locals;
}

function extended({ items, at }: LoopFrame): Value {
  const pairs: [Value, Value][] = [
    ['allitems', [...items]],
    ['index', at + 1],
    ['index0', at],
    ['revindex', items.length - at],
    ['revindex0', items.length - at - 1],
    ['first', at === 0],
    ['last', at === items.length - 1],
    ['length', items.length],
  ];
  if (at + 1 < items.length) pairs.push(['nextitem', items[at + 1]!]);
  if (at > 0) pairs.push(['previtem', items[at - 1]!]);
  return new Map(pairs);
}

function labelOf(instance: ReturnType<typeof makeInstance>, frame: LoopFrame, item: Value): string {
  const node = frame.task.loop?.control?.entries?.get('label')?.node;
  try {
    return toNiceText(node ? instance.env.tools.evaluator.value(node, instance.point) : item).slice(0, 200);
  } catch {
    return toNiceText(item).slice(0, 200);
  }
}

export function loopVar(control: Node | undefined): string {
  return word(control, 'loop_var') ?? 'item';
}

function word(control: Node | undefined, name: string): string | undefined {
  const value = control?.entries?.get(name)?.node.value;
  return typeof value === 'string' ? value : undefined;
}
