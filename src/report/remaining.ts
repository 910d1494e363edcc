import type { RunEvent } from '../core/events.ts';
import type { EarlierPlay } from '../core/options.ts';
import { at } from '../core/origin.ts';

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

/** What a recorded apply, and those it went on after, came to in each play. */
export function earlierPlays(events: readonly RunEvent[], before: readonly EarlierPlay[] = []): EarlierPlay[] {
  const plays = new Map(before.map((play) => [play.at, play]));
  const places = new Map<string, string>();
  const more = (place: string, hosts: readonly string[], failed: readonly string[]) => {
    const known = plays.get(place);
    plays.set(place, { at: place, hosts: union(known?.hosts, hosts), failed: union(known?.failed, failed) });
  };
  for (const event of applied(events)) {
    if (event.type === 'play-start') {
      places.set(event.play, at(event.origin));
      more(at(event.origin), event.hosts, []);
    }
    if (event.type === 'host-end' && (event.state === 'failed' || event.state === 'unreachable'))
      more(places.get(event.play) ?? '', [], [event.host]);
  }
  return [...plays.values()];
}

function union(some: readonly string[] = [], more: readonly string[] = []): string[] {
  return [...new Set([...some, ...more])];
}

/** Without what was only planned, before it was asked whether to apply. */
function applied(events: readonly RunEvent[]): RunEvent[] {
  let planning = false;
  return events.filter((event) => {
    if (event.type === 'phase') planning = event.phase !== 'apply';
    return !planning;
  });
}

function add(wanted: Map<string, Set<string>>, play: string, hosts: readonly string[]) {
  for (const host of hosts) wanted.set(host, (wanted.get(host) ?? new Set()).add(play));
}

function doneIn(events: readonly RunEvent[]): Set<string> {
  const ends = applied(events).flatMap((event) => (event.type === 'host-end' && event.state === 'done' ? [event] : []));
  return new Set(ends.map(({ play, host }) => `${play} ${host}`));
}
