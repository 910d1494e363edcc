import { createHash } from 'node:crypto';
import type { EventBody, GateEvent, RunEvent, TaskEvent } from '../core/events.ts';
import type { Origin } from '../core/origin.ts';
import type { Fold } from './fold.ts';
import { planTotals, type Totals } from './totals.ts';

/** A plan as data: what the page, `--output json` and the HTML report are made from. */
export interface PlanModel {
  verb: string;
  playbook: string;
  inventory: string[];
  hosts: string[];
  /** Commands of the user's own that were run to decide. */
  probes: PlanProbe[];
  waves: PlanWave[];
  lost: { host: string; kind: string; message: string; hint?: string }[];
  warnings: { message: string; origin?: Origin; hosts: string[] }[];
  totals: Totals;
}

export interface PlanProbe {
  origin: Origin;
  command: string;
  hosts: string[];
}

export interface PlanWave {
  play: string;
  name: string;
  origin: Origin;
  wave: number;
  waves: number;
  hosts: string[];
  batches: string[][];
  stopsAt?: number;
  tasks: PlanTask[];
  gates: PlanGate[];
  /** Hosts on which nothing would be done. Hosts that were lost or would fail are not among them. */
  unchanged: string[];
}

/** A task that does something somewhere; hosts that would do the same stand in one group. */
export interface PlanTask {
  task: string;
  name: string;
  module: string;
  origin: Origin;
  role?: string;
  handler?: boolean;
  groups: PlanGroup[];
}

export type PlanGroup = Pick<
  TaskEvent,
  | 'status'
  | 'always'
  | 'why'
  | 'because'
  | 'provisional'
  | 'message'
  | 'hint'
  | 'notes'
  | 'ignored'
  | 'delegate'
  | 'items'
> & { hosts: string[]; steps: PlanStep[] };

export type PlanStep = Pick<TaskEvent['steps'][number], 'title' | 'diff' | 'always'>;

export interface PlanGate {
  gate: string;
  name: string;
  origin: Origin;
  hosts: string[];
  from: string[];
}

/** Folds the events of a plan, or of an apply up to its question. */
export function planModel(): Fold<PlanModel> {
  const totals = planTotals();
  const model: PlanModel = {
    verb: '',
    playbook: '',
    inventory: [],
    hosts: [],
    probes: [],
    waves: [],
    lost: [],
    warnings: [],
    totals: totals.value(),
  };
  const waves = new Map<string, WaveState>();
  const out = new Set<string>();
  let over = false;
  return {
    add: (event) => {
      if (event.type === 'phase') over = event.phase !== 'plan';
      if (over) return;
      totals.add(event);
      addEvent(model, waves, event);
      if (leaves(event)) out.add(event.host);
    },
    value: () => ({ ...model, waves: [...waves.values()].map((wave) => waveOf(wave, out)), totals: totals.value() }),
  };
}

interface WaveState {
  start: Extract<EventBody, { type: 'play-start' }>;
  tasks: Map<string, TaskState>;
  gates: Map<string, GateState>;
  /** How often a host has come to a task, by `host\ntask`: a handler may run twice in a play. */
  visits: Map<string, number>;
  touched: Set<string>;
}

interface TaskState extends Omit<PlanTask, 'groups'> {
  seq: number;
  groups: Map<string, PlanGroup>;
}

interface GateState extends Omit<PlanGate, 'hosts' | 'from'> {
  hosts: Set<string>;
  from: Set<string>;
}

function addEvent(model: PlanModel, waves: Map<string, WaveState>, event: RunEvent) {
  if (event.type === 'run-start') {
    const { verb, inventory } = event;
    const playbook = model.playbook === '' ? event.playbook : `${model.playbook}, ${event.playbook}`;
    Object.assign(model, { verb, playbook, inventory, hosts: [...new Set([...model.hosts, ...event.hosts])] });
  }
  if (event.type === 'play-start') waves.set(event.play, newWave(event));
  if (event.type === 'task' && isShown(event)) addTask(waves.get(event.play), event);
  if (event.type === 'gate' && event.state === 'planned') addGate(waves.get(event.play), event);
  if (event.type === 'probe') addProbe(model, event);
  if (event.type === 'warning') addWarning(model, event);
  if (event.type === 'host-lost') {
    const { host, kind, message, facts } = event;
    model.lost.push({ host, kind, message, hint: facts.hint });
  }
}

/** Whether the host takes no further part, so that no more is known about it. */
function leaves(event: RunEvent): event is RunEvent & { host: string } {
  if (event.type === 'host-lost') return true;
  const isBad = event.type === 'task' && (event.status === 'failed' || event.status === 'unreachable');
  return isBad && !event.ignored && !event.rescued;
}

function isShown(event: TaskEvent): boolean {
  return moves(event) || event.notes !== undefined || event.fleeting !== undefined;
}

function moves(event: TaskEvent): boolean {
  return event.always === true || (event.status !== 'ok' && event.status !== 'skipped');
}

