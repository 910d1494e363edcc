import type { GateEvent, RunEvent, TaskEvent } from '../core/events.ts';
import { failureKind } from './outcome.ts';
import { sanitizeLine } from './sanitize.ts';
import { firstLine } from './wording.ts';

/** What a progress display knows: the state of every wave, host and gate right now. Kept up by `updateBoard`. */
export interface Board {
  title: string;
  phase: 'plan' | 'apply';
  start: number;
  waves: Map<string, BoardWave>;
  hosts: Map<string, BoardHost>;
  /** Interrupts so far. */
  interrupts: number;
}

export interface BoardWave {
  play: string;
  name: string;
  state: 'pending' | 'running' | 'done' | 'failed';
  hosts: string[];
  batches: string[][];
  /** Batch at work, from 1; 0: none yet. */
  batch: number;
  start: number;
  end: number;
  changed: number;
  failed: string[];
  gates: Map<string, BoardGate>;
}

export interface BoardHost {
  name: string;
  state: 'pending' | 'connecting' | 'asking' | 'running' | 'waiting' | 'done' | 'failed' | 'unreachable' | 'stopped';
  /** Task at hand, or what it waits for. */
  doing: string;
  /** The step of it that runs. */
  step: string;
  since: number;
  /** Last line of output, and when anything was last heard of the running step. */
  live: string;
  heard: number;
  changed: number;
  /** Why it failed. */
  message: string;
}

export interface BoardGate {
  name: string;
  state: 'waiting' | 'passed' | 'failed';
  /** What it still waits for, with the last answer; by host and asking host. */
  waiting: Map<string, { host: string; from: string; reason: string }>;
  passed: number;
  since: number;
  attempts: number;
}

export function createBoard(): Board {
  return { title: '', phase: 'apply', start: 0, waves: new Map(), hosts: new Map(), interrupts: 0 };
}

/** Takes an event in. The board is changed in place: it is private to one display. */
export function updateBoard(board: Board, event: RunEvent) {
  if (event.type === 'phase') restart(board, event.phase === 'plan' ? 'plan' : 'apply');
  if (event.type === 'interrupt') board.interrupts = event.count;
  updateWaves(board, event);
  if ('host' in event && event.host !== undefined) updateHost(hostOf(board, event.host), event);
  if (event.type === 'gate') updateGate(board, event);
  if (event.type === 'task') countTask(board, event);
}

export function hostOf(board: Board, name: string): BoardHost {
  const known = board.hosts.get(name);
  if (known) return known;
  const idle = { doing: '', step: '', since: 0, live: '', heard: 0, changed: 0, message: '' };
  const host: BoardHost = { name, state: 'pending', ...idle };
  board.hosts.set(name, host);
  return host;
}

function restart(board: Board, phase: Board['phase']) {
  board.phase = phase;
  board.hosts.clear();
  for (const wave of board.waves.values()) Object.assign(wave, newWave(wave));
}

function updateWaves(board: Board, event: RunEvent) {
  if (event.type === 'run-start') {
    Object.assign(board, { title: event.playbook, start: board.start || event.time });
    for (const play of event.plays ?? []) board.waves.set(play.play, newWave(play));
  }
  if (event.type === 'play-start') startWave(board, event);
  if (event.type === 'batch-start') {
    const wave = board.waves.get(event.play);
    if (wave) wave.batch = event.batch;
    for (const name of event.hosts) begin(hostOf(board, name), event.time);
  }
  if (event.type === 'play-end') {
    const wave = board.waves.get(event.play);
    const failed = event.failed.length > 0;
    if (wave) Object.assign(wave, { state: failed ? 'failed' : 'done', end: event.time, failed: event.failed });
  }
}

function startWave(board: Board, event: Extract<RunEvent, { type: 'play-start' }>) {
  const { play, name, hosts, batches, time } = event;
  board.waves.set(play, { ...newWave({ play, name, hosts }), state: 'running', batches, start: time });
  for (const host of hosts) {
    const known = hostOf(board, host);
    if (!isOut(known)) Object.assign(known, { state: 'pending', doing: '', step: '', live: '', changed: 0 });
  }
}

