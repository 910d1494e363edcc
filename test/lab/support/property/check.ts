import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { TaskEvent } from '../../../../src/core/events.ts';
import type { Module } from '../../../../src/core/module.ts';
import type { RunOptions } from '../../../../src/core/options.ts';
import type { Diff } from '../../../../src/core/steps.ts';
import { yamlFile } from '../inventory.ts';
import { complaints, kpush, kpushWith, type Ran, runOptions } from '../run.ts';
import { type Case, flatten, type Unit, unitName, written } from './case.ts';
import { dependent } from './claims.ts';
import { type Files, type HostDisk, hasUnits } from './disk.ts';
import { DiffModel } from './fold.ts';
import { playbookOf, type Written } from './playbook.ts';

/** Where cases are tried. */
export interface Bench {
  disk: HostDisk;
  host: string;
  inventory: string;
  dir: string;
  /** Another module in place of one that the playbook names: a planted fault. */
  replace?: (module: Module) => Module;
}

/** What was seen of a case, for the judgement of all cases together. */
export interface Seen {
  /** Tasks of the playbook, whether it came to them or not. */
  size: number;
  /** Tasks that the plan told of. */
  tasks: number;
  unknown: number;
  /** Tasks whose plan was compared word by word: neither unknown nor provisional. */
  compared: number;
  changed: number;
  pairs: number;
  dependentPairs: number;
  failed: boolean;
  /** The second plan was compared with nothing. */
  settled: boolean;
  kinds: Set<string>;
}

/** A case as a person reads it: the playbook, and the start state. */
export function readable(spec: Case): string {
  const { plays, files } = playbookOf(spec, 'c0', 'h1');
  const parts = Object.entries(files).map(([name, tasks]) => `# ${name}\n${stringify(tasks, { lineWidth: 0 })}`);
  return `${stringify(plays, { lineWidth: 0 })}\n${parts.join('\n')}\nstart: ${JSON.stringify(spec.start)}`;
}

let count = 0;

/** Plans a case, applies it, plans it again; throws with all that does not fit. */
export async function check(spec: Case, bench: Bench): Promise<Seen> {
  const id = `c${count++}`;
  const made = playbookOf(spec, id, bench.host);
  const playbook = write(made, id, bench);
  try {
    await bench.disk.build(spec, id);
    return await new Trial(spec, id, playbook, bench, made).run();
  } finally {
    await bench.disk.clear(spec, id);
  }
}

function write({ plays, files }: Written, id: string, { dir }: Bench): string {
  mkdirSync(join(dir, 'templates'), { recursive: true });
  mkdirSync(join(dir, 'files/tree'), { recursive: true });
  writeFileSync(join(dir, 'templates/plain.j2'), 'template {{ line }}\n');
  for (const name of ['f', 'g']) writeFileSync(join(dir, 'files/tree', name), `tree ${name}\n`, { mode: 0o644 });
  if (!existsSync(join(dir, 'files/some.tgz'))) archive(join(dir, 'files'));
  for (const [name, tasks] of Object.entries(files)) yamlFile(dir, name, tasks);
  return yamlFile(dir, `${id}.yaml`, plays);
}

/** What `unpack` unpacks: f, g and s/f, with modes and a directory of their own. */
function archive(dir: string) {
  const root = join(dir, 'packed');
  mkdirSync(join(root, 's'), { recursive: true });
  chmodSync(join(root, 's'), 0o750);
  for (const name of ['f', 'g', 's/f']) {
    writeFileSync(join(root, name), `packed ${name}\n`);
    chmodSync(join(root, name), 0o640);
  }
  const names = ['f', 'g', 's'];
  execFileSync('tar', ['--owner=root:0', '--group=root:0', '-czf', join(dir, 'some.tgz'), '-C', root, ...names]);
}

class Trial {
  private readonly problems: string[] = [];
  private readonly named: Written['named'];
  private readonly refers: Written['refers'];

  constructor(
    private readonly spec: Case,
    private readonly id: string,
    private readonly playbook: string,
    private readonly bench: Bench,
    made: Written,
  ) {
    this.named = made.named;
    this.refers = made.refers;
  }

