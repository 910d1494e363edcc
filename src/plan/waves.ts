import type { Gift, VarState } from '../core/evaluator.ts';
import type { Play } from '../core/play.ts';
import { World } from '../world/world.ts';
import type { Driver, Emit } from './driver.ts';
import type { PlanTools, PlayRun } from './environment.ts';
import { passGates } from './gates.ts';
import { take } from './gifts.ts';
import { type Carried, freshCarried, runBatch } from './play.ts';
import { Rendezvous } from './rendezvous.ts';
import type { HostState } from './state.ts';

/** A play with its hosts, cut into batches; decided by resolve when its turn comes. */
export interface Wave {
  play: Play;
  name: string;
  /** In order, without hosts that failed before; `all`: with them. */
  hosts: string[];
  all?: readonly string[];
  batches: string[][];
  linear: boolean;
  /** any_errors_fatal. */
  fatal: boolean;
  /** The wave stops when more hosts than this have failed, and without `bearsBatches` when a whole batch has. */
  budget?: { failures: number; says: string; bearsBatches?: true };
  /** Hosts that failed in the runs that this one goes on after: the budget counts them, too. */
  failedBefore?: readonly string[];
}

export interface WaveTools extends PlanTools {
  wave(play: Play, failed: ReadonlySet<string>): Wave;
  /** Hosts of a pattern, for gates. */
  hosts(pattern: string): string[];
}

export interface WaveRun {
  plays: readonly Play[];
  tools: WaveTools;
  driver: Driver;
  emit: Emit;
  stop: AbortSignal;
  /** Hosts that take no part: they failed before. */
  failed?: ReadonlySet<string>;
}

export interface WavesEnd {
  failed: ReadonlySet<string>;
  unreachable: ReadonlySet<string>;
  gateFailed: boolean;
  stopped?: string;
}

/** All plays in order: waves of batches, each behind the gates of the one before. */
export async function runWaves(run: WaveRun): Promise<WavesEnd> {
  const all = new Waves(run);
  for (const [index, play] of run.plays.entries()) {
    if (all.stopped || run.stop.aborted) break;
    await all.play(play, index);
  }
  return { failed: all.failed, unreachable: all.unreachable, gateFailed: all.gateFailed, stopped: all.stopped };
}

/** How many failed hosts end the run before a whole batch has failed. */
function stopsAt({ fatal, budget, hosts, failedBefore = [] }: Wave): number | undefined {
  const count = fatal ? 1 : budget ? Math.max(1, budget.failures + 1 - failedBefore.length) : undefined;
  return count !== undefined && count <= hosts.length ? count : undefined;
}

class Waves {
  readonly failed = new Set<string>();
  readonly unreachable = new Set<string>();
  /** Both: who takes no further part. */
  private readonly lost = new Set<string>();
  stopped: string | undefined;
  gateFailed = false;
  /** Hosts that failed in this wave, or in the same one of the runs before. */
  private failures = new Set<string>();
  private readonly run: WaveRun;
  private later: { stamp: string; runs: { members: Set<string>; run: PlayRun }[] } = { stamp: '', runs: [] };
  private readonly carried = new Map<string, Carried>();

  constructor(run: WaveRun) {
    this.run = run;
    for (const host of run.failed ?? []) for (const set of [this.failed, this.lost]) set.add(host);
  }

  async play(play: Play, index: number): Promise<void> {
    const { tools, emit, plays } = this.run;
    const decided = tools.wave(play, this.gone());
    const wave = this.lost.size > 0 ? { ...decided, all: tools.wave(play, new Set()).hosts } : decided;
    const { name, hosts, batches } = wave;
    emit({
      type: 'play-start',
      play: play.id,
      name,
      origin: play.origin,
      wave: index + 1,
      waves: plays.length,
      hosts,
      batches,
      stopsAt: stopsAt(wave),
    });
    this.failures = new Set(wave.failedBefore);
    for (const [at, batch] of batches.entries()) {
      if (this.stopped || this.run.stop.aborted) break;
      emit({ type: 'batch-start', play: play.id, batch: at + 1, hosts: batch });
      const bad = await this.batch(wave, batch, index);
      emit({ type: 'batch-end', play: play.id, batch: at + 1 });
      this.judge(wave, batch, bad);
      if (!this.stopped) await this.gates(wave, at + 1 < batches.length || batches.length === 1 ? batch : hosts);
    }
    emit({ type: 'play-end', play: play.id, failed: hosts.filter((host) => this.gone().has(host)) });
  }

