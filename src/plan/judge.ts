import type { Node } from '../core/node.ts';
import type { Result, Tri } from '../core/result.ts';
import type { PlannedStep, StepOutcome } from '../core/steps.ts';
import { Unknown, type Value } from '../jinja/values.ts';
import { pointFor } from './context.ts';
import type { Instance, Instanced } from './instance.ts';
import { keywordNumber } from './keywords.ts';
import type { ModuleCall } from './module-task.ts';
import { type Outcome, pendingOutcome, resultValue } from './outcome.ts';
import type { HostState } from './state.ts';
import { Interruption } from './turn.ts';
import { wentWell } from './went-well.ts';

export interface Judged {
  call: Pick<ModuleCall, 'instance'>;
  state: HostState;
  result: Result;
  steps: PlannedStep[];
  ran: StepOutcome[];
  /** The steps have not run and are not known to be only predicted. */
  pending: boolean;
  seen: Pick<Outcome, 'provisional' | 'fleeting' | 'warnings' | 'notes' | 'probes'>;
}

/** `changed_when`, `failed_when` and `until` over a result, then its status. */
export function judge(judged: Judged): Instanced {
  const { call, state, pending } = judged;
  const { instance } = call;
  const result = conditions(judged);
  if (pending && (result.failed instanceof Unknown ? mustDecide(instance) : false)) return undecided(judged);
  const retry = again(judged, result);
  // Another attempt comes after this one has run, however sure its failure is, and after all before it.
  if (retry === 'open' || (retry === 'again' && (pending || state.pending.length > 0))) return undecided(judged);
  if (retry === 'again') throw retryLater(judged);
  const last = withJob(retry === 'exhausted' ? exhausted(result, instance) : result, instance);
  return { state, outcome: outcomeOf(judged, last) };
}

/** With failed_when or until nothing may follow before the result is in. */
function mustDecide({ task }: Instance): boolean {
  return !!task.failedWhen || !!task.until;
}

function undecided({ call, state }: Judged): Instanced {
  if (call.instance.env.scout) return { state, outcome: pendingOutcome() };
  throw new Interruption({ kind: 'cut', state });
}

/** Ansible's order: changed_when sees the result, failed_when sees what changed_when made of it. */
function conditions(judged: Judged): Result {
  const { task } = judged.call.instance;
  let { result } = judged;
  if (task.changedWhen) result = { ...result, changed: verdict(task.changedWhen, judged, result) };
  if (task.failedWhen) {
    const failed = verdict(task.failedWhen, judged, result);
    result = { ...result, failed, values: new Map([...result.values, ['failed_when_result', failed]]) };
  }
  return result;
}

function verdict(nodes: Node[], { call, state }: Judged, result: Result): Tri {
  const { instance } = call;
  const { env, task, context, locals } = instance;
  const name = registerName(instance);
  const value = resultValue(result);
  const seen: [string, Value][] = name ? [[name, value]] : [];
  const point = pointFor(state, env, context, task, new Map([...locals, ...seen]));
  return env.tools.evaluator.condition(nodes, point);
}

function registerName({ task }: Instance): string | undefined {
  return typeof task.register?.value === 'string' ? task.register.value : undefined;
}

type Again = 'done' | 'again' | 'open' | 'exhausted';

function again(judged: Judged, result: Result): Again {
  const { instance } = judged.call;
  const { task, state } = instance;
  if (!task.until) return 'done';
  const until = verdict(task.until, judged, result);
  if (until instanceof Unknown) return judged.pending ? 'open' : 'done';
  if (until || state.attempts === Number.POSITIVE_INFINITY) return 'done';
  return state.attempts < keywordNumber(instance, task.retries, 3) ? 'again' : 'exhausted';
}

function retryLater({ call, state, steps, ran }: Judged): Interruption {
  const { instance } = call;
  const need = {
    kind: 'sleep' as const,
    seconds: keywordNumber(instance, instance.task.delay, 5),
    what: `attempt ${state.attempts + 1} did not satisfy until`,
  };
  // What an attempt that went wrong was to bring about is in doubt no longer: the host is asked.
  const { world } = ran.every(wentWell) ? state : instance.state;
  return new Interruption({
    kind: 'need',
    need,
    resume: (reply) => ({
      ...state,
      world: world.cleared(),
      seq: state.seq + 1,
      tried: withChanges(state.tried, steps, ran),
      attempts: reply.kind === 'predicted' ? Number.POSITIVE_INFINITY : state.attempts + 1,
    }),
  });
}

/** A command that is tried a hundred times changes nothing that could be told; it is not kept a hundred times. */
function withChanges(before: HostState['tried'], steps: PlannedStep[], ran: StepOutcome[]): HostState['tried'] {
  const changes = steps.filter((step) => step.diff?.length && !step.always);
  const keys = new Set(changes.map(({ key }) => key));
  return {
    steps: [...before.steps, ...changes],
    ran: [...before.ran, ...ran.filter(({ key }) => keys.has(key))],
  };
}

function exhausted(result: Result, instance: Instance): Result {
  const attempts = keywordNumber(instance, instance.task.retries, 3);
  return { ...result, failed: true, values: new Map([...result.values, ['attempts', attempts]]) };
}

/** An `async` task that is over has Ansible's fields of a job; kpush waits for it at its place. */
function withJob(result: Result, instance: Instance): Result {
  const { task, state } = instance;
  if (!task.async || keywordNumber(instance, task.async, 0) <= 0) return result;
  const job = { ansible_job_id: `kpush.${state.seq}`, results_file: '', started: 1, finished: 1 };
  return { ...result, values: new Map([...result.values, ...Object.entries(job)]) };
}

function outcomeOf(judged: Judged, result: Result): Outcome {
  const { steps, ran, seen, call } = judged;
  const { attempts, tried } = call.instance.state;
  const values =
    call.instance.task.until && Number.isFinite(attempts) && !result.values.has('attempts')
      ? new Map([...result.values, ['attempts', attempts + 1] as const])
      : result.values;
  const full = { ...result, values };
  return {
    status: statusOf(full),
    result: full,
    steps: [...tried.steps, ...steps],
    ran: [...tried.ran, ...ran],
    ...seen,
    why: full.changed instanceof Unknown ? full.changed.why : undefined,
    always: steps.some((step) => step.always) || undefined,
    late: (full.failed === true && ran.some((outcome) => outcome.status !== 'predicted')) || undefined,
    message: textOf(full.values.get('msg')),
  };
}

function statusOf(result: Result): Outcome['status'] {
  if (result.failed === true) return 'failed';
  if (result.skipped === true) return 'skipped';
  if (result.changed instanceof Unknown) return 'unknown';
  return result.changed ? 'changed' : 'ok';
}

function textOf(value: Value | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