  async run(): Promise<Seen> {
    const { disk } = this.bench;
    const before = disk.scan(this.id);
    const plan = await this.kpush('plan');
    this.wroteNothing(before, disk.scan(this.id));
    const apply = await this.kpush('apply');
    for (const run of [plan, apply])
      for (const { name, status, message } of run.tasks)
        if (status === 'unreachable') this.problems.push(`${name}: ${message}`);
    const compared = this.sameAsPlanned(plan, apply);
    if (!hasOverrun(apply)) await this.asTheDiffsSay(before, apply);
    const settled = this.spec.convergent && !this.hasOpenEnd(plan, apply) && !this.failedOnCondition(apply);
    const again = settled ? await this.kpush('plan') : undefined;
    if (again) this.nothingLeft(plan, apply, again);
    if (this.problems.length > 0)
      throw new Error(
        [
          ...[...this.problems, complaints(apply), lines('plan', plan), lines('apply', apply)],
          ...(again ? [lines('again', again)] : []),
          readable(this.spec),
        ].join('\n'),
      );
    return this.seen(plan, apply, compared, settled);
  }

  private kpush(verb: 'plan' | 'apply'): Promise<Ran> {
    const options: RunOptions = runOptions(verb, this.playbook, this.bench.inventory);
    return this.bench.replace ? kpushWith(this.bench.replace, options) : kpush(options);
  }

  private wroteNothing(before: Files, after: Files) {
    for (const path of new Set([...before.keys(), ...after.keys()]))
      if (before.get(path)?.stamp !== after.get(path)?.stamp) this.problems.push(`the plan wrote ${path}`);
  }

  /** What apply did is what the plan showed, task by task; returns how many were compared word by word. */
  private sameAsPlanned(plan: Ran, apply: Ran): number {
    const shown = byPlace(plan.tasks);
    const did = byPlace(apply.tasks);
    const open = this.openTasks(plan, apply);
    let compared = 0;
    for (const at of new Set([...shown.keys(), ...did.keys()])) {
      const [said, is] = [shown.get(at), did.get(at)];
      const task = (said ?? is)!;
      if (open.has(task.name)) continue;
      if (!said || !is)
        this.problems.push(`${task.name}: ${said ? `shown as ${said.status}, not run` : `${is!.status}, not shown`}`);
      else this.sameTask(said, is);
      compared++;
    }
    return compared;
  }

  private sameTask(said: TaskEvent, is: TaskEvent) {
    const words = (task: TaskEvent) =>
      JSON.stringify([
        task.status,
        task.always,
        task.status === 'failed' ? task.message : undefined,
        task.steps.map(({ title, diff, always }) => [unhurried(title), diff?.map(versionless), always]),
        task.items?.map(({ status }) => status),
      ]);
    if (words(said) !== words(is))
      this.problems.push(`${is.name}:\n  shown ${words(said)}\n  did   ${words(is)}  ${is.message ?? ''}`);
    const judged = this.named.get(is.name)?.spec.judged;
    if (is.status === 'ok' && judged !== 'unchanged' && is.steps.some(({ always }) => !always))
      this.problems.push(`${is.name}: ok, but did ${is.steps.map(({ title }) => title).join(', ')}`);
    for (const step of is.steps)
      if (step.rc === undefined && is.status !== 'failed')
        this.problems.push(`${is.name}: "${step.title}" was left undone`);
  }

  /** Tasks that the plan could not promise: unknown, provisional, or decided by one that is; all after a runtime failure. */
  private openTasks(plan: Ran, apply: Ran): Set<string> {
    const open = new Set<string>();
    const unknown = new Set(plan.tasks.filter(isOpen).map(({ name }) => name));
    const opaque = apply.tasks.findIndex(
      (task) => task.status === 'failed' && (mayFail(task) || (unknown.has(task.name) && !task.ignored)),
    );
    if (opaque >= 0) for (const task of [...plan.tasks, ...apply.tasks.slice(opaque)]) open.add(task.name);
    for (const task of plan.tasks) if (isOpen(task)) open.add(task.name);
    const doubtful = plan.tasks.some((task) => task.status === 'failed' && task.provisional);
    if (doubtful) for (const task of unshown(plan, apply)) open.add(task.name);
    for (const [name, from] of this.refers) if (from.some((one) => open.has(one))) open.add(name);
    return open;
  }