  private async batch(wave: Wave, batch: string[], index: number): Promise<string[]> {
    const live = batch.filter((host) => !this.gone().has(host));
    const meeting = new Rendezvous(live);
    const onStop = () => meeting.halt('interrupted');
    this.run.stop.addEventListener('abort', onStop);
    await runBatch({
      run: this.playRun(wave, live),
      tools: this.run.tools,
      driver: this.run.driver,
      emit: this.run.emit,
      carried: (host) => this.carriedBy(host),
      later: (host) => this.laterRuns(host, index),
      varsOf: (host) => this.varsOf(host),
      done: (host, state) => this.hostDone(wave, host, state, meeting),
      meeting,
    });
    this.run.stop.removeEventListener('abort', onStop);
    this.handOver(live, meeting.undelivered());
    return batch.filter((host) => this.gone().has(host));
  }

  /** Facts for hosts that were not there, or that had come to the end. */
  private handOver(batch: readonly string[], gifts: readonly Gift[]) {
    for (const host of new Set([...gifts.map(({ to }) => to), ...batch])) {
      const known = this.carriedBy(host);
      const own = gifts.filter(({ to }) => to === host);
      if (own.length === 0 && !known.vars.given) continue;
      this.carried.set(host, { ...known, vars: { ...take(known.vars, own), given: undefined } });
    }
  }

  private hostDone(wave: Wave, host: string, state: HostState, meeting: Rendezvous) {
    const world = this.isLast(wave.play) ? new World() : state.world;
    this.carried.set(host, { vars: state.vars, world, seq: state.seq });
    if (state.status === 'failed') this.failed.add(host);
    if (state.status === 'unreachable') this.unreachable.add(host);
    const bad = state.status === 'failed' || state.status === 'unreachable';
    if (bad) this.lost.add(host);
    const halted = meeting.isHalted !== undefined && state.status === 'ended';
    this.run.emit({
      type: 'host-end',
      host,
      play: wave.play.id,
      state: bad ? (state.status as 'failed') : halted ? 'stopped' : 'done',
    });
    const why = bad ? this.overspent(wave, host, state.fatal) : undefined;
    if (why === undefined) return;
    this.stopped ??= why;
    // Where hosts meet before every task, or before and behind this one, all finish it.
    if (wave.linear || wave.fatal || state.fatal) meeting.haltBehindTask(why);
    else meeting.halt(why);
  }

  /** Nothing is planned behind it: what is known of a thousand hosts need not be kept. */
  private isLast(play: Play): boolean {
    return this.run.plays.at(-1) === play;
  }

  /** A batch that failed as a whole stops the run, unless so many failures are expressly borne. */
  private judge({ budget }: Wave, batch: string[], bad: string[]) {
    if (budget?.bearsBatches) return;
    if (batch.length > 0 && bad.length === batch.length) this.stopped ??= 'every host of the batch failed';
  }

  /** Failures are counted over the whole wave, each host once; what is too much stops the others at once. */
  private overspent(wave: Wave, host: string, fatal: boolean): string | undefined {
    this.failures.add(host);
    if (fatal) return `any_errors_fatal: ${host} failed`;
    if (!wave.budget || this.failures.size <= wave.budget.failures) return undefined;
    return `${wave.budget.says}${wave.failedBefore?.length ? ', with those of the runs before' : ''}`;
  }

  private async gates(wave: Wave, judged: string[]) {
    const live = judged.filter((host) => !this.gone().has(host));
    if (this.run.stop.aborted || wave.play.gates.length === 0) return;
    const { tools, driver } = this.run;
    const passed = await passGates({
      wave,
      live,
      tools,
      driver,
      run: this.playRun(wave, live),
      varsOf: (host) => this.varsOf(host),
    });
    if (passed) return;
    this.gateFailed = true;
    this.stopped ??= `a gate of "${wave.name}" did not pass`;
  }

  private playRun(wave: Wave, batch: string[]): PlayRun {
    const { play, hosts, linear, fatal } = wave;
    const forceHandlers = play.forceHandlers?.value === true;
    return {
      play,
      hostsAll: wave.all ?? hosts,
      hosts: () => hosts.filter((host) => !this.gone().has(host)),
      batch,
      linear: linear || fatal,
      fatal,
      forceHandlers,
    };
  }

  /** Plays still to come for a host. Decided once per play and host lost, not once per host. */
  private laterRuns(host: string, index: number): PlayRun[] {
    const stamp = `${index}/${this.lost.size}`;
    if (this.later.stamp !== stamp) this.later = { stamp, runs: this.decideLater(index) };
    return this.later.runs.filter(({ members }) => members.has(host)).map(({ run }) => run);
  }

  private decideLater(index: number) {
    const waves = this.run.plays.slice(index + 1).map((play) => this.run.tools.wave(play, this.gone()));
    return waves.map((wave) => ({ members: new Set(wave.hosts), run: this.playRun(wave, wave.hosts) }));
  }

  private carriedBy(host: string): Carried {
    return this.carried.get(host) ?? freshCarried();
  }

  private varsOf(host: string): VarState | undefined {
    return this.carried.get(host)?.vars;
  }

  private gone(): ReadonlySet<string> {
    return this.lost;
  }
}
