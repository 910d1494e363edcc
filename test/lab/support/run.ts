import type { RunEvent, TaskEvent } from '../../../src/core/events.ts';
import type { Module } from '../../../src/core/module.ts';
import type { RunControl, RunOptions, Verb } from '../../../src/core/options.ts';
import { run } from '../../../src/kpush.ts';
import { newRunId } from '../../../src/report/journal.ts';
import { outcome } from '../../../src/report/outcome.ts';
import { runPlaybook } from '../../../src/run/playbook.ts';
import { prepare } from '../../../src/run/prepare.ts';

/** What a run said, and how it ended. */
export interface Ran {
  exit: number;
  events: RunEvent[];
  tasks: TaskEvent[];
}

/** The options of a run in which the command line says nothing but these. */
export function runOptions(
  verb: Verb,
  playbook: string,
  inventory: string,
  more: Partial<RunOptions> = {},
): RunOptions {
  return {
    verb,
    runId: newRunId(new Date()),
    inventories: [inventory],
    playbooks: [playbook],
    limit: [],
    tags: [],
    skipTags: [],
    extraVars: [],
    check: false,
    diff: true,
    yes: true,
    noProbes: false,
    detailedExitcode: false,
    syntaxCheck: false,
    forceHandlers: false,
    forceUnlock: false,
    askPass: false,
    askBecomePass: false,
    askVaultPass: false,
    vaultPasswordFiles: [],
    vaultIds: [],
    strict: false,
    verbosity: 0,
    output: 'plain',
    ...more,
  };
}

/** A whole run in this process. */
export async function kpush(options: RunOptions, control: Partial<RunControl> = {}): Promise<Ran> {
  const events: RunEvent[] = [];
  const { exit } = await run(options, (event) => events.push(event), { ...uninterrupted(), ...control });
  return { exit, events, tasks: events.filter(isTask) };
}

/** A run whose modules are looked up in another table: `replace` is given each module that the playbook names. */
export async function kpushWith(replace: (module: Module) => Module, options: RunOptions): Promise<Ran> {
  const events: RunEvent[] = [];
  const prepared = prepare(options.playbooks[0]!, options, { warn: () => {}, secrets: {} });
  const tools = { ...prepared.tools, module: (name: string) => replaced(prepared.tools.module(name), replace) };
  const judged = outcome();
  await runPlaybook({ ...prepared, tools }, options, uninterrupted(), (body) => {
    const event: RunEvent = { time: Date.now(), ...body };
    judged.add(event);
    events.push(event);
  });
  return { exit: judged.value().exit, events, tasks: events.filter(isTask) };
}

function replaced(module: Module | undefined, replace: (module: Module) => Module) {
  return module && replace(module);
}

export function isTask(event: { type: string }): event is RunEvent & TaskEvent {
  return event.type === 'task';
}

/** Tasks by status, as Ansible counts: ok includes changed. */
export function counts(tasks: readonly TaskEvent[]): Record<string, number> {
  const of = (status: TaskEvent['status']) => tasks.filter((task) => task.status === status).length;
  return {
    ok: of('ok') + of('changed'),
    changed: of('changed'),
    skipped: of('skipped'),
    failed: of('failed'),
    unreachable: of('unreachable'),
    unknown: of('unknown'),
  };
}

/** What went wrong in a run, for messages of tests. */
export function complaints({ events }: Pick<Ran, 'events'>): string {
  const said = events.flatMap((event) => {
    if (event.type === 'task' && (event.status === 'failed' || event.status === 'unreachable'))
      return [`${event.host}: ${event.name}: ${event.status}: ${event.message ?? ''}`];
    if (event.type === 'error' || event.type === 'warning' || event.type === 'host-lost')
      return [JSON.stringify(event)];
    return [];
  });
  return said.join('\n');
}

export function uninterrupted(): RunControl {
  return { stop: new AbortController().signal, close: new AbortController().signal, conceal: () => {} };
}
