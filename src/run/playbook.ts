import { hostname, userInfo } from 'node:os';
import pLimit from 'p-limit';
import { type ApplyTools, applyDriver } from '../apply/apply-driver.ts';
import { type GateClock, judgeGate } from '../apply/gates.ts';
import { Uploads } from '../apply/uploads.ts';
import type { EventBody } from '../core/events.ts';
import type { FactKey } from '../core/facts.ts';
import type { RunControl, RunOptions } from '../core/options.ts';
import type { Play } from '../core/play.ts';
import type { Target } from '../core/session.ts';
import { makeAsker } from '../plan/asker.ts';
import type { Driver } from '../plan/driver.ts';
import { planDriver } from '../plan/plan-driver.ts';
import { runWaves } from '../plan/waves.ts';
import { playPoint } from '../resolve/waves.ts';
import { blobAddress } from './blob-address.ts';
import { sleeper } from './clock.ts';
import { optimiseLate } from './late-optimiser.ts';
import { keepHeapLean } from './lean-heap.ts';
import type { Prepared } from './prepare.ts';
import type { AppliedPlan, RecordedPlan } from './saved-plan-run.ts';
import { SessionPool } from './sessions.ts';
import { keyShownBy } from './shown-key.ts';

/** Hosts worked on at once where nothing else is said: a slot is held for a trip, not for a play. */
const defaultForks = 64;

export type Emit = (event: EventBody) => void;

/**
 * One playbook over its hosts: planned, or planned and applied. Sessions are kept from the one to the other. `use`: the
 * plan is recorded, or compared with a saved one before that is applied.
 */
export async function runPlaybook(
  prepared: Prepared,
  options: RunOptions,
  control: RunControl,
  emit: Emit,
  use?: RecordedPlan,
): Promise<void> {
  const run = new PlaybookRun(prepared, options, control, emit);
  try {
    if (options.verb === 'plan') await run.plan(use);
    else if (options.verb === 'status') await run.status();
    else if (use?.applied) await run.applySaved(use, use.applied);
    else if (control.confirm) await run.applyAfterAsking(control.confirm);
    else await run.apply();
  } finally {
    await run.close();
  }
}

interface WavesOptions {
  also?: (event: EventBody) => void;
  emit?: Emit;
  /** Hosts that take no part. */
  failed?: ReadonlySet<string>;
}

class PlaybookRun {
  private readonly prepared: Prepared;
  private readonly options: RunOptions;
  private readonly control: RunControl;
  private readonly emit: Emit;
  private readonly pool: SessionPool;
  private readonly forks: number;
  private readonly slot: <T>(work: () => Promise<T>) => Promise<T>;
  private play: Play;
  private readonly targetOf = (host: string): Target =>
    this.prepared.evaluator.target(host, { ...playPoint(this.play), host });
  private readonly uploads = new Uploads((host) => blobAddress(this.prepared.evaluator, this.play, host, this.emit));
  private readonly onStop = () => this.pool.stop();

  constructor(prepared: Prepared, options: RunOptions, control: RunControl, emit: Emit) {
    this.prepared = prepared;
    this.options = options;
    this.control = control;
    this.play = prepared.plays[0]!;
    this.emit = (event) => this.watch(event, emit);
    this.pool = new SessionPool(this.targetOf, this.emit);
    optimiseLate();
    keepHeapLean(prepared.inventory.hosts.size);
    this.forks = options.forks ?? prepared.forks ?? defaultForks;
    const limit = pLimit(this.forks);
    this.slot = (work) => limit(work);
    control.stop.addEventListener('abort', this.onStop);
  }

  async plan(use?: RecordedPlan, tell: Emit = this.emit): Promise<void> {
    this.prepared.begin('plan');
    const driver = planDriver(this.asker(), this.prepared.tools, tell);
    const waves = { also: use?.record.event, emit: tell };
    await this.waves(use?.record.driver(driver) ?? driver, waves);
  }

  /** Every gate is asked once, each for itself; tasks are only planned, since gates go by what they set. */
  async status(): Promise<void> {
    this.prepared.begin('plan');
    const asker = this.asker();
    const emit: Emit = (event) => (event.type !== 'task' || isFailed(event)) && this.emit(event);
    const gate: Driver['gate'] = async (judgement) => {
      await judgeGate(judgement, asker, this.clock(), emit, { once: true });
      return true;
    };
    await this.waves({ ...planDriver(asker, this.prepared.tools, emit), gate }, { emit });
  }

