import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { sleep } from './shell.ts';

/**
 * The lasting identity of a process: "pid start-time boot-id". A pid alone is reused, and pid files outlive a reboot of
 * the machine where /run is on disk. Undefined when no such process runs.
 */
export function stampOf(pid: number): string | undefined {
  const stat = readOr(`/proc/${pid}/stat`);
  // The command name stands in parentheses and may hold anything, so count the fields from the last one.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (!fields || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return `${pid} ${fields[19]} ${bootId()}`;
}

/** The pid of the process a stamp names, if it still runs. */
export function livePid(stamp: string | undefined): number | undefined {
  const pid = Number.parseInt(stamp ?? '', 10);
  return stamp && stampOf(pid) === stamp.trim() ? pid : undefined;
}

/** The pid in a pid file (a stamp), if that very process still runs. */
export function pidFrom(file: string): number | undefined {
  return livePid(readOr(file));
}

/** Writes the pid file of a running process; removes the file when the process has gone. */
export function writePid(file: string, pid: number): void {
  const stamp = stampOf(pid);
  if (stamp) writeFileSync(file, `${stamp}\n`);
  else rmSync(file, { force: true });
}

/** Sends a signal to the process of a pid file; false when it no longer runs. */
export function signalFrom(file: string, signal: NodeJS.Signals | number): boolean {
  const pid = pidFrom(file);
  return pid !== undefined && signalPid(pid, signal);
}

/** Sends a signal; false when the process has gone. */
export function signalPid(pid: number, signal: NodeJS.Signals | number): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** Resolves true as soon as `test` holds, false after `timeoutMs`. */
export async function until(test: () => boolean | Promise<boolean>, timeoutMs: number, stepMs = 25): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (!(await test())) {
    if (performance.now() > end) return false;
    await sleep(stepMs);
  }
  return true;
}

/** A file's text, or undefined where it does not exist (a process that ended meanwhile says ESRCH). */
export function readOr(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

let ownBootId: string | undefined;
function bootId(): string {
  ownBootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return ownBootId;
}
