import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { EventBody } from '../core/events.ts';
import { ms, wait } from '../core/waits.ts';
import { Unknown } from '../jinja/index.ts';
import type { LookupAsker, LookupTools } from '../resolve/lookup-tools.ts';
import { lookupError } from '../resolve/lookups/place.ts';

/** Milliseconds a command of `pipe` or `lines` may take: while it runs, nothing else does. */
const commandTimeout = () => ms(wait('program').timeout);
const outputLimit = 16 * 1024 * 1024;

export interface ControllerLookupOptions {
  noProbes: boolean;
  /** False: nothing is written, generated passwords are Unknown. Asked at each lookup. */
  writes(): boolean;
  emit(event: EventBody): void;
  conceal(secret: string): void;
  /** Milliseconds. */
  timeout?: number;
}

/**
 * What lookups do on the controller. A command is told as a probe and runs once for a task and host, however often the
 * task is planned; `renew` forgets the answers, for an apply that does not trust its plan.
 */
export class ControllerLookups implements LookupTools {
  readonly env = process.env;
  private readonly options: ControllerLookupOptions;
  private readonly ran = new Map<string, ReturnType<typeof execute>>();

  constructor(options: ControllerLookupOptions) {
    this.options = options;
  }

  run = (command: string, cwd: string, asker: LookupAsker): ReturnType<typeof execute> | Unknown => {
    const { noProbes, emit, timeout } = this.options;
    if (noProbes) return new Unknown('a probe that --no-probes leaves out');
    const key = JSON.stringify([command, cwd, asker.host, asker.task]);
    const known = this.ran.get(key);
    if (known) return known;
    emit({ type: 'probe', ...asker, command });
    const answer = execute(command, cwd, timeout ?? commandTimeout());
    this.ran.set(key, answer);
    return answer;
  };

  /** The first to write wins: hosts that ask for the same password at the same time get the same. */
  savePassword = (path: string, content: string, { host, origin }: LookupAsker): string | Unknown => {
    if (!this.options.writes()) return new Unknown(`the password that is written to ${path}`);
    const isNew = write(path, `${content}\n`);
    const kept = isNew ? content : read(path);
    this.options.conceal(kept);
    if (isNew) this.options.emit({ type: 'warning', host, origin, message: `a new password was written to ${path}` });
    return kept;
  };

  renew(): void {
    this.ran.clear();
  }
}

function execute(command: string, cwd: string, timeout: number): { rc: number; stdout: string; problem?: string } {
  const { status, stdout, error } = spawnSync('/bin/sh', ['-c', command], {
    cwd,
    timeout,
    killSignal: 'SIGKILL',
    maxBuffer: outputLimit,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  const problem = error && describe(error as NodeJS.ErrnoException, timeout);
  return { rc: status ?? -1, stdout: stdout ?? '', ...(problem ? { problem } : {}) };
}

function describe(error: NodeJS.ErrnoException, timeout: number): string {
  if (error.code === 'ETIMEDOUT') return `it took longer than ${timeout / 1000} s`;
  if (error.code === 'ENOBUFS') return `it printed more than ${outputLimit / 1024 / 1024} MiB`;
  return error.message;
}

/** False: there is such a file already. */
function write(path: string, content: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return create(path, content);
  } catch (error) {
    throw lookupError(`the password could not be written to ${path}: ${(error as Error).message}`);
  }
}

function create(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function read(path: string): string {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .replace(/ salt=\S*$/, '');
}