  /** The host holds what the diffs of what ran said, no more and no less. */
  private async asTheDiffsSay(before: Files, apply: Ran) {
    const { disk } = this.bench;
    const model = new DiffModel(before);
    for (const task of apply.tasks) {
      model.add(task, this.named.get(task.name)?.spec.act);
      const { spec, places } = this.named.get(task.name) ?? { spec: undefined, places: [] };
      if (spec?.act.do === 'create' && task.steps.some(({ rc }) => rc === 0))
        model.created(written(places[0]!, this.id));
    }
    this.problems.push(...model.problems, ...model.compare(disk.scan(this.id)));
    if (hasUnits(this.spec)) await this.unitsAsSaid(model);
    for (const [name, installed] of model.packages)
      if (disk.packages().includes(name) !== installed)
        this.problems.push(`package ${name} is ${installed ? 'not ' : ''}there`);
    for (const [who, state] of model.accounts) {
      const [file, name] = who.startsWith('user ')
        ? (['passwd', who.slice(5)] as const)
        : (['group', who.slice(6)] as const);
      if (disk.accounts(file).includes(name) !== (state === 'present')) this.problems.push(`${who} is not ${state}`);
    }
  }

  private async unitsAsSaid(model: DiffModel) {
    const units = await this.bench.disk.units(this.id);
    for (const unit of Object.keys(units) as Unit[]) {
      const said = model.units.get(unitName(unit, this.id));
      const state = said?.state === 'restarted' ? undefined : said?.state;
      if (state && units[unit].active !== state)
        this.problems.push(`${unit} is ${units[unit].active}, by the diffs ${state}`);
      if (said?.enabled && (units[unit].enabled === 'enabled') !== (said.enabled === 'yes'))
        this.problems.push(`${unit} is ${units[unit].enabled}, by the diffs enabled: ${said.enabled}`);
    }
  }

  /**
   * Whether a second run may rightly find something to do: a command failed, or a task failed for want of what a later
   * one made.
   */
  private hasOpenEnd(plan: Ran, apply: Ran): boolean {
    return apply.tasks.some((task, at) => {
      if (task.status !== 'failed' || task.module === 'fail' || task.module === 'assert') return false;
      if (this.named.get(task.name)?.spec.judged === 'failed') return false;
      const unplanned = !plan.tasks.some((one) => place(one) === place(task));
      return mayFail(task) || unplanned || apply.tasks.slice(at).some(({ status }) => status === 'changed');
    });
  }

  /** A second run may not come to it: what it depends on, or what notified the handler, is no change any more. */
  private failedOnCondition({ tasks }: Ran): boolean {
    const failed = tasks.filter(({ status }) => status === 'failed');
    return failed.some(({ name, handler }) => handler || this.named.get(name)?.spec.when !== undefined);
  }

  /** Nothing but *always* is left to do, as far as the apply came. */
  private nothingLeft(plan: Ran, apply: Ran, again: Ran) {
    const failed = apply.tasks.find((task) => task.status === 'failed' && !task.rescued && !task.ignored);
    const printed = [...this.named].filter(([, { spec }]) => 'text' in spec.act && isPrinted(spec.act.text));
    const firstUnknown = new Set([
      ...plan.tasks.filter(({ status }) => status === 'unknown').map(({ name }) => name),
      // Not asked for at first, where a fact stood in its place or a failure came before.
      ...printed.map(([name]) => name),
    ]);
    for (const task of again.tasks) {
      const still = failed && task.name === failed.name && task.status === 'failed' && task.message === failed.message;
      const rescued = task.status === 'failed' && task.rescued;
      const own = task.ignored && task.status === 'failed';
      const idle = own || task.status === 'ok' || task.status === 'skipped' || task.always || rescued || still;
      if (!idle && !(task.status === 'unknown' && firstUnknown.has(task.name)))
        this.problems.push(
          `${task.name}: still ${task.status} after the apply: ${JSON.stringify(task.steps)} ${task.why ?? ''} ${task.message ?? ''}`,
        );
    }
    if (
      failed &&
      !firstUnknown.has(failed.name) &&
      !again.tasks.some((task) => task.name === failed.name && task.status === 'failed')
    )
      this.problems.push(`${failed.name} failed (${failed.message}), but would not the second time`);
  }

