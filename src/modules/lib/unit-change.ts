import type { Effect, UnitChange } from '../../core/effects.ts';
import type { ModuleContext, Plan, WorldView } from '../../core/module.ts';
import { type Result, result, TaskFailure } from '../../core/result.ts';
import type { Diff, Step, StepOutcome, SystemdOp } from '../../core/steps.ts';
import { Unknown, type Value } from '../../jinja/values.ts';
import { UnknownRead } from '../../world/read.ts';
import { fullName, type Scope, type UnitFact, unit, unitKey } from '../../world/unit.ts';
import { enable } from './unit-links.ts';

/** What a unit shall be; undefined: as it is. */
export interface WantedUnit {
  name: string;
  scope: Scope;
  state?: 'started' | 'stopped' | 'restarted' | 'reloaded' | undefined;
  enabled?: boolean | undefined;
  masked?: boolean | undefined;
  noBlock?: boolean;
  /** A reload was asked for and is needed. */
  reload?: boolean;
  /** A reload was asked for: it is needed when this very unit says so. */
  ownReload?: boolean;
  reexec?: boolean;
}

/** The operations, in systemd's order of need: reload, mask, enable, state. */
export interface UnitChanges {
  ops: SystemdOp[];
  set: UnitChange;
  /** Reload and reexec are no change, as in Ansible. */
  changed: boolean;
  /** Nothing lasting: a restart, a reload of a service, a job that ends by itself. */
  always: boolean;
  fields: { name: string; before: string | null; after: string }[];
  result: Record<string, Value>;
  /** Links that enabling and disabling make and remove. */
  links: Effect[];
}

/** The plan of systemd, service and systemd_unit for one unit. */
export function planUnit(wanted: WantedUnit, world: WorldView, ctx: ModuleContext): Plan {
  const fact = unit(world, wanted.name, wanted.scope);
  const changes = changesOf(wanted, fact, world);
  const base = { name: wanted.name, ...changes.result, status: statusOf(fact) };
  return {
    steps: changes.ops.length > 0 ? [unitStep(wanted, changes)] : [],
    result: result(changes.changed, base),
    ...(ctx.checkMode ? {} : warningsOf(fact, wanted)),
  };
}

/** What must be done to a unit as it is. */
export function changesOf(wanted: WantedUnit, fact: UnitFact, world: WorldView): UnitChanges {
  const changes: UnitChanges = { ops: [], set: {}, changed: false, always: false, fields: [], result: {}, links: [] };
  if (wanted.reexec) changes.ops.push({ op: 'daemon-reexec' });
  const reload = wanted.reload || (wanted.ownReload && fact.needReload);
  if (reload) changes.ops.push({ op: 'daemon-reload' });
  refuseBroken(wanted, fact);
  mask(wanted, fact, changes);
  enable(wanted, fact, world, changes);
  setState(wanted, fact, changes);
  if (starts(changes) && fact.needReload && !reload) changes.ops.unshift({ op: 'daemon-reload' });
  return changes;
}

/** One step with all operations of a unit. */
export function unitStep(wanted: WantedUnit, changes: UnitChanges): Step {
  const name = fullName(wanted.name);
  const effects: Effect[] = changes.ops.some(({ op }) => op === 'daemon-reload') ? [{ type: 'systemd.reload' }] : [];
  const touched = changes.ops.some(({ op }) => !op.startsWith('daemon-'));
  const key = unitKey(wanted.name, wanted.scope);
  effects.push(...changes.links);
  if (touched) effects.push({ type: 'unit.set', unit: key.id, set: changes.set });
  const diff: Diff[] = changes.fields.length > 0 ? [{ kind: 'fields', subject: name, fields: changes.fields }] : [];
  return {
    title: changes.ops.map((op) => ('unit' in op ? `${op.op} ${op.unit}` : op.op)).join(', '),
    run: { kind: 'systemd', ops: changes.ops, scope: wanted.scope },
    effects,
    ...(diff.length > 0 ? { diff } : {}),
    ...(touched ? { proof: [key] } : {}),
    ...(changes.always || !changes.changed ? { always: true } : {}),
  };
}

/** Ansible's words for a systemctl that failed. */
export function completeUnit(name: string | undefined, predicted: Result, outcomes: StepOutcome[]): Result {
  const bad = outcomes.find((outcome) => outcome.status !== 'ok');
  if (!bad) return settled(predicted);
  const said = firstWords(bad.stderr) || firstWords(bad.stdout) || unproven(bad) || `exit status ${bad.rc}`;
  const msg =
    name === undefined
      ? `failure ${bad.rc} during daemon-reload: ${said}`
      : `${doing(predicted)} service ${name}: ${said}`;
  return { ...predicted, failed: true, values: new Map([...predicted.values, ['msg', msg]]) };
}

/** What systemctl said, without the unit's status that follows: its sign is one of the latter three where the locale is C. */
function firstWords(text: string): string {
  const lines = text.trim().split('\n');
  const status = lines.findIndex((line) => /^[●○×↻*xo] \S+\.\w+/.test(line));
  return (status < 0 ? lines : lines.slice(0, status)).slice(0, 5).join('\n').trim();
}

