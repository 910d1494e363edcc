import type { VarState } from '../core/evaluator.ts';
import { HostWait } from '../core/evaluator.ts';
import type { Play, Task } from '../core/play.ts';
import { World } from '../world/world.ts';
import { playContext } from './context.ts';
import { drive } from './drive.ts';
import type { Driver, Emit } from './driver.ts';
import type { HostEnv, PlanTools, PlayRun } from './environment.ts';
import { take } from './gifts.ts';
import { hostProgram } from './program.ts';
import type { Rendezvous } from './rendezvous.ts';
import { type HostState, positionOf, push, startState } from './state.ts';

/** What a host carries from play to play. */
export interface Carried {
  vars: VarState;
  world: World;
  seq: number;
}

export interface Batch {
  run: PlayRun;
  tools: PlanTools;
  driver: Driver;
  emit: Emit;
  carried(host: string): Carried;
  /** Plays still to come for a host, with their runs: their questions can be asked now. */
  later(host: string): PlayRun[];
  /** What hosts outside this batch know. */
  varsOf(host: string): VarState | undefined;
  /** Called as soon as a host is through. */
  done(host: string, state: HostState): void;
  meeting: Rendezvous;
}

/** All hosts of a batch side by side, each at its own pace. */
export async function runBatch(batch: Batch): Promise<void> {
  const { run, meeting } = batch;
  for (const host of run.batch) meeting.moved(host, [], batch.carried(host).vars);
  await Promise.all(
    run.batch.map(async (host) => {
      const state = await runHost(host, batch);
      batch.done(host, state);
      meeting.moved(host, positionOf(state), state.vars);
      meeting.left(host);
    }),
  );
}

function runHost(host: string, batch: Batch): Promise<HostState> {
  const env = hostEnv(host, batch.run, batch);
  const carried = batch.carried(host);
  const start = playStart(batch.run.play, carried, env);
  const later = () =>
    batch.later(host).map((run) => {
      const laterEnv = hostEnv(host, run, batch);
      return { env: laterEnv, state: playStart(run.play, carried, laterEnv) };
    });
  return drive(host, hostProgram(start, env, later), batch.driver, batch.meeting, batch.emit);
}

function hostEnv(host: string, run: PlayRun, { tools, meeting, varsOf, driver }: Batch): HostEnv {
  const env: HostEnv = {
    host,
    run,
    tools,
    segment: undefined,
    lost: undefined,
    scout: undefined,
    predicts: driver.predicts,
    others: (other, state) => {
      if (other === host) return state.vars;
      const known = () => (run.batch.includes(other) ? meeting.varsOf(other) : undefined) ?? varsOf(other);
      if (run.batch.includes(other) && !meeting.hasPassed(other, positionOf(state))) throw new HostWait(other);
      const gifts = (state.vars.given ?? []).filter((gift) => gift.to === other && !meeting.isDelivered(gift));
      return gifts.length > 0 ? take(known() ?? freshCarried().vars, gifts) : known();
    },
  };
  return env;
}

function playStart(play: Play, carried: Carried, env: HostEnv): HostState {
  const state = startState(carried.vars, carried.world, carried.seq);
  const nodes = gathers(play, env) ? [gatherTask(play), ...play.tasks] : play.tasks;
  return push(state, { kind: 'tasks', up: undefined, nodes, at: 0, context: playContext(play) });
}

function gathers(play: Play, env: HostEnv): boolean {
  const node = play.gatherFacts;
  if (!node) return env.tools.options.gather;
  return typeof node.value === 'boolean' ? node.value : !['no', 'false'].includes(String(node.value).toLowerCase());
}

/** gather_facts as the task it is; it is always selected, like Ansible's. */
function gatherTask(play: Play): Task {
  const { origin } = play;
  const word = (value: string) => ({ value, origin, source: value, literal: true });
  return {
    kind: 'task',
    id: `${play.id}/gather`,
    origin,
    name: word('Gathering Facts'),
    module: 'setup',
    moduleNode: { written: 'gather_facts', origin },
    keywords: { tags: [word('always')] },
    file: origin.file,
  };
}

export function freshCarried(): Carried {
  return { vars: { facts: new Map(), set: new Map(), included: new Map() }, world: new World(), seq: 0 };
}
