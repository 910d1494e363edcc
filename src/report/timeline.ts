import type { RunEvent } from '../core/events.ts';
import type { Fold } from './fold.ts';

/** A run laid out in time: waves across, hosts down. Times are milliseconds since the epoch. */
export interface Timeline {
  start: number;
  end: number;
  waves: { name: string; start: number; end: number; failed: boolean }[];
  hosts: TimelineHost[];
  /** Interrupts of the user. */
  interrupts: number[];
}

export interface TimelineHost {
  name: string;
  bars: TimelineBar[];
  marks: { time: number; kind: 'failed' | 'lost' | 'restart'; text: string }[];
}

export interface TimelineBar {
  kind: 'connect' | 'step' | 'gate';
  title: string;
  start: number;
  end: number;
  /** Of a step `ok`, `failed`, …; of a gate `passed`, `failed`; `open`: its end was never told. */
  status: string;
}

export function timeline(): Fold<Timeline> {
  const line: Timeline = { start: 0, end: 0, waves: [], hosts: [], interrupts: [] };
  const hosts = new Map<string, TimelineHost>();
  const open = new Map<string, TimelineBar>();
  const waves = new Map<string, Timeline['waves'][number]>();
  const hostOf = (name: string) => {
    const host = hosts.get(name) ?? { name, bars: [], marks: [] };
    if (!hosts.has(name)) line.hosts.push(host);
    hosts.set(name, host);
    return host;
  };
  const state: State = { line, hostOf, open, waves };
  return {
    add: (event) => {
      if (line.start === 0) line.start = event.time;
      line.end = Math.max(line.end, event.time);
      take(state, event);
    },
    value: () => {
      for (const bar of open.values()) bar.end = line.end;
      for (const wave of line.waves) if (wave.end === 0) wave.end = line.end;
      return line;
    },
  };
}

interface State {
  line: Timeline;
  hostOf(name: string): TimelineHost;
  /** Bars without an end yet, by what they are of. */
  open: Map<string, TimelineBar>;
  waves: Map<string, Timeline['waves'][number]>;
}

function take(state: State, event: RunEvent) {
  const { line, hostOf, waves } = state;
  if (event.type === 'run-start') event.hosts.forEach(hostOf);
  if (event.type === 'play-start') {
    const wave = { name: event.name, start: event.time, end: 0, failed: false };
    waves.set(event.play, wave);
    line.waves.push(wave);
  }
  const wave = event.type === 'play-end' ? waves.get(event.play) : undefined;
  if (wave && event.type === 'play-end') Object.assign(wave, { end: event.time, failed: event.failed.length > 0 });
  if (event.type === 'interrupt') line.interrupts.push(event.time);
  if (event.type === 'connecting') begin(state, event.host, 'link', { kind: 'connect', title: 'connect', event });
  if (event.type === 'connected') end(state, event.host, 'link', event.time, 'ok');
  if (event.type === 'step-start') beginStep(state, event);
  if (event.type === 'step-end') end(state, event.host, event.key, event.time, event.status);
  if (event.type === 'gate') takeGate(state, event);
  if (event.type === 'host-lost') {
    end(state, event.host, 'link', event.time, 'failed');
    hostOf(event.host).marks.push({ time: event.time, kind: 'lost', text: event.message });
  }
  if (event.type === 'task' && event.status === 'failed' && !event.ignored && !event.rescued)
    hostOf(event.host).marks.push({
      time: event.time,
      kind: 'failed',
      text: `${event.name}: ${event.message ?? 'failed'}`,
    });
}

function beginStep(state: State, event: Extract<RunEvent, { type: 'step-start' }>) {
  const title = event.name === event.title ? event.title : `${event.name}: ${event.title}`;
  begin(state, event.host, event.key, { kind: 'step', title, event });
  if (/\b(?:restart|reboot)/i.test(event.title))
    state.hostOf(event.host).marks.push({ time: event.time, kind: 'restart', text: event.title });
}

/** A gate's wait is told by its polls; the first of them began `ms` before it was told. */
function takeGate(state: State, event: Extract<RunEvent, { type: 'gate' }>) {
  if (event.state === 'planned') return;
  const key = `gate ${event.play} ${event.name} ${event.from}`;
  if (!state.open.has(`${event.host}\n${key}`)) {
    const title = event.from === event.host ? `gate ${event.name}` : `gate ${event.name}, asked from ${event.from}`;
    begin(state, event.host, key, {
      kind: 'gate',
      title,
      event: { time: Math.max(state.line.start, event.time - event.ms) },
    });
  }
  if (event.state !== 'waiting') end(state, event.host, key, event.time, event.state);
}

function begin(
  { open, hostOf }: State,
  host: string,
  key: string,
  { kind, title, event }: { kind: TimelineBar['kind']; title: string; event: { time: number } },
) {
  const bar: TimelineBar = { kind, title, start: event.time, end: event.time, status: 'open' };
  open.set(`${host}\n${key}`, bar);
  hostOf(host).bars.push(bar);
}

function end({ open }: State, host: string, key: string, time: number, status: string) {
  const bar = open.get(`${host}\n${key}`);
  if (bar) Object.assign(bar, { end: time, status });
  open.delete(`${host}\n${key}`);
}
