import type { GateEvent, RunEvent, TaskEvent } from '../core/events.ts';
import type { Origin } from '../core/origin.ts';
import type { Fold } from './fold.ts';

export interface WaveTime {
  play: string;
  name: string;
  wave: number;
  waves: number;
  hosts: number;
  start: number;
  /** Absent while it runs. */
  end?: number;
}

export interface TaskTime {
  task: string;
  name: string;
  origin: Origin;
  hosts: number;
  /** Milliseconds: summed over hosts, and the slowest host's. */
  total: number;
  max: number;
  maxHost: string;
}

export interface GateTime {
  gate: string;
  name: string;
  /** Hosts it passed and failed on. */
  passed: number;
  failed: number;
  /** The longest wait, milliseconds. */
  max: number;
  attempts: number;
  reason?: string;
}

export interface Timings {
  waves: WaveTime[];
  /** Slowest host first; tasks that took no time are left out. */
  tasks: TaskTime[];
  gates: GateTime[];
}

/** Where the time went. Holds one record a task, not one a host. */
export function timings(): Fold<Timings> {
  let waves = new Map<string, WaveTime>();
  let tasks = new Map<string, TaskTime>();
  let gates = new Map<string, GateTime>();
  const restart = () => {
    [waves, tasks, gates] = [new Map(), new Map(), new Map()];
  };
  return {
    add: (event) => {
      if (event.type === 'phase') restart();
      addWave(waves, event);
      if (event.type === 'task' && event.ms > 0) addTask(tasks, event);
      if (event.type === 'gate' && (event.state === 'passed' || event.state === 'failed')) addGate(gates, event);
    },
    value: () => ({
      waves: [...waves.values()],
      tasks: [...tasks.values()].sort((a, b) => b.max - a.max),
      gates: [...gates.values()],
    }),
  };
}

function addWave(waves: Map<string, WaveTime>, event: RunEvent) {
  if (event.type === 'play-start') {
    const { play, name, wave } = event;
    waves.set(play, { play, name, wave, waves: event.waves, hosts: event.hosts.length, start: event.time });
  }
  const ended = event.type === 'play-end' ? waves.get(event.play) : undefined;
  if (ended) ended.end = event.time;
}

function addTask(tasks: Map<string, TaskTime>, event: TaskEvent) {
  const { task, name, origin, host, ms } = event;
  const known = tasks.get(task) ?? { task, name, origin, hosts: 0, total: 0, max: -1, maxHost: host };
  tasks.set(task, known);
  known.hosts++;
  known.total += ms;
  if (ms > known.max) Object.assign(known, { max: ms, maxHost: host });
}

function addGate(gates: Map<string, GateTime>, event: GateEvent) {
  const key = `${event.play}\n${event.name}`;
  const known = gates.get(key) ?? { gate: event.gate, name: event.name, passed: 0, failed: 0, max: 0, attempts: 0 };
  gates.set(key, known);
  known[event.state === 'passed' ? 'passed' : 'failed']++;
  known.max = Math.max(known.max, event.ms);
  known.attempts = Math.max(known.attempts, event.attempts);
  if (event.state === 'failed') known.reason = event.reason;
}