  /** Plans anew; hosts whose plan is still what was saved are applied, and do nothing else. */
  async applySaved(use: RecordedPlan, applied: AppliedPlan): Promise<void> {
    const { confirm, stop } = this.control;
    // Where nobody is asked, the plan was seen when it was saved: it is not told as if it happened now.
    const tell: Emit = confirm ? this.emit : (event) => event.type === 'play-start' && this.watch(event, () => {});
    tell({ type: 'phase', phase: 'plan' });
    await this.plan(use, tell);
    if (stop.aborted) return;
    const refused = applied.refusals();
    for (const { host, message } of refused) tell({ type: 'warning', host, message: `${host}: ${message}` });
    const isIdle = [...use.record.hosts().values()].every(
      ({ steps, deferred }) => steps.length + deferred.length === 0,
    );
    if (confirm && !isIdle && !(await confirm())) return;
    tell({ type: 'phase', phase: 'apply' });
    for (const one of refused) this.emit(applied.failure(one));
    const failed = new Set(refused.map(({ host }) => host));
    await this.apply((driver) => applied.guard(driver, this.emit), failed);
  }

  /** Shows the plan, asks once if there is anything to change, then applies on answers asked anew. */
  async applyAfterAsking(confirm: () => Promise<boolean>): Promise<void> {
    this.emit({ type: 'phase', phase: 'plan' });
    this.prepared.begin('plan');
    const tasks: EventBody[] = [];
    const driver = planDriver(this.asker(), this.prepared.tools, this.emit);
    await this.waves(driver, { also: (event) => event.type === 'task' && tasks.push(event) });
    if (this.control.stop.aborted || tasks.some(isFailed)) return;
    if (tasks.some(isChange) && !(await confirm())) return;
    this.emit({ type: 'phase', phase: 'apply' });
    await this.apply();
  }

  async apply(guard = (driver: Driver) => driver, failed?: ReadonlySet<string>): Promise<void> {
    const { options, control, emit, pool, slot } = this;
    this.prepared.begin('apply');
    const settings = {
      run: options.runId,
      owner: `${userInfo().username}@${hostname()}`,
      forceUnlock: options.forceUnlock,
      single: options.verb === 'exec',
    };
    const asker = this.asker();
    const clock = this.clock();
    const { sleep, now, stopped } = clock;
    const tools: ApplyTools = {
      asker,
      sessionOf: pool.of,
      slot,
      uploads: this.uploads,
      settings,
      emit,
      clock,
      actions: {
        asker,
        sessionOf: pool.of,
        targetOf: this.targetOf,
        keyShownBy,
        settings,
        now,
        sleep,
        stopped,
        signal: control.close,
        emit,
      },
      close: control.close,
      stop: control.stop,
      check: options.check,
      grows: (action) => this.prepared.tools.action(action)?.grows ?? false,
    };
    const driver = applyDriver(tools, planDriver(asker, this.prepared.tools, emit));
    await this.waves(guard(driver), { failed });
  }

  async close(): Promise<void> {
    this.control.stop.removeEventListener('abort', this.onStop);
    await this.pool.close();
  }

  private async waves(driver: Driver, options: WavesOptions = {}): Promise<void> {
    const { also, emit: tell = this.emit, failed } = options;
    const emit: Emit = (event) => {
      also?.(event);
      tell(event);
    };
    const { plays, tools } = this.prepared;
    const end = await runWaves({ plays, tools, driver, emit, stop: this.control.stop, failed });
    const { verb } = this.options;
    const isTold = (verb === 'apply' || verb === 'plan') && !this.control.stop.aborted;
    if (end.stopped && isTold) tell({ type: 'warning', message: `stopped: ${end.stopped}` });
  }

  private clock(): GateClock {
    const { value } = this.prepared.evaluator;
    return { ...sleeper(this.control.stop), value: (judgement, node) => value(node, judgement.point) };
  }

  private asker() {
    // Loaded when first asked: most runs read no archives.
    const controller = async (key: FactKey) => (await import('../payload/answer.ts')).answerPayload(key.id);
    return makeAsker(this.pool.of, this.slot, this.control.close, controller, this.forks);
  }

  /** Connection variables may differ from play to play. */
  private watch(event: EventBody, emit: Emit) {
    if (event.type === 'play-start')
      this.play = this.prepared.plays.find((play) => play.id === event.play) ?? this.play;
    emit(event);
    // One task is all there is: a thousand hosts need not be held until the last of them is through.
    if (event.type === 'task' && this.options.verb === 'exec') this.pool.release(event.host);
  }
}

function isChange(event: EventBody): boolean {
  return event.type === 'task' && (event.status === 'unknown' || event.steps.length > 0);
}

function isFailed(event: EventBody): boolean {
  return (
    event.type === 'task' &&
    (event.status === 'failed' || event.status === 'unreachable') &&
    !event.ignored &&
    !event.rescued
  );
}
