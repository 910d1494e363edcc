import { readFileSync } from 'node:fs';
import { inputError } from '../core/errors.ts';

/** What this process has open besides its connections: streams, journal, playbooks, the event loop's own. */
const others = 32;

/**
 * Every host is at least one open file for the whole run. Where this process may not have so many (RLIMIT_NOFILE; Node
 * has raised the soft limit to the hard one), that is an input error before the first connection, not a failure of the
 * last hosts. `limit`: files; undefined where the system does not tell.
 */
export function requireOpenFiles(hosts: number, limit = ownLimit()): void {
  if (limit === undefined || hosts + others <= limit) return;
  throw inputError(`${hosts} hosts need ${hosts + others} open files or more, but this process may have ${limit}`, {
    hint: `raise the limit (ulimit -n ${nextPowerOfTwo(4 * hosts)}), or take fewer hosts at a time with --limit`,
  });
}

function ownLimit(): number | undefined {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined; // not Linux
  }
}

function nextPowerOfTwo(count: number): number {
  return 2 ** Math.ceil(Math.log2(count));
}