function newWave({ play, name, hosts }: { play: string; name: string; hosts: string[] }): BoardWave {
  const idle = { batches: [], batch: 0, start: 0, end: 0, changed: 0, failed: [], gates: new Map() };
  return { play, name: sanitizeLine(name), hosts, state: 'pending', ...idle };
}

function begin(host: BoardHost, time: number) {
  if (!isOut(host)) Object.assign(host, { state: 'asking', doing: '', step: '', since: time, live: '' });
}

export function isOut(host: BoardHost): boolean {
  return host.state === 'failed' || host.state === 'unreachable' || host.state === 'stopped';
}

function updateHost(host: BoardHost, event: RunEvent) {
  const set = (state: BoardHost['state'], doing: string, step = '') =>
    Object.assign(host, {
      ...{ state, since: event.time, heard: event.time, live: '' },
      ...{ doing: sanitizeLine(doing), step: sanitizeLine(step) },
    });
  if (event.type === 'host-lost') {
    set(event.kind === 'unreachable' || event.kind === 'auth' ? 'unreachable' : 'failed', '');
    host.message = sanitizeLine(firstLine(event.message));
  }
  if (event.type === 'host-end') endHost(host, event.state, event.time);
  if (isOut(host)) return;
  // A step that still runs has its reasons to connect anew: a reboot.
  if (event.type === 'connecting' && host.state !== 'running') set('connecting', event.address);
  if (event.type === 'connected' && host.state !== 'running') set('asking', '');
  if (event.type === 'step-start') set('running', event.name, event.title === event.name ? '' : event.title);
  if (event.type === 'step-output') hear(host, event.text, event.time);
  if (event.type === 'step-end') set('asking', host.doing);
  if (event.type === 'waiting') set('waiting', `${event.what}${event.for.length ? `: ${event.for.join(', ')}` : ''}`);
  if (event.type === 'task' && failureKind(event)) host.message = failureText(event);
}

function hear(host: BoardHost, text: string, time: number) {
  host.heard = time;
  const line = sanitizeLine(text.trimEnd().split('\n').at(-1) ?? '');
  if (line.trim() !== '') host.live = line;
}

function endHost(host: BoardHost, state: BoardHost['state'], time: number) {
  if (!isOut(host)) Object.assign(host, { state, doing: '', step: '', live: '', since: time });
}

function failureText(event: TaskEvent): string {
  return sanitizeLine(`${event.name || event.module}: ${firstLine(event.message ?? 'failed')}`);
}

function countTask(board: Board, event: TaskEvent) {
  if (event.status !== 'changed') return;
  hostOf(board, event.host).changed++;
  const wave = board.waves.get(event.play);
  if (wave) wave.changed++;
}

type GateNews = Extract<RunEvent, { type: 'gate' }>;

function updateGate(board: Board, event: GateNews) {
  const wave = board.waves.get(event.play);
  if (!wave || event.state === 'planned') return;
  const gate = wave.gates.get(event.name) ?? newGate(event);
  wave.gates.set(event.name, gate);
  gate.attempts = Math.max(gate.attempts, event.attempts);
  const reason = sanitizeLine(firstLine(event.reason ?? ''));
  const asked = `${event.host}\n${event.from}`;
  if (event.state === 'passed') {
    gate.passed++;
    gate.waiting.delete(asked);
  } else gate.waiting.set(asked, { host: event.host, from: event.from, reason });
  if (event.state === 'failed') hostOf(board, event.host).message ||= `gate ${event.name}: ${reason}`;
  gate.state = stateOf(gate, event.state);
}

function stateOf(gate: BoardGate, news: GateEvent['state']): BoardGate['state'] {
  if (news === 'failed' || gate.state === 'failed') return 'failed';
  return gate.waiting.size > 0 ? 'waiting' : 'passed';
}

function newGate({ name, time, ms }: GateNews): BoardGate {
  return { name: sanitizeLine(name), state: 'waiting', waiting: new Map(), passed: 0, since: time - ms, attempts: 0 };
}
