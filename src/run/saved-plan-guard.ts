import type { ActionCall, Reply } from '../core/needs.ts';
import { result } from '../core/result.ts';
import type { PlannedStep } from '../core/steps.ts';
import type { Driver } from '../plan/driver.ts';
import type { SavedHost, SavedPlan, SavedRest } from './saved-plan.ts';
import { sameness } from './saved-plan-compare.ts';
import { actionDigest, type RecordTools, savedRests, stepDigest } from './saved-plan-record.ts';

/**
 * Lets through what a saved plan has, and nothing else: at the first other step its host fails, and stays refused. Facts
 * that moved while it was being applied are planned on again, and that is held to the saved plan as well.
 */
export function guardedDriver(inner: Driver, plan: Pick<SavedPlan, 'hosts'>, options: GuardOptions): Driver {
  const guard = new Guard(plan, options);
  return {
    ...inner,
    run: async (host, need) => {
      if (need.steps[0]?.dry) return inner.run(host, need);
      const at = need.steps.findIndex((step) => guard.refuses(host, step));
      const steps = at < 0 ? need.steps : need.steps.slice(0, at);
      const reply =
        steps.length === 0 ? nothing() : await inner.run(host, at < 0 ? need : { ...need, steps, next: [] });
      if (reply.kind === 'ran') for (const step of steps) guard.ran(host, step);
      const refused = need.steps[at];
      if (!refused || reply.kind !== 'ran' || !isWhole(steps, reply)) return reply;
      return { ...reply, outcomes: [...reply.outcomes, refusedOutcome(refused, guard.why(host))] };
    },
    act: async (host, need) => {
      if (options.grows(need.call.action)) return inner.act(host, need);
      if (!guard.refusesAction(host, need.call)) {
        guard.acted(need.call);
        return inner.act(host, need);
      }
      return { kind: 'acted', result: { ...result(false, { msg: guard.why(host) }), failed: true } };
    },
  };
}

export interface GuardOptions extends RecordTools {
  allowDeferred: boolean;
  /** Whether a task is there for what fails: no plan has it. */
  rescues(task: string): boolean;
  /** Told once for each host. */
  refused(host: string, why: string): void;
}

type Ran = Extract<Reply, { kind: 'ran' }>;

class Guard {
  private readonly plan: Pick<SavedPlan, 'hosts'>;
  private readonly options: GuardOptions;
  /** By host and what makes steps the same: what each of them rests on. */
  private readonly known = new Map<string, ReadonlyMap<string, SavedRest[][]>>();
  private readonly reasons = new Map<string, string>();
  /** Hosts on which something ran of which not every effect is declared: their facts move by that. */
  private readonly opened = new Set<string>();

  constructor(plan: Pick<SavedPlan, 'hosts'>, options: GuardOptions) {
    this.plan = plan;
    this.options = options;
  }

  why(host: string): string {
    return this.reasons.get(host) ?? '';
  }

  refuses(host: string, step: PlannedStep): boolean {
    const { seal } = this.options;
    const { task, noLog, title } = step;
    const what = noLog ? '(no_log)' : title;
    const is = { task: task.id, digest: stepDigest(step, seal) };
    if (this.reasons.has(host)) return true;
    return this.judge(host, is, what) || this.rests(host, step, sameness(is));
  }

  refusesAction(host: string, call: ActionCall): boolean {
    if (this.reasons.has(host)) return true;
    return this.judge(host, { task: call.task.id, digest: actionDigest(call, this.options.seal) }, call.action);
  }

  refuse(host: string, why: string): true {
    if (!this.reasons.has(host)) this.options.refused(host, why);
    this.reasons.set(host, why);
    return true;
  }

  ran(host: string, step: PlannedStep): void {
    const on = step.on ?? host;
    const opens = step.effects.some(({ type }) => type === 'opaque' || type === 'world.open');
    if (opens || on !== host) this.opened.add(on);
  }

  acted({ on }: ActionCall): void {
    this.opened.add(on);
  }

  private judge(host: string, step: { task: string; digest: string }, what: string): boolean {
    if (this.steps(host).has(sameness(step))) return false;
    const deferred = deferredOf(this.plan.hosts[host], step.task) ?? this.rescue(step.task);
    if (!deferred) return this.refuse(host, `not in the saved plan: ${what}`);
    if (this.options.allowDeferred) {
      this.opened.add(host);
      return false;
    }
    return this.refuse(host, `deferred in the saved plan (${deferred.why}), needs --allow-deferred: ${what}`);
  }

  private rescue(task: string): { why: string } | undefined {
    return this.options.rescues(task) ? { why: 'done only where something fails' } : undefined;
  }

  /**
   * Answers that the step rested on in the saved plan are those of now, as long as nothing here could have moved them.
   * What steps before it were to change is not among them: a plan predicts that, and has no answer of the host's.
   */
  private rests(host: string, step: PlannedStep, same: string): boolean {
    if (this.opened.has(step.on ?? host)) return false;
    const now = new Map(savedRests(host, step, this.options).map(({ key, raw }) => [key, raw]));
    const moved = (this.steps(host).get(same) ?? []).map((rests) =>
      rests.find(({ key, raw }) => now.has(key) && now.get(key) !== raw),
    );
    const [one] = moved;
    return one !== undefined && moved.every(Boolean) && this.refuse(host, `moved since the plan was made: ${one.fact}`);
  }

  private steps(host: string): ReadonlyMap<string, SavedRest[][]> {
    const known = this.known.get(host) ?? restsBySameness(this.plan.hosts[host]);
    this.known.set(host, known);
    return known;
  }
}

/** Steps of a loop may be the same and rest on other answers. */
function restsBySameness(saved: SavedHost | undefined): Map<string, SavedRest[][]> {
  const found = new Map<string, SavedRest[][]>();
  for (const step of saved?.steps ?? []) found.set(sameness(step), [...(found.get(sameness(step)) ?? []), step.rests]);
  return found;
}

/** The deferred task that a task is, or is included by: `b12.t3` was included where `12` is. */
export function deferredOf(saved: SavedHost | undefined, task: string) {
  const site = /^b(\d+)\./.exec(task)?.[1];
  return saved?.deferred.find((one) => one.task === task || (site !== undefined && /\d+/.exec(one.task)?.[0] === site));
}

function nothing(): Ran {
  return { kind: 'ran', executed: true, outcomes: [], next: [] };
}

/** Every step ran, and none of them ended the trip. */
function isWhole(steps: readonly PlannedStep[], { outcomes }: Ran): boolean {
  const byKey = new Map(outcomes.map((outcome) => [outcome.key, outcome]));
  return steps.every(({ key, onFail }) => {
    const outcome = byKey.get(key);
    return outcome && (onFail === 'go-on' || (outcome.status === 'ok' && !outcome.unproven));
  });
}

function refusedOutcome({ key }: PlannedStep, why: string): Ran['outcomes'][number] {
  const now = Date.now();
  return { key, status: 'failed', rc: 1, stdout: '', stderr: why, start: now, end: now };
}
