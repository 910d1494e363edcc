import { readFileSync } from 'node:fs';

/**
 * When a process began, in clock ticks since boot: with the pid it names one process, also after the pid was used
 * again. undefined: there is no such process, or this is not Linux.
 */
export function processStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]; // field 22; the name before it may hold anything
  } catch {
    return undefined;
  }
}