function newWave(start: WaveState['start']): WaveState {
  return { start, tasks: new Map(), gates: new Map(), visits: new Map(), touched: new Set() };
}

function addTask(wave: WaveState | undefined, event: TaskEvent) {
  if (!wave) return;
  if (moves(event)) wave.touched.add(event.host);
  const visit = `${event.host}\n${event.task}`;
  const nth = (wave.visits.get(visit) ?? 0) + 1;
  wave.visits.set(visit, nth);
  const key = `${event.task}\n${nth}`;
  const known = wave.tasks.get(key) ?? newTask(event);
  wave.tasks.set(key, known);
  known.seq = Math.min(known.seq, event.seq);
  const groupKey = signature(event);
  const group = known.groups.get(groupKey);
  if (group) group.hosts.push(event.host);
  else known.groups.set(groupKey, newGroup(event));
}

function newTask(event: TaskEvent): TaskState {
  const { task, name, module, origin, role, handler, seq } = event;
  return { task, name, module, origin, role, handler, seq, groups: new Map() };
}

function newGroup(event: TaskEvent): PlanGroup {
  const {
    status,
    always,
    why,
    because,
    provisional = event.fleeting,
    message,
    hint,
    notes,
    ignored,
    delegate,
    items,
  } = event;
  const shown = items?.map(({ label, status, message }) => ({ label, status, message }));
  const steps = event.steps.map(({ title, diff, always }) => ({ title, diff, always }));
  const kept = {
    status,
    always,
    why,
    because,
    provisional,
    message,
    hint,
    notes,
    ignored,
    delegate,
    items: shown,
    steps,
  };
  return { hosts: [event.host], ...kept };
}

/** A command or a message that names its own host reads alike on all of them. */
function generalised(group: PlanGroup): PlanGroup {
  const host = group.hosts[0] ?? '';
  const steps = group.steps.map((step) => ({ ...step, title: general(step.title, host) }));
  const message = group.message === undefined ? undefined : withoutAddress(general(group.message, host), group.status);
  const notes = group.notes?.map((note) => general(note, host));
  return { ...group, message, notes, steps };
}

/** Hosts that cannot be reached differ by their addresses. */
function withoutAddress(text: string, status: PlanGroup['status']): string {
  return status === 'unreachable' ? text.replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, '<address>') : text;
}

function general(text: string, host: string): string {
  if (host.length < 2 || !text.includes(host)) return text;
  const literal = host.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return text.replace(new RegExp(`(?<![\\w.-])${literal}(?![\\w-])`, 'g'), '<host>');
}

/** Equal for hosts whose change reads alike. */
function signature(event: TaskEvent): string {
  const { hosts: _hosts, ...group } = generalised(newGroup(event));
  return createHash('sha256').update(JSON.stringify(group)).digest('base64');
}

function addGate(wave: WaveState | undefined, event: GateEvent) {
  if (!wave) return;
  const key = `${event.gate}\n${event.name}\n${event.origin.file}:${event.origin.line}`;
  const { gate, name, origin } = event;
  const known = wave.gates.get(key) ?? { gate, name, origin, hosts: new Set(), from: new Set() };
  wave.gates.set(key, known);
  known.hosts.add(event.host);
  known.from.add(event.from);
}

function addProbe(model: PlanModel, event: Extract<EventBody, { type: 'probe' }>) {
  const { origin, command, host } = event;
  const same = ({ origin: o, command: c }: PlanProbe) =>
    o.line === origin.line && o.column === origin.column && o.file === origin.file && c === command;
  const known = model.probes.find(same);
  if (!known) model.probes.push({ origin, command, hosts: [host] });
  else if (known.hosts.at(-1) !== host) known.hosts.push(host);
}

function addWarning(model: PlanModel, event: Extract<EventBody, { type: 'warning' }>) {
  const known = model.warnings.find((warning) => warning.message === event.message);
  const hosts = event.host === undefined ? [] : [event.host];
  if (known) known.hosts.push(...hosts);
  else model.warnings.push({ message: event.message, origin: event.origin, hosts });
}

function waveOf({ start, tasks, gates, touched }: WaveState, out: ReadonlySet<string>): PlanWave {
  const { play, name, origin, wave, waves, hosts, batches, stopsAt } = start;
  const inOrder = [...tasks.values()].sort((a, b) => a.seq - b.seq);
  return {
    ...{ play, name, origin, wave, waves, hosts, batches, stopsAt },
    tasks: inOrder.map(({ seq: _seq, groups, ...task }) => ({
      ...task,
      groups: [...groups.values()].map((group) => (group.hosts.length > 1 ? generalised(group) : group)),
    })),
    gates: [...gates.values()].map((gate) => ({ ...gate, hosts: [...gate.hosts], from: [...gate.from] })),
    unchanged: hosts.filter((host) => !touched.has(host) && !out.has(host)),
  };
}
