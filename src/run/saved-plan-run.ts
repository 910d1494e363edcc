import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { version } from '../cli/version.ts';
import { inputError } from '../core/errors.ts';
import type { EventBody } from '../core/events.ts';
import type { RunControl, RunOptions } from '../core/options.ts';
import type { TaskTree } from '../core/play.ts';
import type { SourceFiles } from '../load/files.ts';
import type { Driver } from '../plan/driver.ts';
import { createRedactor, type Redactor } from '../report/redact.ts';
import { type Chance, freshChance } from './chance.ts';
import type { Prepared } from './prepare.ts';
import { newKey, planFormat, readSavedPlan, type SavedPlan, writeSavedPlan } from './saved-plan.ts';
import { type Refusal, refusals } from './saved-plan-compare.ts';
import { checkFiles, recordedFiles } from './saved-plan-files.ts';
import { guardedDriver } from './saved-plan-guard.ts';
import { optionsOfPlan, savedOptions } from './saved-plan-options.ts';
import { PlanRecord } from './saved-plan-record.ts';
import { sealWith } from './saved-plan-seal.ts';

/** What a run has to do with a saved plan: it makes one, or applies one. */
export interface PlanUse {
  /** The options of the run; those of the saved plan, where one is applied. */
  options: RunOptions;
  control: RunControl;
  chance: Chance;
  files: SourceFiles;
  /** Called when everything is prepared. */
  begin(prepared: Prepared): RecordedPlan;
}

export interface RecordedPlan {
  record: PlanRecord;
  /** Saves what was recorded. */
  save(): void;
  applied?: AppliedPlan;
}

export interface AppliedPlan {
  refusals(): Refusal[];
  guard(driver: Driver, emit: (event: EventBody) => void): Driver;
  /** A refused host as the failure that it is. */
  failure(refusal: Refusal): EventBody;
}

/** undefined: no saved plan takes part in this run. Throws input errors: a plan that is no longer good. */
export function planUse(options: RunOptions, control: RunControl): PlanUse | undefined {
  const { verb, planOut, playbooks } = options;
  const plans = playbooks.filter((path) => readSavedPlan(path, version));
  if (verb === 'plan' && plans.length > 0)
    throw inputError(`${plans[0]} is a saved plan`, {
      hint: `kpush apply ${plans[0]} compares the hosts with it first`,
    });
  if (verb === 'plan' && planOut !== undefined) return saving(options, control, planOut);
  if (plans.length === 0) {
    if (options.allowDeferred) throw inputError('--allow-deferred goes with a saved plan only');
    return undefined;
  }
  if (playbooks.length > 1) throw inputError('a saved plan is applied alone', { hint: 'one kpush apply for each' });
  return applying(options, control, plans[0]!);
}

function saving(options: RunOptions, control: RunControl, out: string): PlanUse {
  if (options.playbooks.length > 1)
    throw inputError('a saved plan is of one playbook', { hint: 'make one of them with import_playbook' });
  // Better now than after an hour of planning.
  if (!statSync(dirname(resolve(out)), { throwIfNoEntry: false })?.isDirectory())
    throw inputError(`the plan cannot be saved in ${out}: there is no folder ${dirname(out)}`);
  const key = newKey();
  const chance = freshChance(options.runId);
  const seal = sealWith(Buffer.from(key, 'base64'));
  const { files, read } = recordedFiles();
  const { redactor, control: veiling } = veiled(control);
  const compose = (record: PlanRecord): SavedPlan => ({
    kpush: 'plan',
    format: planFormat,
    version,
    chance: { run: chance.runId, clock: chance.now, seed: Buffer.from(chance.seed).toString('base64') },
    key,
    options: savedOptions(options, seal),
    files: read(),
    hosts: Object.fromEntries(
      [...record.hosts()].map(([host, { state, steps, deferred }]) => [host, { state, steps, deferred }]),
    ),
  });
  return {
    options,
    control: veiling,
    chance,
    files,
    begin: (prepared) => {
      const record = new PlanRecord(recordTools(prepared, seal, redactor));
      return { record, save: () => writeSavedPlan(out, compose(record)) };
    },
  };
}

function applying(given: RunOptions, control: RunControl, path: string): PlanUse {
  const plan = readSavedPlan(path, version)!;
  const seal = sealWith(Buffer.from(plan.key, 'base64'));
  const options = optionsOfPlan(plan.options, given, seal, path);
  checkFiles(plan.files, path);
  const { run: runId, clock: now, seed } = plan.chance;
  const { redactor, control: veiling } = veiled(control);
  return {
    options,
    control: veiling,
    chance: { runId, now, seed: Buffer.from(seed, 'base64') },
    files: recordedFiles().files,
    begin: (prepared) => {
      const tools = recordTools(prepared, seal, redactor);
      const record = new PlanRecord(tools);
      const applied: AppliedPlan = {
        refusals: () => refusals(plan.hosts, record.hosts()),
        guard: (driver, emit) =>
          guardedDriver(driver, plan, {
            ...tools,
            allowDeferred: given.allowDeferred === true,
            rescues: rescuesOf(prepared),
            refused: (host, message) => emit({ type: 'error', kind: 'task', host, message, facts: {} }),
          }),
        failure: (refusal) => failureOf(refusal, path, prepared),
      };
      return { record, save: () => undefined, applied };
    },
  };
}

function recordTools(prepared: Prepared, seal: ReturnType<typeof sealWith>, redactor: Redactor) {
  const grows = (action: string) => prepared.tools.action(action)?.grows ?? false;
  return { seal, veil: redactor.text, grows };
}

/** Tasks of rescue sections, and what is included there. */
function rescuesOf({ plays }: Prepared): (task: string) => boolean {
  const tasks = new Set(
    plays.flatMap((play) => [...play.tasks, ...play.handlers]).flatMap((tree) => rescueTasks(tree)),
  );
  return (task) => tasks.has(task) || tasks.has(`t${/^b(\d+)\./.exec(task)?.[1]}`);
}

function rescueTasks(tree: TaskTree, inside = false): string[] {
  if (tree.kind === 'task') return inside ? [tree.id] : [];
  const under = (trees: TaskTree[], rescued: boolean) => trees.flatMap((one) => rescueTasks(one, rescued));
  return [...under(tree.block, inside), ...under(tree.rescue, true), ...under(tree.always, inside)];
}

/** Secrets that the run learns of are taken out of the plan's texts, too. */
function veiled(control: RunControl): { redactor: Redactor; control: RunControl } {
  const redactor = createRedactor();
  const conceal = (secret: string) => {
    redactor.add(secret);
    control.conceal(secret);
  };
  return { redactor, control: { ...control, conceal } };
}

function failureOf({ host, message, steps }: Refusal, path: string, { plays }: Prepared): EventBody {
  return {
    type: 'task',
    host,
    play: plays[0]!.id,
    seq: 0,
    task: 'saved-plan',
    name: 'compare with the saved plan',
    module: 'saved_plan',
    origin: { file: path, line: 1, column: 1 },
    status: 'failed',
    message: `refused: ${message}`,
    hint: 'look at what changed it, then plan again',
    steps,
    ms: 0,
  };
}