function unproven(outcome: StepOutcome): string | undefined {
  return outcome.unproven?.join('; ');
}

/** Properties that were not predicted are not read afterwards either: they are left out. */
function settled(predicted: Result): Result {
  const status = predicted.values.get('status');
  if (!(status instanceof Map)) return predicted;
  const known = new Map([...status].filter(([, value]) => !(value instanceof Unknown)));
  return { ...predicted, values: new Map([...predicted.values, ['status', known]]) };
}

function doing(predicted: Result): string {
  const state = predicted.values.get('state');
  const verbs: Record<string, string> = { started: 'start', stopped: 'stop' };
  const verb = typeof state === 'string' ? verbs[state] : undefined;
  return `Unable to ${verb ?? (predicted.values.get('enabled') === false ? 'disable' : 'enable')}`;
}

function refuseBroken(wanted: WantedUnit, fact: UnitFact) {
  if (fact.loadError !== undefined && fact.load !== 'not-found' && fact.load !== 'masked')
    throw new TaskFailure(`Error loading unit file '${wanted.name}': ${fact.loadError}`);
  const needed = wanted.state !== undefined || wanted.enabled !== undefined;
  if (fact.load === 'not-found' && needed)
    throw new TaskFailure(
      `Could not find the requested service ${wanted.name}: host`,
      {},
      'is its package installed, its unit file written?',
    );
}

function mask(wanted: WantedUnit, fact: UnitFact, changes: UnitChanges) {
  if (wanted.masked === undefined) return;
  const masked = fact.load === 'masked' || fact.fileState === 'masked';
  if (masked === wanted.masked) return;
  changes.ops.push({ op: wanted.masked ? 'mask' : 'unmask', unit: fullName(wanted.name) });
  changes.set.masked = wanted.masked;
  changes.changed = true;
  changes.fields.push({ name: 'masked', before: word(masked), after: word(wanted.masked) });
}

function setState(wanted: WantedUnit, fact: UnitFact, changes: UnitChanges) {
  const { state } = wanted;
  if (state === undefined) return;
  const running = fact.active === 'active' || fact.active === 'activating';
  if (fact.active === undefined) throw new UnknownRead(`it is known whether ${wanted.name} runs`);
  refuseMasked(wanted, fact);
  changes.result.state = state === 'stopped' ? 'stopped' : 'started';
  const op = operation(state, running, fact.active === 'deactivating');
  if (!op) return;
  changes.ops.push({ op, unit: fullName(wanted.name), ...(wanted.noBlock ? { noBlock: true } : {}) });
  changes.changed = true;
  const after = op === 'stop' ? 'inactive' : endState(wanted, fact);
  changes.set.active = after;
  // Whoever does not wait for a job cannot know that it has begun.
  if ((op === 'start' || op === 'restart') && !wanted.noBlock) changes.set.invoked = true;
  if (op === 'reload') delete changes.set.active;
  changes.always = op === 'restart' || op === 'reload' || (op === 'start' && after !== 'active');
  changes.fields.push({
    name: 'state',
    before: fact.active ?? 'unknown',
    after: op === 'restart' ? 'restarted' : op === 'reload' ? 'reloaded' : after,
  });
}

function operation(state: NonNullable<WantedUnit['state']>, running: boolean, ending: boolean) {
  if (state === 'started') return running ? undefined : 'start';
  if (state === 'stopped') return running || ending ? 'stop' : undefined;
  return running ? (state === 'restarted' ? 'restart' : 'reload') : 'start';
}

/** A oneshot that does not remain is inactive again, successfully. */
function endState(wanted: WantedUnit, fact: UnitFact): NonNullable<UnitChange['active']> {
  if (wanted.noBlock) return 'unknown';
  const service = fullName(wanted.name).endsWith('.service');
  if (service && fact.type === undefined) return 'unknown';
  return service && fact.type === 'oneshot' && !fact.remainAfterExit ? 'inactive' : 'active';
}

function refuseMasked(wanted: WantedUnit, fact: UnitFact) {
  if (fact.load !== 'masked' || wanted.masked !== undefined || wanted.state === 'stopped') return;
  const msg = `Unable to start service ${wanted.name}: Unit ${fullName(wanted.name)} is masked.`;
  throw new TaskFailure(msg, {}, 'masked: false');
}

function starts(changes: UnitChanges): boolean {
  return changes.ops.some(({ op }) => op === 'start' || op === 'restart' || op === 'reload');
}

function statusOf(fact: UnitFact): Value {
  const later = new Unknown('the unit file is loaded');
  const predicted = { LoadState: fact.load, ActiveState: fact.active, UnitFileState: fact.fileState, Type: fact.type };
  const fields = Object.entries({ ...fact.properties, ...predicted });
  return new Map(fields.map(([name, value]) => [name, value ?? later]));
}

function warningsOf(fact: UnitFact, wanted: WantedUnit): { warnings?: string[] } {
  if (fact.sysv === undefined || wanted.enabled === undefined) return {};
  return { warnings: [`${wanted.name} is an init script: systemd only wraps it`] };
}

function word(value: boolean): string {
  return value ? 'yes' : 'no';
}
