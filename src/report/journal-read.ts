import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { inputError } from '../core/errors.ts';
import type { EventBody, RunEvent } from '../core/events.ts';
import { nearest } from '../core/nearest.ts';
import { journalFile, pidFile } from './journal.ts';
import { processStart } from './process-start.ts';

export interface RunInfo {
  id: string;
  dir: string;
  start?: Extract<EventBody, { type: 'run-start' }>;
  /** Milliseconds since the epoch. */
  time?: number;
  end?: Extract<EventBody, { type: 'run-end' }>;
  /** `cut off`: its process is gone and it never came to its end. */
  state: 'ended' | 'running' | 'cut off';
}

/** Runs under `root` (`.kpush`), newest first. */
export function listRuns(root: string): RunInfo[] {
  const ids = runIds(root).sort().reverse();
  return ids.map((id) => runInfo(join(root, 'runs', id)));
}

/** The run that `word` names: an id, a beginning that only one id has, or `latest`. Throws an input error. */
export function findRun(root: string, word: string): RunInfo {
  const ids = runIds(root);
  const id = word === 'latest' ? latest(root) : word;
  const found = ids.filter((one) => one === id);
  const matching = found.length ? found : ids.filter((one) => id !== undefined && id !== '' && one.startsWith(id));
  const only = matching[0];
  if (matching.length === 1 && only) return runInfo(join(root, 'runs', only));
  if (ids.length === 0) throw inputError(`no runs are recorded in ${join(root, 'runs')}`);
  if (matching.length > 1) throw inputError(`${word} names ${matching.length} runs`, { expected: matching.join(', ') });
  throw inputError(`no run is called ${word}`, { nearest: nearest(word, ids), hint: 'see: kpush runs' });
}

/**
 * The events of a run from byte `offset` on, and where the next reading may begin. A last line that was torn by a
 * crash, or is still being written, is left for then; `broken` counts lines in between that cannot be read.
 */
export function readJournal(dir: string, offset = 0): { events: RunEvent[]; next: number; broken: number } {
  const text = readFrom(join(dir, journalFile), offset);
  const end = text.lastIndexOf(10) + 1;
  const lines = text
    .subarray(0, end)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
  const events = lines.map(parseEvent);
  const good = events.filter((event) => event !== undefined);
  return { events: good, next: offset + end, broken: events.length - good.length };
}

export function isRunning(dir: string): boolean {
  try {
    const { pid, start, host } = JSON.parse(readFileSync(join(dir, pidFile), 'utf8'));
    return host === hostname() && processStart(pid) === start && start !== undefined;
  } catch {
    return false;
  }
}

/** In no order. */
export function runIds(root: string): string[] {
  try {
    const entries = readdirSync(join(root, 'runs'), { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() && /^\d{8}-/.test(entry.name)).map((entry) => entry.name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function latest(root: string): string | undefined {
  try {
    return basename(readlinkSync(join(root, 'runs', 'latest')));
  } catch {
    return runIds(root).sort().at(-1);
  }
}

/** First and last event only: a list of runs must not read all of them. */
function runInfo(dir: string): RunInfo {
  const [first, last] = edges(join(dir, journalFile));
  const start = first?.type === 'run-start' ? first : undefined;
  const end = last?.type === 'run-end' ? last : undefined;
  const state = end ? 'ended' : isRunning(dir) ? 'running' : 'cut off';
  return { id: basename(dir), dir, start, time: first?.time, end, state };
}

const edge = 256 * 1024;

function edges(file: string): [RunEvent | undefined, RunEvent | undefined] {
  try {
    const fd = openSync(file, 'r');
    try {
      const size = fstatSync(fd).size;
      const from = Math.max(0, size - edge);
      const head = readAt(fd, 0, Math.min(size, edge)).toString('utf8');
      const tail = from === 0 ? head : readAt(fd, from, edge).toString('utf8');
      const lines = tail
        .slice(0, tail.lastIndexOf('\n') + 1)
        .trimEnd()
        .split('\n');
      return [parseEvent(head.split('\n')[0] ?? ''), parseEvent(lines.at(-1) ?? '')];
    } finally {
      closeSync(fd);
    }
  } catch {
    return [undefined, undefined];
  }
}

function readFrom(file: string, offset: number): Buffer {
  const fd = openSync(file, 'r');
  try {
    return readAt(fd, offset, Math.max(0, fstatSync(fd).size - offset));
  } finally {
    closeSync(fd);
  }
}

function readAt(fd: number, position: number, length: number): Buffer {
  const data = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const got = readSync(fd, data, done, length - done, position + done);
    if (got === 0) break;
    done += got;
  }
  return data.subarray(0, done);
}

function parseEvent(line: string): RunEvent | undefined {
  try {
    const event = JSON.parse(line);
    return typeof event?.type === 'string' && typeof event.time === 'number' ? event : undefined;
  } catch {
    return undefined;
  }
}
