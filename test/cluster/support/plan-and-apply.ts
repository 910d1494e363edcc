import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunEvent, TaskEvent } from '../../../src/core/events.ts';
import type { Diff } from '../../../src/core/steps.ts';

/** All events of the last run in `dir`, as its journal holds them. */
export function lastRun(dir: string): RunEvent[] {
  const runs = join(dir, '.kpush/runs');
  const last = readdirSync(runs).sort().at(-1)!;
  const lines = readFileSync(join(runs, last, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
}

export function tasksOf(events: RunEvent[]): TaskEvent[] {
  return events.filter((event): event is RunEvent & TaskEvent => event.type === 'task');
}

/**
 * What an apply changed although its plan had neither shown it nor said that it cannot know: tasks, and of a task that
 * was shown the steps and differences that were not.
 */
export function surprises(planned: TaskEvent[], applied: TaskEvent[]): string[] {
  return applied
    .filter(({ status }) => status === 'changed' || status === 'failed')
    .flatMap((event) => {
      const plan = planned.filter((one) => key(one) === key(event));
      if (plan.some(({ status }) => status === 'unknown')) return [];
      if (!plan.some(({ status }) => status === 'changed')) return [`${key(event)}: ${event.name}`];
      const steps = new Set(plan.flatMap(stepsOf));
      return stepsOf(event).flatMap((step) => (steps.has(step) ? [] : [`${key(event)}: ${event.name}: ${step}`]));
    });
}

function key({ host, task }: TaskEvent): string {
  return `${host} ${task}`;
}

/** What the steps lead to. A reload that an earlier step turned out to have done, and how much is told of a text before, may differ. */
function stepsOf({ steps }: TaskEvent): string[] {
  return steps.flatMap(({ title, diff }) => (diff?.length ? diff.flatMap(outcomes) : [title]));
}

function outcomes(diff: Diff): string[] {
  if (diff.kind === 'fields') return diff.fields.map(({ name, after }) => `${diff.subject}: ${name} becomes ${after}`);
  return [`${diff.path} becomes ${JSON.stringify(diff.after)}`];
}
