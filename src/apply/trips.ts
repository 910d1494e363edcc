import { createHash } from 'node:crypto';
import { type FactKey, keyText } from '../core/facts.ts';
import { type Identity, identityKey } from '../core/identity.ts';
import type { ChangeTrip, RemoteStep } from '../core/session.ts';
import type { PlannedStep, SystemdOp } from '../core/steps.ts';
import { compileRun } from '../remote/compile.ts';
import { asked } from '../world/ask.ts';
import { shareProofs } from './shared-proofs.ts';
import { staged } from './stage.ts';

/** Steps of one identity in a row: one script. A joined step stands for several planned ones. */
export interface TripPlan {
  identity: Identity;
  steps: JoinedStep[];
}

export interface JoinedStep {
  planned: PlannedStep[];
  first: PlannedStep;
  /** All whose facts are read in one, after the last of them: its own, or the same array for each step of a group. */
  proved: PlannedStep[];
}

/**
 * Cuts a segment where the identity changes, joins neighbouring systemd work (engine rule 18) and reads the facts of
 * neighbouring writes in one.
 */
export function tripsOf(steps: readonly PlannedStep[]): TripPlan[] {
  const trips: TripPlan[] = [];
  for (const step of steps) {
    const last = trips.at(-1);
    if (last && identityKey(last.identity) === identityKey(step.identity)) join(last.steps, step);
    else trips.push({ identity: step.identity, steps: [single(step)] });
  }
  return trips.map(({ identity, steps }) => ({ identity, steps: shareProofs(steps) }));
}

function single(step: PlannedStep): JoinedStep {
  const planned = [step];
  return { planned, first: step, proved: planned };
}

function join(steps: JoinedStep[], step: PlannedStep) {
  const last = steps.at(-1)!;
  if (joins(last.first, step)) last.planned.push(step);
  else steps.push(single(step));
}

function joins(a: PlannedStep, b: PlannedStep): boolean {
  if (a.run.kind !== 'systemd' || b.run.kind !== 'systemd') return false;
  return a.run.scope === b.run.scope && a.onFail === b.onFail && a.timeout === b.timeout && isGentle(a) && isGentle(b);
}

const gentle = new Set<SystemdOp['op']>(['daemon-reload', 'enable', 'unmask', 'start']);

/** What may be put together without changing its meaning: nothing is stopped on the way. */
function isGentle({ run }: PlannedStep): boolean {
  return run.kind === 'systemd' && run.ops.every((op) => gentle.has(op.op) && !('noBlock' in op && op.noBlock));
}

export interface TripSettings {
  run: string;
  owner: string;
  forceUnlock: boolean;
  /** All there is to do on a host is one segment: its shell ends with the last trip of it. */
  single?: boolean;
}

/** The trip as the host gets it. `first`: nothing of this segment was written yet, so the guard speaks. */
export function changeTrip(
  trip: TripPlan,
  settings: TripSettings,
  first: boolean,
  next: FactKey[],
  last = false,
): ChangeTrip {
  return {
    identity: trip.identity,
    run: settings.run,
    owner: settings.owner,
    forceUnlock: settings.forceUnlock,
    ...(first ? { guard: guardOf(trip) } : {}),
    steps: trip.steps.map((step, n) => remoteStep(step, provedAfter(trip.steps, n))),
    next: asked(next).blocks,
    last: settings.single && last,
  };
}

function guardOf(trip: TripPlan): ChangeTrip['guard'] {
  const own = identityKey(trip.identity);
  const rests = new Map<string, { key: FactKey; raw: string }>();
  for (const { planned } of trip.steps)
    for (const step of planned)
      for (const rest of step.rests) if (identityKey(rest.identity) === own) rests.set(keyText(rest.key), rest);
  if (rests.size === 0) return undefined;
  const { blocks, order } = asked([...rests.values()].map((rest) => rest.key));
  const records = order.map((key) => `${rests.get(keyText(key))!.raw}\n`).join('');
  return { blocks, sha256: createHash('sha256').update(records, 'latin1').digest('hex') };
}

/** The keys a guard of this trip compares, to ask them again when it did not hold. */
export function guardKeys(trip: TripPlan): FactKey[] {
  const own = identityKey(trip.identity);
  const rests = trip.steps.flatMap(({ planned }) => planned.flatMap((step) => step.rests));
  return [
    ...new Map(rests.filter((r) => identityKey(r.identity) === own).map((r) => [keyText(r.key), r.key])).values(),
  ];
}

/** How many steps later the facts of step `n` are read. */
function provedAfter(steps: readonly JoinedStep[], n: number): number {
  let last = n;
  while (steps[last + 1]?.proved === steps[n]!.proved) last++;
  return last - n;
}

function remoteStep({ planned, first, proved }: JoinedStep, after: number): RemoteStep {
  const run = first.run.kind === 'systemd' ? { ...first.run, ops: planned.flatMap(opsOf) } : first.run;
  return {
    key: first.key,
    ...compileRun(staged(run), { env: first.env, cwd: first.cwd, umask: first.umask, timeout: first.timeout }),
    onFail: first.onFail ?? 'stop',
    onCut: first.onCut ?? 'end',
    timeout: first.timeout,
    okCodes: first.okCodes ?? [0],
    ...(after > 0 ? { proof: [], provedAfter: after } : { proof: asked(proofKeys(proved)).blocks }),
  };
}

function opsOf({ run }: PlannedStep): SystemdOp[] {
  return run.kind === 'systemd' ? run.ops : [];
}

/** Keys of all proofs that are read in one, each once: the last expectation is the one that holds. */
export function proofKeys(planned: readonly PlannedStep[]): FactKey[] {
  return [...new Map(planned.flatMap((step) => step.proves).map(({ key }) => [keyText(key), key])).values()];
}
