import type { EventBody, TaskEvent } from '../core/events.ts';
import { type FactKey, keyText } from '../core/facts.ts';
import { type Identity, identityKey } from '../core/identity.ts';
import type { ActionCall } from '../core/needs.ts';
import type { Diff, PlannedStep, Run } from '../core/steps.ts';
import type { Driver } from '../plan/driver.ts';
import { families } from '../world/families.ts';
import type { SavedDeferred, SavedHost, SavedRest, SavedStep } from './saved-plan.ts';
import type { Seal } from './saved-plan-seal.ts';

/** A host as it was planned in this process: what is saved, and the diffs a person reads. */
export interface PlannedHost extends SavedHost {
  diffs: ReadonlyMap<string, readonly Diff[]>;
}

export interface RecordTools {
  seal: Seal;
  /** Takes known secrets out of a text that is kept. */
  veil(text: string): string;
  /** Actions that change nothing but the inventory of the run. */
  grows(action: string): boolean;
}

interface HostRecord {
  state: SavedHost['state'];
  steps: Map<string, SavedStep>;
  deferred: Map<string, SavedDeferred>;
  diffs: Map<string, readonly Diff[]>;
}

/** Writes down what a plan driver is asked to do, host by host. */
export class PlanRecord {
  private readonly tools: RecordTools;
  private readonly records = new Map<string, HostRecord>();

  constructor(tools: RecordTools) {
    this.tools = tools;
  }

  /** Only a driver that is asked to run steps sees them: so they are not settled where they are planned. */
  driver({ predicts: _predicts, ...inner }: Driver): Driver {
    return {
      ...inner,
      run: (host, need) => {
        for (const step of need.steps) if (!step.dry) this.step(host, step);
        return inner.run(host, need);
      },
      act: (host, need) => {
        if (!this.tools.grows(need.call.action)) this.action(host, need.call);
        return inner.act(host, need);
      },
    };
  }

  event = (event: EventBody): void => {
    if (event.type === 'task') this.task(event);
    if (event.type === 'host-end') {
      const record = this.of(event.host);
      if (event.state === 'failed' || event.state === 'unreachable') record.state = event.state;
    }
  };

  hosts(): Map<string, PlannedHost> {
    return new Map(
      [...this.records].map(([host, { state, steps, deferred, diffs }]) => [
        host,
        { state, steps: [...steps.values()], deferred: [...deferred.values()], diffs },
      ]),
    );
  }

  private step(host: string, step: PlannedStep) {
    const { steps, diffs } = this.of(host);
    steps.set(step.key, savedStep(host, step, this.tools));
    if (step.diff && !step.noLog) diffs.set(step.key, step.diff);
  }

  private action(host: string, call: ActionCall) {
    const { seal, veil } = this.tools;
    const key = `${call.seq}.${call.action}`;
    const { task } = call;
    const title = veil(call.action);
    const digest = actionDigest(call, seal);
    this.of(host).steps.set(key, { key, task: task.id, name: veil(task.name), title, digest, rests: [] });
  }

  /** What is not known, and what rests on facts that an earlier step may change, or that change by themselves. */
  private task({ host, status, task, name, why, provisional, fleeting }: TaskEvent) {
    const waits = status === 'unknown' ? (why ?? 'an earlier task') : (provisional ?? fleeting);
    if (waits === undefined) return;
    const { veil } = this.tools;
    this.of(host).deferred.set(task, { task, name: veil(name), why: veil(waits) });
  }

  private of(host: string): HostRecord {
    const known = this.records.get(host);
    if (known) return known;
    const made: HostRecord = { state: 'planned', steps: new Map(), deferred: new Map(), diffs: new Map() };
    this.records.set(host, made);
    return made;
  }
}

function savedStep(host: string, step: PlannedStep, tools: RecordTools): SavedStep {
  const { seal, veil } = tools;
  const { key, task, noLog, title } = step;
  return {
    key,
    task: task.id,
    name: veil(task.name),
    title: noLog ? '(no_log)' : veil(title),
    digest: stepDigest(step, seal),
    rests: savedRests(host, step, tools),
    ...(isFleeting(step) ? { fleeting: true } : {}),
  };
}

function isFleeting({ rests }: PlannedStep): boolean {
  return rests.some(({ key }) => families.get(key.family)?.fleeting !== undefined);
}

/** What a step does, to whom and as whom: everything that decides it but its place in the run. */
export function stepDigest(step: PlannedStep, seal: Seal): string {
  const { run, effects, identity, on, env, cwd, umask, timeout, okCodes, onFail, onCut } = step;
  return seal([
    'step',
    { run: portable(run), effects, identity, on, env, cwd, umask, timeout, okCodes, onFail, onCut },
  ]);
}

export function actionDigest({ action, params, identity, on, timeout }: ActionCall, seal: Seal): string {
  return seal(['action', { action, params, identity, on, timeout }]);
}

/** What a step rests on, without the answers themselves. */
export function savedRests(host: string, step: PlannedStep, { seal, veil }: Pick<RecordTools, 'seal' | 'veil'>) {
  return step.rests.map(({ identity, key, raw }): SavedRest => {
    const fact = step.noLog ? `${key.family} (no_log)` : veil(factName(key));
    return { fact, key: restKey(step.on ?? host, identity, key, seal), raw: seal(['raw', raw]) };
  });
}

function restKey(on: string, identity: Identity, key: FactKey, seal: Seal): string {
  return seal(['rest', on, identityKey(identity), keyText(key), key.wants ?? {}]);
}

function factName({ family, id }: FactKey): string {
  return id === '' ? family : `${family} ${id}`;
}

/** Bytes that are staged are known by their hash, wherever the controller keeps them. */
function portable(run: Run): unknown {
  if (run.kind !== 'put' || run.content.kind !== 'blob') return run;
  const { sha256, size } = run.content;
  return { ...run, content: { kind: 'blob', sha256, size } };
}
