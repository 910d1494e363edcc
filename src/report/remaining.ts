import type { RunEvent } from '../core/events.ts';

/**
 * Hosts of a recorded apply that did not come to the good end of every play they are in: failed, unreachable, stopped,
 * or never begun. In the order of the run.
 */
export function remainingHosts(events: readonly RunEvent[]): string[] {
  const wanted = new Map<string, Set<string>>();
  const bad = new Set<string>();
  for (const event of events) {
    if (event.type === 'run-start') for (const host of event.hosts) wanted.set(host, wanted.get(host) ?? new Set());
    if (event.type === 'run-start') for (const { play, hosts } of event.plays ?? []) add(wanted, play, hosts);
    if (event.type === 'play-start') add(wanted, event.play, event.hosts);
    if (event.type === 'phase') bad.clear();
    if (event.type === 'host-end' && event.state !== 'done') bad.add(event.host);
  }
  const done = doneIn(events);
  const isLeft = ([host, plays]: [string, Set<string>]) =>
    bad.has(host) || [...plays].some((play) => !done.has(`${play} ${host}`));
  return [...wanted].filter(isLeft).map(([host]) => host);
}

function add(wanted: Map<string, Set<string>>, play: string, hosts: readonly string[]) {
  for (const host of hosts) wanted.set(host, (wanted.get(host) ?? new Set()).add(play));
}

/** What was planned before an apply asked is no end: it is forgotten when the apply begins. */
function doneIn(events: readonly RunEvent[]): Set<string> {
  let done = new Set<string>();
  let planning = false;
  for (const event of events) {
    if (event.type === 'phase') {
      planning = event.phase !== 'apply';
      done = event.phase === 'apply' ? new Set() : done;
    }
    if (event.type === 'host-end' && event.state === 'done' && !planning) done.add(`${event.play} ${event.host}`);
  }
  return done;
}
