import type { TaskEvent } from '../core/events.ts';
import type { SavedHost, SavedPlan, SavedRest, SavedStep } from './saved-plan.ts';
import type { PlannedHost } from './saved-plan-record.ts';

/** A host that is not as the saved plan has it. */
export interface Refusal {
  host: string;
  /** In lines. */
  message: string;
  /** Steps as planned now that the saved plan does not have, with what they change. */
  steps: TaskEvent['steps'];
}

/** Lines of either kind shown of a host. */
const shownLines = 20;

/** Hosts that a saved plan must not be applied to. Those that cannot be reached now are found by the apply itself. */
export function refusals(saved: SavedPlan['hosts'], now: ReadonlyMap<string, PlannedHost>): Refusal[] {
  const hosts = [...new Set([...Object.keys(saved), ...now.keys()])];
  return hosts.flatMap(
    (host) => refusal(host, Object.hasOwn(saved, host) ? saved[host] : undefined, now.get(host)) ?? [],
  );
}

function refusal(host: string, saved: SavedHost | undefined, now: PlannedHost | undefined): Refusal | undefined {
  if (now?.state === 'unreachable') return undefined;
  if (!saved) return { host, message: 'it is not in the saved plan', steps: [] };
  if (!now) return { host, message: 'it is in the saved plan, but not in the inventory any more', steps: [] };
  if (saved.state === 'unreachable')
    return { host, message: 'it could not be reached when the plan was made', steps: [] };
  const lines = differences(saved, now);
  if (lines.length === 0) return undefined;
  const added = without(lasting(now).steps, saved.steps);
  return {
    host,
    message: ['it is not as it was when the plan was made', ...lines].join('\n'),
    steps: shown(added, now),
  };
}

/** What moved, and how the steps differ, in lines; empty: nothing. */
export function differences(savedHost: SavedHost, nowHost: SavedHost): string[] {
  const [saved, now] = [lasting(savedHost), lasting(nowHost)];
  const gone = without(saved.steps, now.steps);
  const added = without(now.steps, saved.steps);
  const same = gone.length === 0 && added.length === 0;
  const moved = movedFacts(saved.steps, now.steps, same).map((fact) => `moved: ${fact}`);
  const steps = [
    ...gone.map((step) => `no longer planned: ${told(step)}`),
    ...added.map((step) => `not in the saved plan: ${told(step)}`),
  ];
  const order =
    same && inOrder(saved.steps) !== inOrder(now.steps) ? ['the steps are the same, their order is not'] : [];
  const state = saved.state === now.state ? [] : [`planning it now ended as ${now.state}, then as ${saved.state}`];
  return [...capped(moved), ...capped(steps), ...order, ...state];
}

/** What goes by what is another one by then is deferred, and not compared. */
function lasting(host: SavedHost): SavedHost {
  return { ...host, steps: host.steps.filter((step) => !step.fleeting) };
}

/** Answers that both have and that differ; where the steps are the same, also those that only one of them rests on. */
function movedFacts(saved: readonly SavedStep[], now: readonly SavedStep[], same: boolean): string[] {
  const [before, after] = [restsOf(saved), restsOf(now)];
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  const moved = keys.filter((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    return was && is ? was.raw !== is.raw : same;
  });
  return [...new Set(moved.map((key) => (before.get(key) ?? after.get(key))!.fact))];
}

function restsOf(steps: readonly SavedStep[]): Map<string, SavedRest> {
  return new Map(steps.flatMap((step) => step.rests.map((rest) => [rest.key, rest])));
}

/** Steps of `all` that `others` lacks; a step that is there twice must be there twice. */
function without(all: readonly SavedStep[], others: readonly SavedStep[]): SavedStep[] {
  const left = new Map<string, number>();
  for (const step of others) left.set(sameness(step), (left.get(sameness(step)) ?? 0) + 1);
  return all.filter((step) => {
    const count = left.get(sameness(step)) ?? 0;
    left.set(sameness(step), count - 1);
    return count <= 0;
  });
}

export function sameness({ task, digest }: Pick<SavedStep, 'task' | 'digest'>): string {
  return `${task} ${digest}`;
}

function inOrder(steps: readonly SavedStep[]): string {
  return steps.map(sameness).join('\n');
}

function told({ name, title }: SavedStep): string {
  return name === '' ? title : `${title} (${name})`;
}

function capped(lines: string[]): string[] {
  const more = lines.length - shownLines;
  return more > 0 ? [...lines.slice(0, shownLines), `… and ${more} more`] : lines;
}

function shown(steps: readonly SavedStep[], { diffs }: PlannedHost): TaskEvent['steps'] {
  return steps.map(({ key, title }) => ({ key, title, diff: [...(diffs.get(key) ?? [])] }));
}
