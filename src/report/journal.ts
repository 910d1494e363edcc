import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fdatasync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { RunEvent } from '../core/events.ts';
import { createBound } from './journal-bound.ts';
import { processStart } from './process-start.ts';

/** The record of a run on disk: `events.jsonl`, append-only, one event a line, readable by its owner alone. */
export interface Journal {
  dir: string;
  /** Written before this returns where a later run must be able to rely on it, else within the same turn. */
  add(event: RunEvent): void;
  /** Resolves when all that was added is on the disk itself. */
  synced(): Promise<void>;
  close(): void;
}

export const journalFile = 'events.jsonl';
export const pidFile = 'pid';

/** Sorts by time, is unique, and is safe in paths, units and shell words: `20260115-020000-ab12cd`. */
export function newRunId(now: Date): string {
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${randomBytes(3).toString('hex')}`;
}

/**
 * Opens the journal of a new run under `root` (`.kpush`). Throws if the run is already there. When the disk fails
 * later, `onError` is told once and the run goes on without a journal.
 */
export function openJournal(root: string, runId: string, onError: (error: Error) => void): Journal {
  const dir = makeRunDir(root, runId);
  const fd = openSync(join(dir, journalFile), 'ax', 0o600);
  const file = appender(fd, onError);
  const bound = createBound();
  return {
    dir,
    add: (event) => {
      for (const kept of bound(event)) file.append(`${JSON.stringify(kept)}\n`, isMilestone(kept));
    },
    synced: file.synced,
    close: file.close,
  };
}

/** Events that decide what a later run must look at again. */
function isMilestone({ type }: RunEvent): boolean {
  return (
    type === 'step-start' || type === 'step-end' || type === 'run-start' || type === 'run-end' || type === 'interrupt'
  );
}

function makeRunDir(root: string, runId: string): string {
  const runs = join(root, 'runs');
  mkdirSync(runs, { recursive: true, mode: 0o700 });
  const ignore = join(root, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n', { mode: 0o600 });
  const dir = join(runs, runId);
  mkdirSync(dir, { mode: 0o700 });
  writeFileSync(join(dir, pidFile), owner(), { flag: 'wx', mode: 0o600 });
  const link = join(runs, `.latest-${runId}`);
  symlinkSync(runId, link);
  renameSync(link, join(runs, 'latest'));
  return dir;
}

/** Who writes: enough to tell later whether it still does. */
function owner(): string {
  return `${JSON.stringify({ pid: process.pid, start: processStart(process.pid), host: hostname() })}\n`;
}

/** Lines wait for the end of the turn, unless they are milestones; syncing is never more than one call at a time. */
function appender(fd: number, onError: (error: Error) => void) {
  let waiting: string[] = [];
  let broken = false;
  let closed = false;
  const attempt = (action: () => void) => {
    if (broken || closed) return;
    try {
      action();
    } catch (error) {
      broken = true;
      onError(error as Error);
    }
  };
  const flush = () => {
    const text = waiting.join('');
    waiting = [];
    if (text !== '') attempt(() => writeAll(fd, Buffer.from(text)));
  };
  const sync = singleSync(fd, () => broken || closed);
  return {
    append: (line: string, isMilestone: boolean) => {
      waiting.push(line);
      if (!isMilestone) {
        if (waiting.length === 1) setImmediate(flush);
        return;
      }
      flush();
      void sync();
    },
    synced: () => {
      flush();
      return sync();
    },
    close: () => {
      flush();
      attempt(() => fsyncSync(fd));
      if (!closed) closeSync(fd);
      closed = true;
    },
  };
}

function writeAll(fd: number, data: Buffer) {
  for (let done = 0; done < data.length; ) done += writeSync(fd, data, done);
}

/** One fdatasync at a time; whoever asks while one runs shares the next. */
function singleSync(fd: number, isOver: () => boolean): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = () => {
    next = undefined;
    // A sync that fails is not told: the write before it or the close after it fails with the same error.
    running = new Promise<void>((done) => (isOver() ? done() : fdatasync(fd, () => done()))).then(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (!running) return start();
    next ??= running.then(start);
    return next;
  };
}