  private seen(plan: Ran, apply: Ran, compared: number, settled: boolean): Seen {
    const specs = flatten(this.spec.tasks);
    const names = [...this.named.keys()];
    let [pairs, dependentPairs] = [0, 0];
    for (const [at, later] of specs.entries())
      for (const [before, earlier] of specs.slice(0, at).entries()) {
        pairs++;
        if (dependent(earlier, later, this.refers.get(names[at]!)!.includes(names[before]!))) dependentPairs++;
      }
    return {
      size: specs.length,
      tasks: plan.tasks.length,
      unknown: plan.tasks.filter(({ status }) => status === 'unknown').length,
      compared,
      changed: apply.tasks.filter(({ status }) => status === 'changed').length,
      pairs,
      dependentPairs,
      failed: apply.exit !== 0,
      settled,
      kinds: new Set(apply.tasks.map(({ name, status }) => `${name.split(' ').at(-1)} ${status}`)),
    };
  }
}

function lines(verb: string, { tasks }: Ran): string {
  const line = (task: TaskEvent) => {
    const doubt = task.why ?? (task.provisional && `if ${task.provisional} leaves it alone`);
    const said = task.status === 'failed' ? task.message : doubt;
    return `  ${task.name}: ${task.status} ${said ?? ''} [${task.steps.map(({ title, rc }) => `${title} ${rc ?? ''}`).join('; ')}]`;
  };
  return [verb, ...tasks.map(line)].join('\n');
}

/**
 * A reload of the manager is part of a step's title, but nothing lasting: a unit that nobody has looked at since its
 * file was written needs none, and whether somebody has depends on where the run is cut.
 */
function unhurried(title: string): string {
  return title.replace(/^daemon-reload, /, '');
}

/** Of a package that the same run brings, the version is known once it is there. */
function versionless(diff: Diff): Diff {
  if (diff.kind !== 'fields' || diff.subject !== 'packages') return diff;
  const fields = diff.fields.map((field) => ({ ...field, before: field.before && 'installed' }));
  return { ...diff, fields };
}

/** Tasks by where they are; one that ran more than once (in an include, a flushed handler) is told apart by its turn. */
function byPlace(tasks: readonly TaskEvent[]): Map<string, TaskEvent> {
  const found = new Map<string, TaskEvent>();
  for (const task of tasks) {
    let turn = 0;
    while (found.has(`${place(task)} ${turn}`)) turn++;
    found.set(`${place(task)} ${turn}`, task);
  }
  return found;
}

function isPrinted(text: unknown): boolean {
  return typeof text === 'object' && text !== null && 'printed' in text;
}

/** A play may be in two halves, and a handler of one name in both. */
function place({ play, name }: TaskEvent): string {
  return `${play} ${name}`;
}

/** Steps that ran behind a failure are told by title, without their diffs. */
function hasOverrun({ events }: Ran): boolean {
  return events.some((event) => event.type === 'warning' && event.message.startsWith('before the failure was known'));
}

function unshown(plan: Ran, apply: Ran): TaskEvent[] {
  const shown = new Set(plan.tasks.map(place));
  return apply.tasks.filter((task) => !shown.has(place(task)));
}

/** Unknown, in part or as a whole, or resting on what an opaque step may change. */
function isOpen({ status, provisional, why, items }: TaskEvent): boolean {
  return status === 'unknown' || !!provisional || !!why || items?.some((item) => item.status === 'unknown') === true;
}

/** What only running can tell: commands, and groupdel, which minds users that no task speaks of. */
function mayFail({ module }: TaskEvent): boolean {
  return module === 'command' || module === 'shell' || module === 'group';
}
