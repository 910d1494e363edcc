import type { RunEvent } from '../core/events.ts';
import { type HostCounts, hostCounts } from './counts.ts';
import { type Outcome, outcome } from './outcome.ts';

/** A report as a fold over the events of a run: what it holds grows with hosts and tasks, not with their product. */
export interface Fold<T> {
  add(event: RunEvent): void;
  /** What is known so far. */
  value(): T;
}

export interface Summary extends Outcome {
  hosts: ReadonlyMap<string, HostCounts>;
  seconds: number;
}

/** Counts per host, exit code and duration: all that the last line, `--summary-file` and the exit need. */
export function summary(options: { detailed?: boolean } = {}): Fold<Summary> {
  const counts = hostCounts();
  const end = outcome(options);
  let first: number | undefined;
  let last = 0;
  return {
    add: (event) => {
      first ??= event.time;
      last = event.time;
      counts.add(event);
      end.add(event);
    },
    value: () => ({ ...end.value(), hosts: counts.value(), seconds: (last - (first ?? last)) / 1000 }),
  };
}

/** The text of `--summary-file`: one JSON object, hosts in inventory order. */
export function summaryFile(summary: Summary): string {
  const { ok, class: word, seconds } = summary;
  const hosts = [...summary.hosts].map(([host, counts]) => `    ${JSON.stringify(host)}: ${JSON.stringify(counts)}`);
  const body = hosts.length ? `{\n${hosts.join(',\n')}\n  }` : '{}';
  return `{\n  "hosts": ${body},\n  "ok": ${ok},\n  "class": ${JSON.stringify(word)},\n  "seconds": ${seconds}\n}\n`;
}

/** A fold run over events already there. */
export function foldAll<T>(fold: Fold<T>, events: Iterable<RunEvent>): T {
  for (const event of events) fold.add(event);
  return fold.value();
}
